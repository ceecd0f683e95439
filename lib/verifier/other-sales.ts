import { afterLedger, paidCursor } from './cursors.ts';
import { type Paid, paymentKey, payoutKey } from './delivered.ts';
import type { OtherSale } from './inputs.ts';
import type { PublishedPayout } from './published.ts';
import { Rows } from './rows.ts';
import type { Work } from './work.ts';

/** What another sale publishes as paid by an account, as the ledger shows it. */
export interface OtherRows {
  sale: OtherSale;
  rows: Rows<PublishedPayout>;
}

/** Validated payouts of other sales by their transactions, of some ledgers. */
export type PaidElsewhere = ReadonlyMap<string, { row: PublishedPayout; sale: OtherSale }[]>;

/** Beside a history of `account` after a ledger: what the other sales say that the account has paid for them. */
export const openOthers = ({ source, inputs, progress }: Work, account: string, ledger: number): OtherRows[] =>
  inputs.others
    .filter((sale) => sale.depositAddress === account || sale.distributor === account)
    .map((sale) => ({
      sale,
      rows: new Rows(
        (cursor) => source.paid(sale.id, Math.min(progress.asOf, sale.confirmedLedger), account, cursor),
        afterLedger(ledger),
        paidCursor,
      ),
    }));

/** Takes what they name in ledgers up to `through`. */
export async function takeThrough(others: readonly OtherRows[], through: number): Promise<PaidElsewhere> {
  const taken = new Map<string, { row: PublishedPayout; sale: OtherSale }[]>();
  for (const { sale, rows } of others) {
    for (let row = await rows.peek(); row !== null && (row.ledger_index ?? 0) <= through; row = await rows.peek()) {
      rows.take();
      const hash = row.transaction_hash ?? '';
      taken.set(hash, [...(taken.get(hash) ?? []), { row, sale }]);
    }
  }
  return taken;
}

export const closeOthers = (others: readonly OtherRows[]): Promise<unknown> =>
  Promise.all(others.map(({ rows }) => rows.close()));

/** Whether another sale names the payment for a payout that it pays exactly. */
export const isPaidElsewhere = (elsewhere: PaidElsewhere, hash: string, paid: Paid): boolean =>
  (elsewhere.get(hash) ?? []).some(({ row, sale }) => paymentKey(paid, sale.token) === payoutKey(row, sale.token));
