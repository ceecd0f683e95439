import { formatDrops } from '@tranche/rules/amounts.ts';
import type { FeedEntry } from '@tranche/rules/feed-entry.ts';
import { otherRefundKey } from './check-sent.ts';
import { addDifference } from './findings.ts';
import type { Inputs } from './inputs.ts';
import type { Progress } from './progress.ts';
import type { Unmatched } from './types.ts';

/** Before its launch a sale has nothing on the deposit account that anybody could take. */
const isOfSale = ({ launch }: Progress, ledgerIndex: number): boolean =>
  launch !== null && ledgerIndex > launch.ledger_index;

/** Whether a payment takes XRP from the deposit account, to whom so ever, since the sale has been launched. */
export const isXrpOfSale = ({ account }: Inputs, progress: Progress, payment: Unmatched): boolean =>
  payment.account === account.address &&
  typeof payment.delivered === 'string' &&
  isOfSale(progress, payment.ledgerIndex);

/**
 * What arrives otherwise than by a Payment is held and nobody's investment: an operator sends it back to whose it was, and no
 * sale publishes that.
 */
export function recordOtherArrival({ otherRefunds }: Progress, entries: readonly FeedEntry[]): void {
  for (const entry of entries) {
    if (entry.kind !== 'other' || entry.counterparty === null) continue;
    const key = otherRefundKey(entry.counterparty, null, entry.changeDrops + entry.feeDrops);
    otherRefunds.set(key, (otherRefunds.get(key) ?? 0) + 1);
  }
}

/** XRP that leaves a deposit account otherwise than by a Payment of XRP and for its own fees: nothing published ever does. */
export function checkOtherOutflows({ account }: Inputs, progress: Progress, entries: readonly FeedEntry[]): void {
  for (const entry of entries) {
    const { hash, ledgerIndex } = entry;
    const leftDrops = -(entry.changeDrops + entry.feeDrops);
    if (leftDrops <= 0n || !isOfSale(progress, ledgerIndex)) continue;
    if (entry.kind === 'other' && typeof entry.sent?.delivered === 'string') continue;
    addDifference(progress.findings, {
      kind: 'unexplained_payment',
      subject: hash,
      ledger_index: ledgerIndex,
      found: hash,
      message: `${hash}: ${formatDrops(leftDrops)} XRP have left ${account.address} by a transaction that is no payment of XRP`,
    });
  }
}

/** Accounts that the terms name for operating may get back, in all, what they have paid in and is held: it is theirs. */
export function explainByOperating({ terms }: Inputs, { sale }: Progress, payments: readonly Unmatched[]): void {
  const operating = new Set([...terms.values()].flatMap((each) => each.terms.operating_accounts));
  const isOperating = ({ sender, destinationTag }: { sender: string; destinationTag: number | null }): boolean =>
    operating.has(sender) && (destinationTag === null || !sale.projects.has(destinationTag));
  const sentBack = new Set(payments.map(({ explainedBy }) => explainedBy));
  const paidIn = [...sale.held.values()].filter((each) => isOperating(each) && !sentBack.has(each.hash));
  let leftDrops = paidIn.reduce((sum, { receivedDrops }) => sum + receivedDrops, 0n);
  for (const payment of payments) {
    const { destination, delivered, explainedBy } = payment;
    if (explainedBy !== null || !operating.has(destination) || typeof delivered !== 'string') continue;
    const drops = BigInt(delivered);
    if (drops > leftDrops) continue;
    leftDrops -= drops;
    payment.explainedBy = destination;
  }
}
