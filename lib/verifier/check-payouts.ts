import { comparePayouts, endPayouts } from './compare-payouts.ts';
import { openRows } from './cursors.ts';
import { chained } from './digest.ts';
import { explainerOf } from './explain.ts';
import type { Inputs } from './inputs.ts';
import type { Progress } from './progress.ts';
import { stateOf } from './sale-state.ts';
import type { Work } from './work.ts';

/** Payments between two calls of `pageDone`. */
const PAGE_ROWS = 2_000;

/**
 * Whether what is owed for a payment can be told before the end of the feed: what is due at the end, or taken back after a
 * cancellation, cannot.
 */
export const mayCompareBeside = ({ target, project }: Inputs, progress: Progress): boolean =>
  target.terms.distribution === 'immediate' &&
  project.status !== 'cancelled' &&
  stateOf(target, progress).status !== 'cancelled';

/**
 * Compares every published payout with what the rules owe: the payments are read a second time, now that the end of the sale
 * is known, and what no payout stood for so far. True when all were compared.
 */
export async function checkPayouts(work: Work): Promise<boolean> {
  const { source, inputs, progress, pageDone } = work;
  const { target } = inputs;
  const final = stateOf(target, progress);
  const open = openRows(source, target.projectId, progress, (row) => {
    progress.paymentsReadAgain = chained(progress.paymentsReadAgain, row);
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
