import { formatDrops } from '#lib/platform/money.ts';
import type { PublishedPayment, PublishedPayout } from '../published/contracts.ts';
import type { ProjectState } from '../rules/types.ts';
import { addDifference, addFieldDifferences } from './findings.ts';
import type { Inputs } from './inputs.ts';
import { dropsOf, type Owed, owedBack, owedChange, owedTokens, unitsOf } from './obligations.ts';
import type { Progress } from './progress.ts';

/** Rows that an end or a cancellation makes are written by background work: by then they must be there. */
const ROWS_WITHIN_MS = 3_600_000;

const keyOf = ({ kind, part }: Pick<PublishedPayout, 'kind' | 'part'>): string => `${kind} ${part}`;

/** Compares the payouts of one payment, `rows`, with what the rules owe for it once the feed has been read to its end. */
export function checkPaymentPayouts(
  inputs: Inputs,
  progress: Progress,
  final: ProjectState,
  payment: PublishedPayment,
  rows: readonly PublishedPayout[],
): void {
  const { target } = inputs;
  const published = new Map(rows.map((row) => [keyOf(row), row]));
  const isLate = final.endedAtMs !== null && progress.asOfClosedAtMs > final.endedAtMs + ROWS_WITHIN_MS;
  const expect = (owed: Owed, mayBeLate: boolean): PublishedPayout | null =>
    take(inputs, progress, published, owed, { subject: payment, mayBeLate: mayBeLate && !isLate });

  const parts = owedTokens(payment, target, final).map((owed) => expect(owed, target.terms.distribution === 'at_end'));
  const change = owedChange(payment, target);
  if (change !== null) expect(change, false);
  let heldDrops = dropsOf(payment.held_xrp);
  const cancelled = parts.filter((row) => row?.status === 'cancelled');
  if (final.status === 'cancelled' && dropsOf(payment.invested_xrp) > 0n) {
    const distributed = parts.reduce(
      (sum, row) => (row === null || row.status === 'cancelled' ? sum : sum + unitsOf(row.tokens ?? '', target)),
      0n,
    );
    const unwound = cancelled.length > 0 || published.has('refund 2');
    // Before it is unwound nobody knows which parts are paid yet.
    if (unwound || isLate) {
      const back = owedBack(payment, target, final, distributed);
      if (back.owed !== null) expect(back.owed, false);
      heldDrops += back.heldDrops;
    } else progress.findings.counts.payouts_to_come += 1;
  } else {
    for (const row of cancelled) if (row !== null) notCancelled(progress, row);
  }
  checkFurther(inputs, progress, payment, [...published.values()], heldDrops);
}

/** Takes the row of an owed payout out of `published` and compares it; null when there is none. */
function take(
  { target }: Inputs,
  { findings }: Progress,
  published: Map<string, PublishedPayout>,
  owed: Owed,
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

const notCancelled = ({ findings }: Progress, row: PublishedPayout): void =>
  addDifference(findings, {
    kind: 'payout_differs',
    subject: row.id,
    ledger_index: row.decided_ledger_index,
    field: 'status',
    expected: 'owed',
    found: row.status,
    message: `${row.id}: is published as cancelled, and the sale is not cancelled`,
  });

/** What is left is an operator's refund of what was held, published as an exception, or nothing that is owed. */
function checkFurther(
  { target, operatorRefunds }: Inputs,
  { findings }: Progress,
  payment: PublishedPayment,
  rows: readonly PublishedPayout[],
  heldDrops: bigint,
): void {
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
    left -= drops;
    addFieldDifferences<PublishedPayout>(
      findings,
      { ...about, kind: 'payout_differs' },
      {
        account: target.terms.deposit_address,
        destination: payment.sender,
        destination_tag: payment.source_tag,
        tokens: null,
      },
      row,
    );
    if (operatorRefunds.has(row.id)) continue;
    addDifference(findings, {
      ...about,
      kind: 'exception_not_published',
      expected: row.id,
      message: `${row.id}: gives back what was held of ${payment.transaction_hash}, and is not published as an exception`,
    });
  }
}
