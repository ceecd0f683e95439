import { sql } from 'drizzle-orm';
import { leases } from '#drizzle/schema/jobs.ts';
import type { Db } from './db.ts';

interface Databased {
  db: Db;
}

/** A number that is never given twice for `name`: the step in a continuation's deduplication id. */
export async function nextSlice({ db }: Databased, name: string): Promise<number> {
  const result = await db.execute<{ slice: number }>(sql`
    insert into ${leases} as l (name, slice) values (${name}, 1)
    on conflict (name) do update set slice = l.slice + 1
    returning slice::integer as slice`);
  return result.rows[0]?.slice ?? 0;
}

interface Slice {
  name: string;
  /** The run that the slice belongs to: it holds the lease `name` from slice to slice. */
  holder: string;
  slice: number;
}

/** Moves on from slice `slice` of a run, once however often it is asked for; gives the next number, null when it is gone. */
export async function takeSlice({ db }: Databased, { name, holder, slice }: Slice): Promise<number | null> {
  const taken = await db.execute<{ slice: number }>(sql`
    update ${leases} set slice = slice + 1 where name = ${name} and holder = ${holder} and slice = ${slice}
    returning slice::integer as slice`);
  return taken.rows[0]?.slice ?? null;
}

/** Undoes `takeSlice`, so that the message of a slice that failed can bring it again. `slice` is the number that was given. */
export async function giveSliceBack({ db }: Databased, { name, holder, slice }: Slice): Promise<void> {
  await db.execute(sql`
    update ${leases} set slice = slice - 1 where name = ${name} and holder = ${holder} and slice = ${slice}`);
}
