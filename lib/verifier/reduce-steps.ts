import { decodeAction } from '@tranche/rules/action-memo.ts';
import type { FeedEntry } from '@tranche/rules/feed-entry.ts';
import { reduceAll } from '@tranche/rules/reduce.ts';
import type { Effect, SaleAction, SaleEntry, SaleState } from '@tranche/rules/types.ts';
import type { TaggedPayment } from './expected.ts';
import { addDifference } from './findings.ts';
import type { Inputs } from './inputs.ts';
import type { Progress } from './progress.ts';

/** What the reducer decides, or a payment that is held because it turned up late. */
export type Decision = Effect | { type: 'late'; payment: TaggedPayment };

/** Runs the steps through the rule book, late payments held in their places. Pure. */
export function reduceSteps(
  state: SaleState,
  steps: readonly SaleStep[],
  closedAtMs: number | null,
): { state: SaleState; decisions: Decision[] } {
  const decisions: Decision[] = [];
  let current = state;
  let run: SaleEntry[] = [];
  const reduceRun = (): void => {
    if (run.length === 0) return;
    const reduced = reduceAll(current, run);
    current = reduced.state;
    for (const effect of reduced.effects) decisions.push(effect);
    run = [];
  };
  for (const { entry, late } of steps) {
    if (!late || entry.kind !== 'payment') {
      run.push(entry);
      continue;
    }
    // By its time alone it still ends a sale.
    run.push({ kind: 'close', closedAtMs: entry.closedAtMs });
    reduceRun();
    current = { ...current, held: new Map(current.held).set(entry.hash, entry) };
    decisions.push({ type: 'late', payment: entry });
  }
  if (closedAtMs !== null) run.push({ kind: 'close', closedAtMs });
  reduceRun();
  return { state: current, decisions };
}

/** A payment or an action that counts; `late` is one that turned up after its ledger was decided. */
export type SaleStep = { entry: TaggedPayment | SaleAction; late: boolean };

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
    const action = entry.kind === 'self' ? decodeAction(entry) : null;
    if (action === null || !inputs.terms.has(action.projectId) || inputs.lateActions.has(action.hash)) return [];
    if (isSpent(inputs, progress, action)) return [];
    return [{ entry: action.action === 'launch' ? anchored(inputs, progress, action) : action, late: false }];
  });
}

/**
 * An operator has sent back what was held of the payment, and it was never assigned before: there is nothing to assign.
 * What has been published decides, so that where a page of the feed ends makes no difference.
 */
function isSpent(
  { refundedByOperators, assignedPayments, target }: Inputs,
  { spentPayments }: Progress,
  { action, paymentHash, projectId }: SaleAction,
): boolean {
  if (action !== 'assign' || paymentHash === null) return false;
  if (!refundedByOperators.has(paymentHash) || assignedPayments.has(paymentHash)) return false;
  if (projectId === target.projectId) spentPayments.push(paymentHash);
  return true;
}

function anchored(inputs: Inputs, { findings }: Progress, action: SaleAction): SaleAction {
  const { projectId, hash, termsHash, ledgerIndex } = action;
  const published = inputs.terms.get(projectId)?.hash ?? null;
  if (termsHash === published || inputs.anchors.get(projectId)?.transaction_hash !== hash) return action;
  addDifference(findings, {
    kind: 'terms_differ',
    subject: projectId,
    ledger_index: ledgerIndex,
    field: 'terms_hash',
    expected: termsHash,
    found: published,
    message: `${projectId}: the launch anchors terms with the hash ${termsHash}, and the published ones have ${published}`,
  });
  return { ...action, termsHash: published };
}
