import { and, desc, eq, sql } from 'drizzle-orm';
import { auditEntries } from '#drizzle/schema/access.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { AuditEntry } from './contracts.ts';
import { toEntry } from './list-audit.ts';

/** Members know administrators as that alone, also where an entry tells who asked for what was decided. */
const withoutNames = <T>(entry: T): T =>
  JSON.parse(
    JSON.stringify(entry, (_, part: unknown) =>
      typeof part === 'string' && part.startsWith('administrator:') ? 'administrator' : part,
    ),
  );

/** What members of the tenant did, and administrators to its sales, the newest first. Administrators are not named to it. */
export async function listOwnAudit(
  ctx: Ctx,
  query: { cursor?: string | undefined; limit: number },
): Promise<{ entries: AuditEntry[]; next_cursor: string | null }> {
  const { actor } = ctx;
  if (actor.kind !== 'member') throw new Error(`Only a member reads its tenant's audit; the actor is ${actor.kind}`);
  const after = decodeCursor(query.cursor, 'aud');
  const rows = await ctx.db
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.tenantId, actor.tenantId),
        // The time is read from the row itself, and only from one of the tenant: another's entry gives no place in this list.
        after === null
          ? undefined
          : sql`(${auditEntries.createdAt}, ${auditEntries.id}) <
              ((select created_at from audit_entries where id = ${after.id} and tenant_id = ${actor.tenantId}), ${after.id})`,
      ),
    )
    .orderBy(desc(auditEntries.createdAt), desc(auditEntries.id))
    .limit(query.limit + 1);
  const page = toPage(rows, query.limit, (row) => ({ at: row.createdAt, id: row.id }));
  return {
    entries: page.rows.map((row) => withoutNames(toEntry(row))),
    next_cursor: page.next,
  };
}
