'use server';

import { askForOwnApprovalContract, withdrawOwnApprovalContract } from '#lib/sales/approvals/contracts.ts';
import { askForOwnApproval, withdrawOwnApproval } from '#lib/sales/approvals/own-approvals.ts';
import { actAt, numberOf, type Outcome, textOf } from '../../../operator/act.ts';
import { OWNERS } from '../../act.ts';

/** Asks for the launch, or for a release of an amount or of everything that is releasable. */
export async function ask(_: Outcome, form: FormData): Promise<Outcome> {
  const amount = numberOf(form, 'amount_xrp');
  const body = {
    action: textOf(form, 'approval_action'),
    reason: textOf(form, 'reason'),
    ...(amount === '' ? {} : { amount_xrp: amount }),
  };
  return actAt(
    OWNERS,
    askForOwnApprovalContract,
    { params: { id: textOf(form, 'id') }, body },
    (ctx, { params, body: { action, amount_xrp: amountDrops, reason } }) =>
      askForOwnApproval(ctx, { projectId: params.id, action, amountDrops, reason }),
    'It is asked for. An operator of the platform approves or refuses it; this page shows what they decide.',
  );
}

export async function withdraw(_: Outcome, form: FormData): Promise<Outcome> {
  return actAt(
    OWNERS,
    withdrawOwnApprovalContract,
    {
      params: { id: textOf(form, 'id'), approval_id: textOf(form, 'approval_id') },
      body: { reason: textOf(form, 'reason') },
    },
    (ctx, { params, body }) =>
      withdrawOwnApproval(ctx, { projectId: params.id, id: params.approval_id, reason: body.reason }),
    'The request is withdrawn.',
  );
}
