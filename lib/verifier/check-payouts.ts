import { formatDrops } from '@tranche/rules/amounts.ts';
import { derivedId } from '@tranche/rules/ids.ts';
import type { ProjectState } from '@tranche/rules/types.ts';
import { type Explainer, explainerOf } from './explain.ts';
import { addDifference, addFieldDifferences, type Findings } from './findings.ts';
import type { Inputs } from './inputs.ts';
import {
  addDueTokens,
  cancellationObligation,
  changeObligation,
  dropsOf,
  lockObligations,
  type Obligation,
  tokenObligations,
  unitsOf,
} from './obligations.ts';
import { type Progress, stateOf, type VerificationWork } from './progress.ts';
import type { PublishedPayment, PublishedPayout } from './published.ts';
import { added, afterPayment, hashChained, openRows, type Rows } from './rows.ts';

/** Payments between two calls of `pageDone`. */
const PAGE_ROWS = 2_000;

/**
 * Whether what is owed for a payment can be told before the end of the feed: what is due at the end, or taken back after a
 * cancellation, cannot.
 */
export const mayCompareEarly = ({ target, project }: Inputs, progress: Progress): boolean =>
  target.terms.distribution === 'immediate' &&
  project.status !== 'cancelled' &&
  stateOf(target, progress).status !== 'cancelled';

/**
 * Compares every published payout with what the rules owe: the payments are read a second time, now that the end of the sale
 * is known, and what no payout stood for so far. True when all were compared.
 */
export async function checkPayouts(work: VerificationWork): Promise<boolean> {
  const { source, inputs, progress, pageDone } = work;
  const { target } = inputs;
  const final = stateOf(target, progress);
  const open = openRows(source, target.projectId, progress, (row) => {
    progress.paymentsReadAgain = hashChained(progress.paymentsReadAgain, row);
  });
  const payments = open.payments();
  const payouts = open.payouts();
  const explainer = explainerOf(work);
  const stream = { inputs, progress, payouts, explainer };
  try {
    for (let seen = 1; ; seen++) {
      const payment = await payments.peek();
      if (payment === null) break;
      explainer.payment(payment);
      await comparePayouts(stream, payment, final);
      payments.take();
      progress.cursors = { ...progress.cursors, payments: payments.cursor, payouts: payouts.cursor };
      if (seen % PAGE_ROWS === 0 && !(await pageDone())) return false;
    }
    await endPayouts(stream, final);
    return true;
  } finally {
    await Promise.all([payments.close(), payouts.close()]);
  }
}

/** Published payouts in the order of their payments, and what they are compared by. */
interface PayoutStream {
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
  await takeWhile(stream, (row) => isBefore(row, ledger, transaction), notDue(stream));
  const own: PublishedPayout[] = [];
  await takeWhile(
    stream,
    (row) => isAt(row, ledger, transaction),
    (row) => own.push(row),
  );
  checkPaymentPayouts(stream.inputs, stream.progress, final, payment, own);
  stream.payouts.cursor = afterPayment(payment);
}

/** What is published beyond the last payment: locks, then releases, each by id, and nothing else. */
export async function endPayouts(stream: PayoutStream, final: ProjectState): Promise<void> {
  await takeWhile(stream, (row) => !followsNoPayment(row), notDue(stream));
  let last: PublishedPayout | null = null;
  await takeWhile(
    stream,
    () => true,
    (row) => {
      inOrder(stream, row, last);
      last = row;
      if (row.kind === 'lock') stream.progress.lockRows.push(row);
      else checkRelease(stream, final, row);
    },
  );
  checkLockRows(stream, final);
}

const followsNoPayment = ({ kind }: PublishedPayout): boolean => kind === 'release' || kind === 'lock';

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
    // A lock is looked up by its transaction, not among the payments of its account.
    if (row.status === 'validated' && !isNew && row.kind !== 'lock')
      progress.validatedDigest = added(progress.validatedDigest, progress.digestKey, row);
    if (row.status === 'owed') counts.payouts_owed += 1;
    if (row.status === 'cancelled') counts.payouts_cancelled += 1;
    use(row);
  }
}

const notDue =
  ({ progress }: PayoutStream) =>
  (row: PublishedPayout): void =>
    addDifference(progress.payoutFindings, {
      kind: 'payout_extra',
      subject: row.id,
      ledger_index: row.decided_ledger_index,
      found: JSON.stringify(row),
      message: `${row.id}: is published, and no decided payment of the sale stands in its place`,
    });

function inOrder({ progress }: PayoutStream, row: PublishedPayout, last: PublishedPayout | null): void {
  if (last === null || row.kind > last.kind || (row.kind === last.kind && row.id > last.id)) return;
  addDifference(progress.payoutFindings, {
    kind: 'payout_extra',
    subject: row.id,
    found: JSON.stringify(row),
    message: `${row.id}: is published as a ${row.kind} after ${last.id}, and these come by kind and id, each once`,
  });
}

/** Compares the published locks with those that the sale's end makes the distributor owe. */
function checkLockRows({ inputs, progress }: PayoutStream, final: ProjectState): void {
  const { target } = inputs;
  const { payoutFindings: findings, lockRows, asOfClosedAtMs } = progress;
  const owed = lockObligations(target, final, progress.dueOnDays).map((lock) => lock.owed);
  const own = new Map(owed.map(({ id }) => [id, lockRows.find((row) => row.id === id)]));
  const isOneThere = [...own.values()].some((row) => row !== undefined);
  for (const row of lockRows) {
    if (own.get(row.id) === row) continue;
    const isTwice = isOneThere && row.status === 'validated';
    addDifference(findings, {
      kind: isTwice ? 'payout_paid_twice' : 'payout_extra',
      subject: row.id,
      ledger_index: row.ledger_index,
      found: JSON.stringify(row),
      message: isTwice
        ? `${row.id}: locks tokens of ${target.projectId} again: it is none of the ${owed.length} locks that are owed`
        : `${row.id}: is published as a lock, and ${target.projectId} does not owe it`,
    });
  }
  for (const lock of owed) {
    const row = own.get(lock.id);
    if (row !== undefined) {
      const expected = { ...lock, investment_id: null, payment_hash: null };
      addFieldDifferences<PublishedPayout>(findings, { kind: 'payout_differs', subject: row.id }, expected, row);
      if (row.status === 'cancelled') notCancelled(findings, row, 'no lock ever is');
    } else if (asOfClosedAtMs <= (final.endedAtMs ?? 0) + ROWS_WITHIN_MS) findings.counts.payouts_to_come += 1;
    else {
      addDifference(findings, {
        kind: 'payout_missing',
        subject: lock.id,
        expected: JSON.stringify(lock),
        message: `the lock ${lock.part} (${lock.id}) is owed by ${target.projectId}, and is not published`,
      });
    }
  }
}

/** Only what is validated by then has left the account: what is still to be released may be raised later. */
function checkRelease({ progress, inputs }: PayoutStream, final: ProjectState, row: PublishedPayout): void {
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

/** Rows that an end or a cancellation makes are written by background work: by then they must be there. */
const ROWS_WITHIN_MS = 3_600_000;

const keyOf = ({ kind, part }: Pick<PublishedPayout, 'kind' | 'part'>): string => `${kind} ${part}`;

/**
 * Compares the payouts of one payment, `rows`, with what the rules owe for it. `final` is the sale as the feed's end leaves
 * it; before that end only what `mayCompareEarly` allows can be told.
 */
function checkPaymentPayouts(
  inputs: Inputs,
  progress: Progress,
  final: ProjectState,
  payment: PublishedPayment,
  rows: readonly PublishedPayout[],
): void {
  const { target } = inputs;
  const { payoutFindings: findings, asOfClosedAtMs } = progress;
  const published = onceEach(findings, payment, rows);
  const isLate = final.endedAtMs !== null && asOfClosedAtMs > final.endedAtMs + ROWS_WITHIN_MS;
  const expect = (owed: Obligation, mayBeLate: boolean): PublishedPayout | null =>
    take(inputs, findings, published, owed, { subject: payment, mayBeLate: mayBeLate && !isLate });

  const owedTokens = tokenObligations(payment, target, final);
  if (target.terms.vesting_locked) addDueTokens(progress.dueOnDays, owedTokens, target);
  const parts = owedTokens.map((owed) => expect(owed, target.terms.distribution === 'at_end'));
  const change = changeObligation(payment, target);
  if (change !== null) expect(change, false);
  let heldDrops = dropsOf(payment.held_xrp);
  const cancelled = parts.filter((row) => row?.status === 'cancelled');
  if (final.status === 'cancelled' && dropsOf(payment.invested_xrp) > 0n) {
    const distributed = parts.reduce(
      (sum, row) => (row === null || row.status === 'cancelled' ? sum : sum + unitsOf(row.tokens ?? '', target)),
      0n,
    );
    const isCancelled = cancelled.length > 0 || published.has('refund 2');
    const isDistributed = parts.every((row) => row?.status === 'validated');
    // Which parts are paid is known only once it is refunded, or when all of them are.
    if (isCancelled || isDistributed || isLate) {
      const back = cancellationObligation(payment, target, final, distributed);
      if (back.owed !== null) expect(back.owed, !isCancelled);
      heldDrops += back.heldDrops;
    } else findings.counts.payouts_to_come += 1;
  } else {
    for (const row of cancelled) if (row !== null) notCancelled(findings, row, 'the sale is not cancelled');
  }
  for (const row of rows) {
    if (row.kind === 'refund' && row.status === 'cancelled') notCancelled(findings, row, 'no refund ever is');
  }
  // Held by the refund of a cancelled sale that is still to come: the exception is of a later ledger.
  if (heldDrops === 0n && final.status !== 'completed') progress.publishedRefunds.delete(payment.transaction_hash);
  checkFurther(inputs, progress, payment, [...published.values()], heldDrops);
}

/** The rows by kind and part; of two that are the same, one is owed by nothing. */
function onceEach(
  findings: Findings,
  payment: PublishedPayment,
  rows: readonly PublishedPayout[],
): Map<string, PublishedPayout> {
  const published = new Map<string, PublishedPayout>();
  for (const row of rows) {
    const key = keyOf(row);
    if (published.has(key)) {
      addDifference(findings, {
        kind: 'payout_extra',
        subject: row.id,
        ledger_index: payment.ledger_index,
        found: JSON.stringify(row),
        message: `${row.id}: is published as the ${key} of ${payment.transaction_hash}, which is published already`,
      });
    } else published.set(key, row);
  }
  return published;
}

/** Takes the row of an owed payout out of `published` and compares it; null when there is none. */
function take(
  { target }: Inputs,
  findings: Findings,
  published: Map<string, PublishedPayout>,
  owed: Obligation,
  { subject, mayBeLate }: { subject: PublishedPayment; mayBeLate: boolean },
): PublishedPayout | null {
  const row = published.get(keyOf(owed));
  const name = `${owed.kind} ${owed.part} of ${subject.transaction_hash}`;
  if (row === undefined) {
    if (mayBeLate) findings.counts.payouts_to_come += 1;
    else {
      addDifference(findings, {
        kind: 'payout_missing',
        subject: owed.id,
        ledger_index: subject.ledger_index,
        expected: JSON.stringify(owed),
        message: `${name} (${owed.id}) is owed by ${target.projectId}, and is not published`,
      });
    }
    return null;
  }
  published.delete(keyOf(owed));
  addFieldDifferences<PublishedPayout>(
    findings,
    { kind: 'payout_differs', subject: row.id, ledger_index: subject.ledger_index },
    { ...owed, investment_id: subject.investment_id, payment_hash: subject.transaction_hash },
    row,
  );
  return row;
}

const notCancelled = (findings: Findings, row: PublishedPayout, why: string): void =>
  addDifference(findings, {
    kind: 'payout_differs',
    subject: row.id,
    ledger_index: row.decided_ledger_index,
    field: 'status',
    expected: 'owed',
    found: row.status,
    message: `${row.id}: is published as cancelled, and ${why}`,
  });

/** What is left is an operator's refund of all that was held, which must be an exception, or nothing that is owed. */
function checkFurther(
  { target }: Inputs,
  progress: Progress,
  payment: PublishedPayment,
  rows: readonly PublishedPayout[],
  heldDrops: bigint,
): void {
  const { payoutFindings: findings, refundsFound } = progress;
  let left = heldDrops;
  for (const row of rows) {
    const about = { subject: row.id, ledger_index: payment.ledger_index };
    const drops = dropsOf(row.amount_xrp ?? '');
    if (row.kind !== 'refund' || drops > left) {
      addDifference(findings, {
        ...about,
        kind: 'payout_extra',
        found: JSON.stringify(row),
        message: `${row.id}: is published, and ${payment.transaction_hash} is not owed it (held: ${formatDrops(left)} XRP)`,
      });
      continue;
    }
    const all = formatDrops(left);
    left -= drops;
    addFieldDifferences<PublishedPayout>(
      findings,
      { ...about, kind: 'payout_differs' },
      {
        id: derivedId('pay', 'refund', payment.transaction_hash, String(row.part)),
        payment_hash: payment.transaction_hash,
        account: target.terms.deposit_address,
        destination: payment.sender,
        destination_tag: payment.source_tag,
        amount_xrp: all,
        tokens: null,
      },
      row,
    );
    refundsFound.set(row.id, payment.transaction_hash);
  }
  progress.heldDrops += left;
}
