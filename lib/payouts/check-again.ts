import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import type { Db } from '#lib/base/db.ts';
import { lockedPayouts } from './lock-payouts.ts';

export interface PayoutSelection {
  projectId?: string;
  investmentIds?: readonly string[];
  payoutIds?: readonly string[];
  destinations?: readonly string[];
  /** Why they wait or are held. */
  reason?: string;
}

/**
 * Lets the next slice look at waiting payouts at once, whatever their next check: because a holder's line was seen, or an
 * operator asks. `releaseHeld` also takes held ones back into payment, as scheduled while they are not due. Nothing that is under way or paid is touched.
 * Returns the ids.
 */
export async function checkAgain(db: Db, selection: PayoutSelection, releaseHeld: boolean): Promise<string[]> {
  const { projectId, investmentIds, payoutIds, destinations, reason } = selection;
  const conditions: SQL[] = [];
  if (projectId !== undefined) conditions.push(eq(payouts.projectId, projectId));
  if (investmentIds !== undefined) conditions.push(inArray(payouts.investmentId, [...investmentIds]));
  if (payoutIds !== undefined) conditions.push(inArray(payouts.id, [...payoutIds]));
  if (destinations !== undefined) conditions.push(inArray(payouts.destination, [...destinations]));
  if (reason !== undefined) conditions.push(eq(payouts.reason, reason));
  conditions.push(
    inArray(payouts.status, ['scheduled', 'waiting_holder', 'ready', ...(releaseHeld ? (['held'] as const) : [])]),
  );
  const rows = await db
    .update(payouts)
    .set({
      nextCheckAt: sql`now()`,
      status: sql`case when ${payouts.status} <> 'held' then ${payouts.status}
        when ${payouts.dueAt} > now() then 'scheduled' else 'ready' end`,
      reason: sql`case when ${payouts.status} = 'held' then null else ${payouts.reason} end`,
    })
    .where(sql`${payouts.id} = any (${lockedPayouts(sql`${and(...conditions)}`)})`)
    .returning({ id: payouts.id });
  return rows.map((row) => row.id);
}
