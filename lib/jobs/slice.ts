import { sql } from 'drizzle-orm';
import { leases } from '#drizzle/schema/jobs.ts';
import type { Ctx } from '#lib/ctx.ts';

/** A number that is never given twice for `name`: the step in a continuation's deduplication id (design section 9). */
export async function nextSlice(ctx: Ctx, name: string): Promise<number> {
  const result = await ctx.db.execute<{ slice: number }>(sql`
    insert into ${leases} as l (name, slice) values (${name}, 1)
    on conflict (name) do update set slice = l.slice + 1
    returning slice::integer as slice`);
  return result.rows[0]?.slice ?? 0;
}
