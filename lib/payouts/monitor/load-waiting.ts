import { and, gt, type SQL, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { isPayable, loadStored, type StoredPayout } from '../load.ts';

/**
 * Distributions that were due and could not be paid, for their holder's sake (`waiting_holder`) or ours (`ready` with a
 * reason). What is held waits for a person, and what the hourly ceiling put off for its turn. Needs `projects` joined.
 */
const isWaiting = (): SQL =>
  sql`${payouts.kind} = 'distribution' and ${isPayable()} and (${payouts.status} = 'waiting_holder'
    or (${payouts.status} = 'ready' and ${payouts.reason} <> 'hourly_ceiling'))`;

/** The next page of them by id. */
export const loadWaiting = (db: Db, afterId: string, limit: number): Promise<StoredPayout[]> =>
  loadStored(db, and(isWaiting(), gt(payouts.id, afterId)), [sql`${payouts.id}`], limit);

/** Of each issued currency, how many different accounts wait for it. */
export async function countWaitingHolders(db: Db): Promise<{ issuer: string; currency: string; holders: number }[]> {
  const result = await db.execute<{ issuer: string; currency: string; holders: number }>(sql`
    select ${projects.issuer}, ${projects.currency}, count(distinct ${payouts.destination})::int as holders
    from ${payouts} join ${projects} on ${projects.id} = ${payouts.projectId}
    where ${projects.tokenKind} = 'iou' and ${isWaiting()}
    group by 1, 2`);
  return result.rows;
}
