import { sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import { PAYABLE_STATUSES } from './load.ts';
import { lockedPayouts } from './lock-payouts.ts';
import { payoutsAsP } from './next-check.ts';
import type { PayoutReason } from './types.ts';

const REASON: PayoutReason = 'paid_elsewhere';

/**
 * Holds every unfinished payout of an account to somebody whom a transaction signed elsewhere has paid from it: that may
 * have been meant for any of them, and only a person knows. One that is on its way keeps the reason until its outcome is
 * known, and is held when it was not paid (settle.ts).
 */
export async function holdPaidElsewhere(tx: Tx, account: string, destinations: readonly string[]): Promise<void> {
  if (destinations.length === 0) return;
  await tx.execute(sql`
    update ${payoutsAsP}
    set status = case when p.status = 'submitted' then p.status else 'held' end, reason = ${REASON}
    where p.id = any (${lockedPayouts(sql`${payouts.account} = ${account}
      and ${payouts.destination} = any (${textArray(destinations)})
      and ${payouts.status} = any (${textArray([...PAYABLE_STATUSES, 'submitted', 'held'])})`)})`);
}
