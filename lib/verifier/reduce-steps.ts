import { reduceAll } from '@tranche/rules/reduce.ts';
import type { Effect, SaleEntry, SaleState } from '@tranche/rules/types.ts';
import type { TaggedPayment } from './expected.ts';
import type { SaleStep } from './sale-entries.ts';

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
