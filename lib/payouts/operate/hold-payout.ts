import { and, eq, inArray } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import type { Tx } from '#lib/base/db.ts';
import { PAYABLE_STATUSES } from '../load.ts';
import type { PayoutReason } from '../types.ts';

const REASON: PayoutReason = 'operator_hold';

/** Keeps a payout that is not on its way from being paid until an operator releases it. */
export async function holdPayout(tx: Tx, id: string): Promise<void> {
  await tx
    .update(payouts)
    .set({ status: 'held', reason: REASON })
    .where(and(eq(payouts.id, id), inArray(payouts.status, [...PAYABLE_STATUSES])));
}
