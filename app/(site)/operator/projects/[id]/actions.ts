'use server';

import { thenWake } from '#lib/jobs/heartbeat.ts';
import { releaseContract } from '#lib/payouts/release/contracts.ts';
import { releaseRaised } from '#lib/payouts/release/release-raised.ts';
import { submitAction } from '#lib/sales/actions/submit-action.ts';
import { actOnProjectContract } from '#lib/sales/projects/contracts.ts';
import { formatAmount } from '../../../_ui/format.ts';
import { act, numberOf, type Outcome, outcome, textOf } from '../../act.ts';

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

const xrp = (amount: string): string => `${formatAmount(amount)} XRP`;

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
      ? ({ amount_xrp, figures }) =>
          outcome('rehearsed', `Releases ${xrp(amount_xrp)} for good.`, {
            effects: [
              { name: 'To the treasury', value: figures.treasury ?? '' },
              { name: 'Releasable before it', value: xrp(figures.releasable_xrp) },
              { name: 'Released before', value: xrp(figures.released_xrp) },
              { name: 'Reserved in the deposit account', value: xrp(figures.deposit_account.floor_xrp) },
            ],
            carried: { amount_xrp },
          })
      : `The release is scheduled. See it among the payouts until it is validated.`,
  );
}
