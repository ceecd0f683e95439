import { formatDrops } from '@tranche/rules/amounts.ts';
import type { ProjectState } from '@tranche/rules/types.ts';
import { checkPaymentPayouts } from './check-payment-payouts.ts';
import { afterPayment } from './cursors.ts';
import { added } from './digest.ts';
import type { Explainer } from './explain.ts';
import { addDifference, addFieldDifferences } from './findings.ts';
import type { Inputs } from './inputs.ts';
import { dropsOf } from './obligations.ts';
import type { Progress } from './progress.ts';
import type { PublishedPayment, PublishedPayout } from './published.ts';
import type { Rows } from './rows.ts';

/** Published payouts in the order of their payments, and what they are compared by. */
export interface PayoutStream {
  inputs: Inputs;
  progress: Progress;
  payouts: Rows<PublishedPayout>;
  /** Only where what nothing stands for is known by then. */
  explainer: Explainer | null;
}

type Decided = Pick<PublishedPayout, 'decided_ledger_index' | 'decided_transaction_index'>;

const isBefore = (row: Decided, ledger: number, transaction: number): boolean =>
  row.decided_ledger_index !== null &&
  (row.decided_ledger_index < ledger ||
    (row.decided_ledger_index === ledger && (row.decided_transaction_index ?? 0) < transaction));

const isAt = (row: Decided, ledger: number, transaction: number): boolean =>
  row.decided_ledger_index === ledger && row.decided_transaction_index === transaction;

/** Compares the payouts of the next payment with what the rules owe for it. */
export async function comparePayouts(
  stream: PayoutStream,
  payment: PublishedPayment,
  final: ProjectState,
): Promise<void> {
  const { ledger_index: ledger, transaction_index: transaction } = payment;
  await takeWhile(stream, (row) => isBefore(row, ledger, transaction), notOwed(stream));
  const own: PublishedPayout[] = [];
  await takeWhile(
    stream,
    (row) => isAt(row, ledger, transaction),
    (row) => own.push(row),
  );
  checkPaymentPayouts(stream.inputs, stream.progress, final, payment, own);
  stream.payouts.cursor = afterPayment(payment);
}

/** What is published beyond the last payment: releases, by id, and nothing else. */
export async function endPayouts(stream: PayoutStream, final: ProjectState): Promise<void> {
  await takeWhile(stream, (row) => row.kind !== 'release', notOwed(stream));
  let last = '';
  await takeWhile(
    stream,
    () => true,
    (row) => {
      checkRelease(stream, final, row, last);
      last = row.id;
    },
  );
}

async function takeWhile(
  { progress, payouts, explainer }: PayoutStream,
  belongs: (row: PublishedPayout) => boolean,
  use: (row: PublishedPayout) => void,
): Promise<void> {
  const { counts } = progress.payoutFindings;
  for (;;) {
    const row = payouts.here ?? (await payouts.peek());
    if (row === null || !belongs(row)) return;
    payouts.take();
    counts.payouts += 1;
    const isNew = explainer?.payout(row) ?? false;
    if (row.status === 'validated' && !isNew) progress.validatedDigest = added(progress.validatedDigest, row);
    if (row.status === 'owed') counts.payouts_owed += 1;
    if (row.status === 'cancelled') counts.payouts_cancelled += 1;
    use(row);
  }
}

const notOwed =
  ({ progress }: PayoutStream) =>
  (row: PublishedPayout): void =>
    addDifference(progress.payoutFindings, {
      kind: 'payout_extra',
      subject: row.id,
      ledger_index: row.decided_ledger_index,
      found: JSON.stringify(row),
      message: `${row.id}: is published, and no decided payment of the sale stands in its place`,
    });

/** Only what is validated by then has left the account: what is still to be released may be raised later. */
function checkRelease(
  { progress, inputs }: PayoutStream,
  final: ProjectState,
  row: PublishedPayout,
  last: string,
): void {
  if (row.id <= last) {
    addDifference(progress.payoutFindings, {
      kind: 'payout_extra',
      subject: row.id,
      found: JSON.stringify(row),
      message: `${row.id}: is published as a release after ${last}, and these come by id, each once`,
    });
  }
  const { terms } = inputs.target;
  addFieldDifferences<PublishedPayout>(
    progress.payoutFindings,
    { kind: 'payout_differs', subject: row.id },
    { account: terms.deposit_address, destination: terms.treasury ?? '', tokens: null },
    row,
  );
  if (row.status !== 'validated') return;
  const before = progress.releasedDrops;
  progress.releasedDrops += dropsOf(row.amount_xrp ?? '');
  if (progress.releasedDrops <= final.raisedDrops || before > final.raisedDrops) return;
  addDifference(progress.payoutFindings, {
    kind: 'released_too_much',
    subject: row.id,
    expected: formatDrops(final.raisedDrops),
    found: formatDrops(progress.releasedDrops),
    message: `${row.id}: with it ${formatDrops(progress.releasedDrops)} XRP are released, and the sale has raised ${formatDrops(final.raisedDrops)}`,
  });
}
