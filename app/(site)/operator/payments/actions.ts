'use server';

import { redirect } from 'next/navigation';
import { thenWake } from '#lib/jobs/heartbeat.ts';
import { assignPayment } from '#lib/sale/held/assign-payment.ts';
import { assignPaymentContract, refundPaymentContract } from '#lib/sale/held/contracts.ts';
import { refundPayment } from '#lib/sale/held/refund-payment.ts';
import { act, type Outcome, textOf } from '../act.ts';

/** Where one sees what becomes of it: it leaves the queue of held payments at once. */
function shown(outcome: Outcome, hash: string): Outcome {
  if (outcome.status === 'done') redirect(`/operator/payments/${hash}`);
  return outcome;
}

export async function refund(_: Outcome, form: FormData): Promise<Outcome> {
  const hash = textOf(form, 'hash');
  const outcome = await act(
    refundPaymentContract,
    { params: { transaction_hash: hash }, body: { reason: textOf(form, 'reason') } },
    (ctx, { params, body }) =>
      thenWake(ctx, refundPayment(ctx, { transactionHash: params.transaction_hash, reason: body.reason })),
    'The refund is on its way.',
  );
  return shown(outcome, hash);
}

export async function assign(_: Outcome, form: FormData): Promise<Outcome> {
  const hash = textOf(form, 'hash');
  const given = {
    params: { transaction_hash: hash },
    body: { project_id: textOf(form, 'project_id'), reason: textOf(form, 'reason') },
  };
  const outcome = await act(
    assignPaymentContract,
    given,
    (ctx, { params, body }) =>
      thenWake(
        ctx,
        assignPayment(ctx, {
          transactionHash: params.transaction_hash,
          projectId: body.project_id,
          reason: body.reason,
        }),
      ),
    'The move is on the ledger: the payment is credited as soon as it is read.',
  );
  return shown(outcome, hash);
}
