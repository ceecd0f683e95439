'use server';

import { thenWake } from '#lib/jobs/heartbeat.ts';
import { actOnPayout } from '#lib/payouts/operate/act-on-payout.ts';
import { actOnPayoutContract, retryPayoutsContract } from '#lib/payouts/operate/contracts.ts';
import { retryPayouts } from '#lib/payouts/operate/retry-payouts.ts';
import { act, type Outcome, textOf } from '../act.ts';

const DONE: Record<string, string> = {
  retry: 'The next run checks it.',
  hold: 'The payout is on hold until an operator releases it.',
  release: 'The payout is released: the next run checks it.',
  settle: 'The payout is settled by that transaction.',
};

export async function actOn(_: Outcome, form: FormData): Promise<Outcome> {
  const action = textOf(form, 'action');
  const hash = textOf(form, 'transaction_hash');
  const given = {
    params: { id: textOf(form, 'id'), action },
    body: { reason: textOf(form, 'reason'), ...(hash === '' ? {} : { transaction_hash: hash }) },
  };
  return act(
    actOnPayoutContract,
    given,
    (ctx, { params, body }) => thenWake(ctx, actOnPayout(ctx, { ...params, ...body })),
    DONE[action] ?? 'Done.',
  );
}

/** For many at once: every waiting payout with a reason. */
export async function lookAgain(_: Outcome, form: FormData): Promise<Outcome> {
  const project = textOf(form, 'project_id');
  const body = {
    waiting_reason: textOf(form, 'waiting_reason'),
    reason: textOf(form, 'reason'),
    ...(project === '' ? {} : { project_id: project }),
  };
  return act(
    retryPayoutsContract,
    { body },
    (ctx, input) => thenWake(ctx, retryPayouts(ctx, input.body)),
    'The next run checks them.',
  );
}
