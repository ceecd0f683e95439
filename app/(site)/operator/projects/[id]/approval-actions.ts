'use server';

import { thenWake } from '#lib/jobs/heartbeat.ts';
import { releaseContract } from '#lib/payouts/release/contracts.ts';
import { releaseRaised } from '#lib/payouts/release/release-raised.ts';
import { askForApproval } from '#lib/sales/approvals/ask-for-approval.ts';
import { askForApprovalContract, decideApprovalContract } from '#lib/sales/approvals/contracts.ts';
import { approve, refuse, withdraw } from '#lib/sales/approvals/decide-approval.ts';
import { act, numberOf, type Outcome, textOf } from '../../act.ts';
import { rehearsedRelease } from './rehearsed-release.ts';

const ASKED = 'It is asked for. Another operator sees it under “Needs attention”, and approves or refuses it.';

export async function askToLaunch(_: Outcome, form: FormData): Promise<Outcome> {
  return ask({ project_id: textOf(form, 'id'), action: 'launch', reason: textOf(form, 'reason') });
}

/** Rehearsed first: what is asked for then is exactly what the rehearsal showed. */
export async function askToRelease(_: Outcome, form: FormData): Promise<Outcome> {
  const [id, reason, amount] = [textOf(form, 'id'), textOf(form, 'reason'), numberOf(form, 'amount_xrp')];
  const wanted = amount === '' ? {} : { amount_xrp: amount };
  if (textOf(form, 'dry_run') !== 'true') return ask({ project_id: id, action: 'release', reason, ...wanted });
  return act(
    releaseContract,
    { params: { id }, body: { reason, dry_run: true, ...wanted } },
    (ctx, { body }) =>
      releaseRaised(ctx, { projectId: id, amountDrops: body.amount_xrp, dryRun: true, reason: body.reason }),
    (answer) => rehearsedRelease(answer, 'Asks to release'),
  );
}

const ask = (body: Record<string, string>): Promise<Outcome> =>
  act(
    askForApprovalContract,
    { body },
    (ctx, { body: { project_id: projectId, amount_xrp: amountDrops, action, reason } }) =>
      askForApproval(ctx, { projectId, action, amountDrops, reason }),
    ASKED,
  );

const VERBS = { approve, refuse, withdraw };

export async function decideApproval(_: Outcome, form: FormData): Promise<Outcome> {
  const decision = textOf(form, 'decision');
  return act(
    decideApprovalContract,
    { params: { id: textOf(form, 'approval_id'), decision }, body: { reason: textOf(form, 'reason') } },
    (ctx, { params, body }) => {
      const decided = VERBS[params.decision](ctx, { id: params.id, reason: body.reason });
      return params.decision === 'approve' ? thenWake(ctx, decided) : decided;
    },
    doneText(decision, textOf(form, 'approval_action')),
  );
}

function doneText(decision: string, action: string): string {
  if (decision === 'refuse') return 'The request is refused.';
  if (decision === 'withdraw') return 'The request is withdrawn.';
  return action === 'launch'
    ? 'Approved. The launch is submitted, and takes effect when the ledger validates it, in a few seconds.'
    : 'Approved. The release is scheduled. See it among the payouts until it is validated.';
}
