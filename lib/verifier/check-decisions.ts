import { purposeId } from '@tranche/rules/custody.ts';
import { otherRefundKey } from './check-sent.ts';
import {
  type ExpectedAllocation,
  expectedAllocations,
  expectedLate,
  expectedPayment,
  type TaggedPayment,
} from './expected.ts';
import { addDifference, addFieldDifferences, type Findings } from './findings.ts';
import type { Inputs } from './inputs.ts';
import type { Progress } from './progress.ts';
import type { PublishedAllocation, PublishedPayment } from './published.ts';
import type { Decision } from './reduce-steps.ts';
import type { Rows } from './rows.ts';

interface Published {
  payments: Rows<PublishedPayment>;
  allocations: Rows<PublishedAllocation>;
}

/** Compares what the reducer decided, in its order, with what is published of the sale. */
export async function checkDecisions(
  inputs: Inputs,
  progress: Progress,
  published: Published,
  decisions: readonly Decision[],
): Promise<void> {
  const { target } = inputs;
  const { findings } = progress;
  for (const decision of decisions) {
    if (decision.type === 'late') {
      if (decision.payment.destinationTag !== target.terms.destination_tag) continue;
      await comparePayment(published.payments, expectedLate(decision.payment, target), findings);
    } else if (decision.type === 'invested' || decision.type === 'refused') {
      if (target.terms.custody !== undefined && decision.type === 'invested' && decision.assignedBy !== null) {
        const { hash, ledgerIndex, transactionIndex } = decision.payment;
        const by = decision.assignedBy.hash;
        progress.custody.assigned.set(hash, { payment: { ledgerIndex, transactionIndex }, by });
      }
      if (decision.projectId !== target.projectId) {
        recordOtherRefund(inputs, progress, decision.payment as TaggedPayment, decision.refundedDrops);
        continue;
      }
      findings.counts.payments += 1;
      const payment = expectedPayment(decision, target);
      await comparePayment(published.payments, payment, findings);
      if (decision.type === 'refused') continue;
      for (const row of expectedAllocations(decision, payment, target)) {
        findings.counts.allocations += 1;
        await compareAllocation(published.allocations, row, findings);
      }
    } else checkAction(inputs, progress, decision);
  }
}

function recordOtherRefund(
  { target }: Inputs,
  { otherRefunds }: Progress,
  payment: TaggedPayment,
  drops: bigint,
): void {
  if (drops === 0n) return;
  const purpose = target.terms.custody === undefined ? null : purposeId({ kind: 'refund', payment, part: 1 });
  const key = otherRefundKey(payment.sender, payment.sourceTag, drops, purpose);
  otherRefunds.set(key, (otherRefunds.get(key) ?? 0) + 1);
}

function checkAction({ target, anchors, assigns }: Inputs, progress: Progress, decision: Decision): void {
  if (decision.type === 'launched' && decision.projectId === target.projectId) {
    const { hash, ledgerIndex } = decision.action;
    progress.launch = {
      transaction_hash: hash,
      ledger_index: ledgerIndex,
      terms_hash: decision.action.termsHash ?? '',
    };
    const said = anchors.get(target.projectId)?.transaction_hash ?? null;
    if (said === hash) return;
    addDifference(progress.findings, {
      kind: 'anchor_differs',
      subject: target.projectId,
      ledger_index: ledgerIndex,
      expected: hash,
      found: said,
      message: `${target.projectId}: the sale was launched by ${hash}, and ${said} is published as its anchor`,
    });
  }
  if (decision.type !== 'action_applied' || decision.projectId !== target.projectId) return;
  const { action, hash, ledgerIndex, listHash, paymentHash } = decision.action;
  if (action === 'list') {
    progress.listActions.push({ transaction_hash: hash, ledger_index: ledgerIndex, list_hash: listHash ?? '' });
  }
  if (action !== 'assign') return;
  progress.assignsFound.add(hash);
  if (assigns.has(hash)) return;
  addDifference(progress.findings, {
    kind: 'exception_not_published',
    subject: hash,
    ledger_index: ledgerIndex,
    expected: paymentHash,
    message: `${hash}: credits the payment ${paymentHash} to the sale, and is not published as an exception`,
  });
}

/** A row's place: compared number by number. */
type Position = readonly number[];

const comparePositions = (a: Position, b: Position): number => {
  for (const [index, number] of a.entries()) {
    const difference = number - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};

const named = {
  payment: {
    positionOf: (row: PublishedPayment): Position => [row.ledger_index, row.transaction_index],
    nameOf: (row: PublishedPayment): string => row.transaction_hash,
  },
  allocation: {
    positionOf: (row: ExpectedAllocation): Position => [row.ledger_index, row.transaction_index, row.tier],
    nameOf: (row: ExpectedAllocation): string => `${row.transaction_hash} tier ${row.tier}`,
  },
};

interface Kind<Row> {
  positionOf: (row: Row) => Position;
  nameOf: (row: Row) => string;
}

/** Rows that stand before `place` (null: all that are left) are of nothing that the ledger holds. */
async function dropExtra<Row extends { ledger_index: number }>(
  name: keyof typeof named,
  { positionOf, nameOf }: Kind<Row>,
  rows: Rows<Row>,
  at: Position | null,
  findings: Findings,
): Promise<Row | null> {
  for (;;) {
    const row = rows.here ?? (await rows.peek());
    if (row === null || (at !== null && comparePositions(positionOf(row), at) >= 0)) return row;
    rows.take();
    addDifference(findings, {
      kind: `${name}_extra`,
      subject: nameOf(row),
      ledger_index: row.ledger_index,
      found: JSON.stringify(row),
      message: `${nameOf(row)}: is published, and does not follow from the ledger`,
    });
  }
}

/** Compares what is expected with the next published row, and returns that; null when it is not there. */
async function compare<Expected extends { ledger_index: number }, Row extends Expected>(
  name: keyof typeof named,
  kind: Kind<Expected>,
  rows: Rows<Row>,
  expected: Expected,
  findings: Findings,
): Promise<Row | null> {
  const published = await dropExtra(name, kind, rows, kind.positionOf(expected), findings);
  const subject = kind.nameOf(expected);
  const about = { subject, ledger_index: expected.ledger_index };
  if (published === null || comparePositions(kind.positionOf(published), kind.positionOf(expected)) !== 0) {
    addDifference(findings, {
      ...about,
      kind: `${name}_missing`,
      expected: JSON.stringify(expected),
      message: `${subject}: follows from the ledger, and is not published`,
    });
    return null;
  }
  rows.take();
  addFieldDifferences<Expected>(findings, { ...about, kind: `${name}_differs` }, expected, published);
  return published;
}

/** Compares one decision with the next published one; both come in feed order. */
const comparePayment = (rows: Rows<PublishedPayment>, expected: PublishedPayment, findings: Findings) =>
  compare('payment', named.payment, rows, expected, findings);

/** The same of one allocation, which is confirmed when it is decided or later. */
async function compareAllocation(
  rows: Rows<PublishedAllocation>,
  expected: ExpectedAllocation,
  findings: Findings,
): Promise<void> {
  const published = await compare('allocation', named.allocation, rows, expected, findings);
  if (published === null) return;
  const { confirmed_at: found } = published;
  if (Date.parse(found) >= Date.parse(expected.decided_at)) return;
  const subject = named.allocation.nameOf(expected);
  addDifference(findings, {
    kind: 'allocation_differs',
    subject,
    ledger_index: expected.ledger_index,
    field: 'confirmed_at',
    expected: `${expected.decided_at} or later`,
    found,
    message: `${subject}: confirmed_at must be ${expected.decided_at} or later, and is published as ${found}`,
  });
}

/** What is published beyond the last decision. */
export async function endComparison(
  payments: Rows<PublishedPayment>,
  allocations: Rows<PublishedAllocation>,
  findings: Findings,
): Promise<void> {
  await dropExtra('payment', named.payment, payments, null, findings);
  await dropExtra('allocation', named.allocation, allocations, null, findings);
}
