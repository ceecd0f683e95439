import { debtOf } from '@tranche/rules/custody.ts';
import type { FeedEntry, OtherEntry, SentPayment } from '@tranche/rules/feed-entry.ts';
import { checkPurpose, type PurposesPaid } from './check-custody.ts';
import { amountOwedBy, deliveredOf, type Paid, paymentKey, payoutKey } from './delivered.ts';
import { addDifference } from './findings.ts';
import type { Inputs, OtherSale } from './inputs.ts';
import type { Progress, VerificationWork } from './progress.ts';
import type { PublishedPayout } from './published.ts';
import { added, afterLedger, paidCursor, Rows } from './rows.ts';
import type { ParsedTerms } from './terms.ts';

/** Payments that stand for no payout of the sale: beyond this many they are not looked into. */
const MAX_UNMATCHED = 20_000;

type Sent = OtherEntry & { sent: SentPayment };
type PaidPayout = PublishedPayout & { ledger_index: number; transaction_hash: string };

const isSent = (entry: FeedEntry): entry is Sent => entry.kind === 'other' && entry.sent !== undefined;
const order = (a: [number, string], b: [number, string]): number =>
  a[0] - b[0] || (a[1] < b[1] ? -1 : Number(a[1] > b[1]));

/** `purpose` is that of the refund's ticket under custody, else null; what arrived otherwise than by a Payment has none. */
export const otherRefundKey = (
  destination: string,
  tag: number | null,
  drops: bigint,
  purpose: string | null = null,
): string => `${destination}/${tag}/${drops}/${purpose}`;

/** Whether an account of the sale can have paid something of the sale: its token, or XRP from the deposit account. */
export function isAssetOfSale(
  { account, delivered }: Pick<Paid, 'account' | 'delivered'>,
  { terms }: ParsedTerms,
): boolean {
  const { asset } = deliveredOf(delivered, terms.token);
  return asset !== 'other' && (asset !== 'xrp' || account === terms.deposit_address);
}

interface Input {
  account: string;
  inputs: Inputs;
  rows: Rows<PublishedPayout>;
  others: readonly OtherSaleRows[];
  progress: Progress;
  /** What the tickets of these entries' payments were for; null in a sale without custody. */
  purposes: PurposesPaid | null;
}

/**
 * Compares what an account has paid in whole ledgers up to `through` with the validated payouts that name these ledgers:
 * each must be there once, to the right account, in full, and no other sale's. What is left over is kept for later.
 */
export async function checkSent(input: Input, entries: readonly FeedEntry[], through: number): Promise<void> {
  const { rows, progress, purposes, inputs } = input;
  const elsewhere = await takeUpTo(input.others, through);
  rememberEscrows(input, entries, elsewhere);
  const sent = entries.filter(isSent).sort((a, b) => order([a.ledgerIndex, a.hash], [b.ledgerIndex, b.hash]));
  let last: PaidPayout | null = null;
  let next = 0;
  for (;;) {
    const row = (rows.here ?? (await rows.peek())) as PaidPayout | null;
    if (row === null || row.ledger_index > through) break;
    const key: [number, string] = [row.ledger_index, row.transaction_hash];
    for (
      let entry = sent[next];
      entry !== undefined && order([entry.ledgerIndex, entry.hash], key) < 0;
      entry = sent[next]
    ) {
      recordUnmatched(input, entry, elsewhere);
      next += 1;
    }
    rows.take();
    if (row.kind === 'lock') {
      for (const other of elsewhere.get(row.transaction_hash) ?? []) usedTwice(progress, row, other.row.id);
      continue;
    }
    progress.paidDigest = added(progress.paidDigest, progress.digestKey, row);
    progress.findings.counts.payouts_validated += 1;
    for (const other of elsewhere.get(row.transaction_hash) ?? []) usedTwice(progress, row, other.row.id);
    const entry = sent[next];
    if (entry !== undefined && entry.ledgerIndex === row.ledger_index && entry.hash === row.transaction_hash) {
      comparePaid(progress, row, entry.sent, inputs.target);
      if (purposes !== null)
        checkPurpose(inputs, progress, row, { ...entry, purpose: purposes.get(entry.hash) ?? null });
      next += 1;
    } else if (last !== null && last.transaction_hash === row.transaction_hash) {
      usedTwice(progress, row, last.id);
    } else {
      addDifference(progress.findings, {
        kind: 'payout_not_on_ledger',
        subject: row.id,
        ledger_index: row.ledger_index,
        found: row.transaction_hash,
        message: `${row.id}: is published as paid by ${row.transaction_hash}, and ledger ${row.ledger_index} holds no such successful payment of ${input.account}`,
      });
    }
    last = row;
  }
  for (const entry of sent.slice(next)) recordUnmatched(input, entry, elsewhere);
  rows.cursor = afterLedger(through);
}

/** A lock that was made a second time would be one of these. */
function rememberEscrows({ account, inputs, progress }: Input, entries: readonly FeedEntry[], named: PaidByOtherSales) {
  const { distributor, unsold_until: until, vesting_locked: isVestingLocked } = inputs.target.terms;
  if ((until === null && !isVestingLocked) || account !== distributor) return;
  for (const entry of entries) {
    const isOwn = entry.kind === 'other' && entry.transactionType === 'EscrowCreate' && entry.movedOtherwise === true;
    if (!isOwn || named.has(entry.hash)) continue;
    progress.ownEscrows.push({ hash: entry.hash, ledgerIndex: entry.ledgerIndex });
  }
}

const usedTwice = ({ findings }: Progress, row: PaidPayout, by: string): void =>
  addDifference(findings, {
    kind: 'transaction_used_twice',
    subject: row.id,
    ledger_index: row.ledger_index,
    found: row.transaction_hash,
    message: `${row.id}: names the transaction that ${by} was paid by`,
  });

function comparePaid({ findings }: Progress, row: PaidPayout, sent: SentPayment, terms: ParsedTerms): void {
  const about = { subject: row.id, ledger_index: row.ledger_index };
  if (sent.destination !== row.destination) {
    addDifference(findings, {
      ...about,
      kind: 'payout_misdirected',
      field: 'destination',
      expected: row.destination,
      found: sent.destination,
      message: `${row.id}: ${row.transaction_hash} paid ${sent.destination}, not ${row.destination}`,
    });
  }
  const { token } = terms.terms;
  const owed = amountOwedBy(row, token);
  const delivered = deliveredOf(sent.delivered, token);
  for (const [field, expected, found] of [
    ['destination_tag', row.destination_tag, sent.destinationTag],
    ['asset', owed.asset, delivered.asset],
    ['amount', owed.amount, delivered.amount],
  ] as const) {
    if (expected === found) continue;
    addDifference(findings, {
      ...about,
      kind: 'payout_paid_otherwise',
      field,
      expected: String(expected),
      found: String(found),
      message: `${row.id}: ${row.transaction_hash} has the ${field} ${found}, and the payout ${expected}`,
    });
  }
}

function recordUnmatched(
  { account, inputs, progress, purposes }: Input,
  { hash, ledgerIndex, sent }: Sent,
  elsewhere: PaidByOtherSales,
): void {
  const { destination, destinationTag, delivered } = sent;
  const purpose = purposes?.get(hash) ?? null;
  // A ticket for a debt tells whose payment it is, whatever the payment delivered.
  if (!isAssetOfSale({ account, delivered }, inputs.target) && (purpose === null || debtOf(purpose) === null)) return;
  const { asset, amount } = deliveredOf(delivered, inputs.target.terms.token);
  const isRefund = asset === 'xrp' && isOtherRefund(progress, { destination, tag: destinationTag, amount, purpose });
  if (isRefund || isPaidByOtherSale(elsewhere, hash, { account, destination, destinationTag, delivered })) return;
  if (progress.unmatched.length >= MAX_UNMATCHED) {
    const reason = `more than ${MAX_UNMATCHED} payments stand for no payout of this sale`;
    const { unchecked } = progress.findings;
    if (unchecked.some((each) => each.reason === reason)) return;
    unchecked.push({ account, from_ledger: ledgerIndex, through_ledger: progress.through, reason });
    return;
  }
  progress.unmatched.push({
    account,
    hash,
    ledgerIndex,
    destination,
    destinationTag,
    delivered,
    purpose,
    explainedBy: null,
    paidAlready: null,
    isSamePurpose: false,
    isInvestor: false,
  });
}

/** Takes the refund that the payment makes out of what is still to be refunded for others. */
function isOtherRefund(
  { otherRefunds }: Progress,
  {
    destination,
    tag,
    amount,
    purpose,
  }: { destination: string; tag: number | null; amount: bigint; purpose: string | null },
): boolean {
  const keys = [otherRefundKey(destination, tag, amount, purpose), otherRefundKey(destination, tag, amount)];
  const key = keys.find((each) => otherRefunds.has(each));
  if (key === undefined) return false;
  const open = otherRefunds.get(key) ?? 0;
  if (open > 1) otherRefunds.set(key, open - 1);
  else otherRefunds.delete(key);
  return true;
}

/** What another sale publishes as paid by an account, as the ledger shows it. */
export interface OtherSaleRows {
  sale: OtherSale;
  rows: Rows<PublishedPayout>;
}

/** Validated payouts of other sales by their transactions, of some ledgers. */
type PaidByOtherSales = ReadonlyMap<string, { row: PublishedPayout; sale: OtherSale }[]>;

/** Beside a history of `account` after a ledger: what the other sales say that the account has paid for them. */
export const openOthers = (
  { source, inputs, progress }: VerificationWork,
  account: string,
  ledger: number,
): OtherSaleRows[] =>
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
async function takeUpTo(others: readonly OtherSaleRows[], through: number): Promise<PaidByOtherSales> {
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

export const closeOthers = (others: readonly OtherSaleRows[]): Promise<unknown> =>
  Promise.all(others.map(({ rows }) => rows.close()));

/** Whether another sale names the payment for a payout that it pays exactly. */
const isPaidByOtherSale = (elsewhere: PaidByOtherSales, hash: string, paid: Paid): boolean =>
  (elsewhere.get(hash) ?? []).some(({ row, sale }) => paymentKey(paid, sale.token) === payoutKey(row, sale.token));
