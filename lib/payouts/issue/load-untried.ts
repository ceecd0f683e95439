import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { investments } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { latest, loadStored, type StoredPayout } from '../load.ts';

/** Untried parts that one answer names. */
const MAX_UNTRIED = 5_000;

/** Distributions of these investments that are paid, on their way, cancelled or not due. */
export const loadUntried = (db: Db, investmentIds: readonly string[], ledgerTime: Date): Promise<StoredPayout[]> =>
  loadStored(
    db,
    and(
      eq(payouts.kind, 'distribution'),
      inArray(payouts.investmentId, [...investmentIds]),
      sql`(${payouts.status} in ('validated', 'submitted', 'cancelled') or ${payouts.dueAt} > ${latest(ledgerTime)})`,
    ),
    [asc(payouts.investmentId), asc(payouts.part)],
    MAX_UNTRIED,
  );

/** Of these investments, those without any distribution, and why there is none. */
export async function loadWithoutPayout(
  db: Db,
  investmentIds: readonly string[],
): Promise<{ investmentId: string; outcome: 'not_due' | 'nothing_owed'; reason: string }[]> {
  const rows = await db
    .select({
      id: investments.id,
      status: investments.status,
      reason: investments.reason,
      payoutsPlanned: investments.payoutsPlanned,
    })
    .from(investments)
    .leftJoin(payouts, and(eq(payouts.investmentId, investments.id), eq(payouts.kind, 'distribution')))
    .where(and(inArray(investments.id, [...investmentIds]), isNull(payouts.id)))
    .orderBy(asc(investments.id));
  return rows.map(({ id, status, reason, payoutsPlanned }) =>
    status === 'confirmed' && !payoutsPlanned
      ? { investmentId: id, outcome: 'not_due', reason: 'sale_not_ended' }
      : { investmentId: id, outcome: 'nothing_owed', reason: reason ?? status },
  );
}
