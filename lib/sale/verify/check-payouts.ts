import { formatDrops } from '#lib/platform/money.ts';
import type { PublishedPayout } from '../published/contracts.ts';
import type { ProjectState } from '../rules/types.ts';
import type { Work } from './check-feed.ts';
import { checkPaymentPayouts } from './check-payment-payouts.ts';
import { openRows } from './cursors.ts';
import { added } from './digest.ts';
import { addDifference, addFieldDifferences } from './findings.ts';
import { dropsOf } from './obligations.ts';
import type { Progress } from './progress.ts';
import type { Rows } from './rows.ts';

/** Payments between two calls of `pageDone`. */
const PAGE_ROWS = 2_000;

type Decided = Pick<PublishedPayout, 'decided_ledger_index' | 'decided_transaction_index'>;

const isBefore = (row: Decided, ledger: number, transaction: number): boolean =>
  row.decided_ledger_index !== null &&
  (row.decided_ledger_index < ledger ||
    (row.decided_ledger_index === ledger && (row.decided_transaction_index ?? 0) < transaction));

const isAt = (row: Decided, ledger: number, transaction: number): boolean =>
  row.decided_ledger_index === ledger && row.decided_transaction_index === transaction;

/**
 * Compares every published payout with what the rules owe: the payments are read a second time, now that the end of the sale
 * is known. True when all were compared.
 */
export async function checkPayouts({ source, inputs, progress, pageDone }: Work): Promise<boolean> {
  const { target } = inputs;
  const final = progress.sale.projects.get(target.terms.destination_tag);
  if (final === undefined) throw new Error(`${target.projectId} has no state`);
  const open = openRows(source, target.projectId, progress);
  const payments = open.payments(true);
  const payouts = open.payouts();
  try {
    for (let seen = 1; ; seen++) {
      const payment = await payments.peek();
      if (payment === null) break;
      const { ledger_index: ledger, transaction_index: transaction } = payment;
      await takeWhile(progress, payouts, (row) => isBefore(row, ledger, transaction), notOwed(progress));
      const own: PublishedPayout[] = [];
      await takeWhile(
        progress,
        payouts,
        (row) => isAt(row, ledger, transaction),
        (row) => own.push(row),
      );
      checkPaymentPayouts(inputs, progress, final, payment, own);
      payments.take();
      progress.cursors = { ...progress.cursors, payments: payments.cursor, payouts: payouts.cursor };
      if (seen % PAGE_ROWS === 0 && !(await pageDone())) return false;
    }
    await takeWhile(progress, payouts, (row) => row.kind !== 'release', notOwed(progress));
    await takeWhile(
      progress,
      payouts,
      () => true,
      (row) => checkRelease(progress, target.terms, final, row),
    );
    return true;
  } finally {
    await Promise.all([payments.close(), payouts.close()]);
  }
}

async function takeWhile(
  progress: Progress,
  payouts: Rows<PublishedPayout>,
  belongs: (row: PublishedPayout) => boolean,
  use: (row: PublishedPayout) => void,
): Promise<void> {
  for (let row = await payouts.peek(); row !== null && belongs(row); row = await payouts.peek()) {
    payouts.take();
    progress.findings.counts.payouts += 1;
    if (row.status === 'validated') progress.validatedDigest = added(progress.validatedDigest, row);
    if (row.status === 'owed') progress.findings.counts.payouts_owed += 1;
    if (row.status === 'cancelled') progress.findings.counts.payouts_cancelled += 1;
    use(row);
  }
}

const notOwed =
  ({ findings }: Progress) =>
  (row: PublishedPayout): void =>
    addDifference(findings, {
      kind: 'payout_extra',
      subject: row.id,
      ledger_index: row.decided_ledger_index,
      found: JSON.stringify(row),
      message: `${row.id}: is published, and no decided payment of the sale stands in its place`,
    });

function checkRelease(
  progress: Progress,
  terms: Work['inputs']['target']['terms'],
  final: ProjectState,
  row: PublishedPayout,
): void {
  addFieldDifferences<PublishedPayout>(
    progress.findings,
    { kind: 'payout_differs', subject: row.id },
    { account: terms.deposit_address, destination: terms.treasury ?? '', tokens: null },
    row,
  );
  if (row.status === 'cancelled') return;
  const before = progress.releasedDrops;
  progress.releasedDrops += dropsOf(row.amount_xrp ?? '');
  if (progress.releasedDrops <= final.raisedDrops || before > final.raisedDrops) return;
  addDifference(progress.findings, {
    kind: 'released_too_much',
    subject: row.id,
    expected: formatDrops(final.raisedDrops),
    found: formatDrops(progress.releasedDrops),
    message: `${row.id}: with it ${formatDrops(progress.releasedDrops)} XRP are released, and the sale has raised ${formatDrops(final.raisedDrops)}`,
  });
}
