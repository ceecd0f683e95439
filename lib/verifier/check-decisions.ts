import { otherRefundKey } from './check-sent.ts';
import { compareAllocation, comparePayment } from './compare-rows.ts';
import { expectedAllocations, expectedLate, expectedPayment, type TaggedPayment } from './expected.ts';
import { addDifference } from './findings.ts';
import type { Inputs } from './inputs.ts';
import type { Progress } from './progress.ts';
import type { AllocationRow, PublishedPayment } from './published.ts';
import type { Decision } from './reduce-steps.ts';
import type { Rows } from './rows.ts';

interface Published {
  payments: Rows<PublishedPayment>;
  allocations: Rows<AllocationRow>;
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
      if (decision.projectId !== target.projectId) {
        noteOtherRefund(progress, decision.payment as TaggedPayment, decision.refundedDrops);
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
    } else checkMove(inputs, progress, decision);
  }
}

function noteOtherRefund({ otherRefunds }: Progress, payment: TaggedPayment, drops: bigint): void {
  if (drops === 0n) return;
  const key = otherRefundKey(payment.sender, payment.sourceTag, drops);
  otherRefunds.set(key, (otherRefunds.get(key) ?? 0) + 1);
}

function checkMove({ target, anchors, assigns }: Inputs, progress: Progress, decision: Decision): void {
  if (decision.type === 'launched' && decision.projectId === target.projectId) {
    const { hash, ledgerIndex } = decision.move;
    progress.launch = { transaction_hash: hash, ledger_index: ledgerIndex, terms_hash: decision.move.termsHash ?? '' };
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
  if (decision.type !== 'moved' || decision.projectId !== target.projectId) return;
  const { move, hash, ledgerIndex, listHash, paymentHash } = decision.move;
  if (move === 'list') {
    progress.listMoves.push({ transaction_hash: hash, ledger_index: ledgerIndex, list_hash: listHash ?? '' });
  }
  if (move !== 'assign') return;
  progress.assignsSeen.add(hash);
  if (assigns.has(hash)) return;
  addDifference(progress.findings, {
    kind: 'exception_not_published',
    subject: hash,
    ledger_index: ledgerIndex,
    expected: paymentHash,
    message: `${hash}: credits the payment ${paymentHash} to the sale, and is not published as an exception`,
  });
}
