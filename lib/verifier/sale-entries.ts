import type { FeedEntry } from '@tranche/rules/feed-entry.ts';
import { decodeMove } from '@tranche/rules/move-memo.ts';
import type { SaleMove } from '@tranche/rules/types.ts';
import type { TaggedPayment } from './expected.ts';
import { addDifference } from './findings.ts';
import type { Inputs } from './inputs.ts';
import type { Progress } from './progress.ts';

/** A payment or a move that counts; `late` is one that turned up after its ledger was decided. */
export type SaleStep = { entry: TaggedPayment | SaleMove; late: boolean };

/**
 * What the feed's entries are to the sale, in their order. A launch that anchors other terms than the published ones is a
 * difference; it counts all the same when the platform names it as the launch.
 */
export function saleSteps(inputs: Inputs, progress: Progress, entries: readonly FeedEntry[]): SaleStep[] {
  return entries.flatMap((entry): SaleStep[] => {
    if (entry.kind === 'payment') {
      const { deliveredDrops, ...rest } = entry;
      return [{ entry: { ...rest, receivedDrops: deliveredDrops }, late: inputs.latePayments.has(entry.hash) }];
    }
    const move = entry.kind === 'self' ? decodeMove(entry) : null;
    if (move === null || !inputs.terms.has(move.projectId) || inputs.lateMoves.has(move.hash)) return [];
    if (isSpent(inputs, progress, move)) return [];
    return [{ entry: move.move === 'launch' ? anchored(inputs, progress, move) : move, late: false }];
  });
}

/**
 * An operator has sent back what was held of the payment, and it was never assigned before: there is nothing to assign.
 * What has been published decides, so that where a page of the feed ends makes no difference.
 */
function isSpent(
  { givenBack, assignedPayments, target }: Inputs,
  { spentPayments }: Progress,
  { move, paymentHash, projectId }: SaleMove,
): boolean {
  if (move !== 'assign' || paymentHash === null) return false;
  if (!givenBack.has(paymentHash) || assignedPayments.has(paymentHash)) return false;
  if (projectId === target.projectId) spentPayments.push(paymentHash);
  return true;
}

function anchored(inputs: Inputs, { findings }: Progress, move: SaleMove): SaleMove {
  const { projectId, hash, termsHash, ledgerIndex } = move;
  const published = inputs.terms.get(projectId)?.hash ?? null;
  if (termsHash === published || inputs.anchors.get(projectId)?.transaction_hash !== hash) return move;
  addDifference(findings, {
    kind: 'terms_differ',
    subject: projectId,
    ledger_index: ledgerIndex,
    field: 'terms_hash',
    expected: termsHash,
    found: published,
    message: `${projectId}: the launch anchors terms with the hash ${termsHash}, and the published ones have ${published}`,
  });
  return { ...move, termsHash: published };
}
