import { sql } from 'drizzle-orm';
import { leases } from '#drizzle/schema/jobs.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { startAtMostEvery } from '#lib/base/lease.ts';

/** However many instances run, all parts are looked at no more often than this. */
export const LOOK_EVERY_SECONDS = 30;
const HEALTH_LEASE = 'health';

/** A look that is ours to make. */
export interface Look {
  /** When it began, by the database's clock. */
  at: Date;
  /** The same, whole: what tells it from a later look. */
  startedAt: string;
}

/** Begins a look at all parts, in one statement; null when the last one began a moment ago, here or elsewhere. */
export async function claimLook(db: Db): Promise<Look | null> {
  const row = await startAtMostEvery(db, HEALTH_LEASE, LOOK_EVERY_SECONDS);
  return row === null ? null : { at: new Date(row.atMs), startedAt: row.startedAt };
}

/** True while no later look has begun, and until the transaction ends none begins: what an old look saw is no news. */
export async function isNewestLook(tx: Tx, { startedAt }: Look): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select from ${leases} where name = ${HEALTH_LEASE} and last_started_at = ${startedAt}::timestamptz for update`);
  return rows.length === 1;
}
