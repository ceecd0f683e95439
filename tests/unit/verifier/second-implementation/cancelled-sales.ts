import { scaled } from './arithmetic.ts';
import { unitsOf } from './distributions.ts';
import type { Decision, SaleResult } from './results.ts';

/** What a cancelled sale takes out of one decision again, of which `paidUnits` were distributed for good; in drops. */
export function takeBack(sale: SaleResult, decision: Decision, paidUnits: bigint): { owed: bigint; held: bigint } {
  const total = unitsOf(decision);
  const back = paidUnits === 0n ? decision.invested : (decision.invested * (total - paidUnits)) / total;
  return back >= scaled(sale.terms.refund_min_xrp, 6) ? { owed: back, held: 0n } : { owed: 0n, held: back };
}
