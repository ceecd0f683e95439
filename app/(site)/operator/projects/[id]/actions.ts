'use server';

import { thenWake } from '#lib/jobs/heartbeat.ts';
import { releaseContract } from '#lib/payouts/release/contracts.ts';
import { releaseRaised } from '#lib/payouts/release/release-raised.ts';
import { actOnProjectContract } from '#lib/sales/actions/contracts.ts';
import { submitAction } from '#lib/sales/actions/submit-action.ts';
import { act, numberOf, type Outcome, textOf } from '../../act.ts';
import { rehearsedRelease } from './rehearsed-release.ts';

export async function actOnProject(_: Outcome, form: FormData): Promise<Outcome> {
  const given = {
    params: { id: textOf(form, 'id'), action: textOf(form, 'sale_action') },
    body: { reason: textOf(form, 'reason') },
  };
  return act(
    actOnProjectContract,
    given,
    (ctx, { params, body }) =>
      thenWake(ctx, submitAction(ctx, { projectId: params.id, action: params.action, reason: body.reason })),
    'The action is submitted. It takes effect when the ledger validates it, in a few seconds.',
  );
}

/** Rehearsed first: what is released then is exactly what the rehearsal showed. */
export async function release(_: Outcome, form: FormData): Promise<Outcome> {
  const amount = numberOf(form, 'amount_xrp');
  const isRehearsal = textOf(form, 'dry_run') === 'true';
  const given = {
    params: { id: textOf(form, 'id') },
    body: {
      reason: textOf(form, 'reason'),
      // One form, one release: sent twice, it releases once.
      release_id: textOf(form, 'release_id'),
      dry_run: isRehearsal,
      ...(amount === '' ? {} : { amount_xrp: amount }),
    },
  };
  return act(
    releaseContract,
    given,
    (ctx, { params, body }) => {
      const released = releaseRaised(ctx, {
        projectId: params.id,
        amountDrops: body.amount_xrp,
        releaseId: body.release_id,
        dryRun: body.dry_run,
        reason: body.reason,
      });
      return body.dry_run ? released : thenWake(ctx, released);
    },
    isRehearsal
      ? (answer) => rehearsedRelease(answer, 'Releases')
      : `The release is scheduled. See it among the payouts until it is validated.`,
  );
}
