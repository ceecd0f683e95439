'use server';

import { thenWake } from '#lib/jobs/heartbeat.ts';
import { actOnOwnProjectContract } from '#lib/sales/actions/contracts.ts';
import { submitAction } from '#lib/sales/actions/submit-action.ts';
import { actAt, type Outcome, textOf } from '../../../operator/act.ts';
import { OWNERS } from '../../act.ts';

export async function actOnSale(_: Outcome, form: FormData): Promise<Outcome> {
  const given = {
    params: { id: textOf(form, 'id'), action: textOf(form, 'sale_action') },
    body: { reason: textOf(form, 'reason') },
  };
  return actAt(
    OWNERS,
    actOnOwnProjectContract,
    given,
    (ctx, { params, body }) =>
      thenWake(ctx, submitAction(ctx, { projectId: params.id, action: params.action, reason: body.reason })),
    'The action is submitted. It takes effect when the ledger validates it, in a few seconds.',
  );
}
