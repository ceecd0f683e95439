'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { thenWake } from '#lib/jobs/heartbeat.ts';
import { assignPayment } from '#lib/sales/held/assign-payment.ts';
import { assignPaymentContract, refundPaymentContract, refundPaymentsContract } from '#lib/sales/held/contracts.ts';
import { refundPayment } from '#lib/sales/held/refund-payment.ts';
import { refundPayments } from '#lib/sales/held/refund-payments.ts';
import { formatAmount } from '../../_ui/format.ts';
import { act, type Outcome, outcome, textOf } from '../act.ts';
import { BULK_SIZE } from './bulk-size.ts';

/** Where one sees what becomes of it: it leaves the queue of held payments at once. */
function shown(decided: Outcome, hash: string): Outcome {
  if (decided.status === 'done') redirect(`/operator/payments/${hash}`);
  return decided;
}

export async function refund(_: Outcome, form: FormData): Promise<Outcome> {
  const hash = textOf(form, 'hash');
  const refunded = await act(
    refundPaymentContract,
    { params: { transaction_hash: hash }, body: { reason: textOf(form, 'reason') } },
    (ctx, { params, body }) =>
      thenWake(ctx, refundPayment(ctx, { transactionHash: params.transaction_hash, reason: body.reason })),
    'The refund is scheduled.',
  );
  return shown(refunded, hash);
}

export async function assign(_: Outcome, form: FormData): Promise<Outcome> {
  const hash = textOf(form, 'hash');
  const given = {
    params: { transaction_hash: hash },
    body: { project_id: textOf(form, 'project_id'), reason: textOf(form, 'reason') },
  };
  const assigned = await act(
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
    'The action is on the ledger: the payment is credited as soon as it is read.',
  );
  return shown(assigned, hash);
}

const CHOSEN_BY = ['held_reason', 'account', 'project_id', 'min_amount_xrp', 'max_amount_xrp'] as const;

/** Rehearsed first: refunded are the very payments that the rehearsal showed, as far as nobody has decided them meanwhile. */
export async function refundMany(_: Outcome, form: FormData): Promise<Outcome> {
  const isRehearsal = textOf(form, 'dry_run') === 'true';
  const hashes = textOf(form, 'transaction_hashes');
  const filter = CHOSEN_BY.flatMap((name) => (textOf(form, name) === '' ? [] : [[name, textOf(form, name)] as const]));
  const chosen = isRehearsal ? Object.fromEntries(filter) : { transaction_hashes: hashes.split(',') };
  return act(
    refundPaymentsContract,
    { body: { ...chosen, limit: BULK_SIZE, dry_run: isRehearsal, reason: textOf(form, 'reason') } },
    (ctx, { body }) => refundPayments(ctx, body),
    ({ refunded, amount_xrp, payments, skipped, beyond_limit }) => {
      const [largest, smallest] = [payments[0], payments.at(-1)];
      const effects = [
        { name: 'Skipped', value: String(skipped.length) },
        { name: 'Beyond the limit', value: String(beyond_limit) },
      ];
      if (!isRehearsal) {
        revalidatePath('/operator', 'layout');
        const text = `${refunded} refunds, ${formatAmount(amount_xrp)} XRP in all, are on their way; ${skipped.length} payments were skipped.`;
        return outcome('done', text);
      }
      if (refunded === 0) return outcome('refused', 'None of these payments can be refunded now.', { effects });
      return outcome('rehearsed', `Refunds ${refunded} payments, ${formatAmount(amount_xrp)} XRP in all, for good.`, {
        effects: [
          { name: 'The largest', value: `${formatAmount(largest?.held_xrp ?? '0')} XRP to ${largest?.sender}` },
          { name: 'The smallest', value: `${formatAmount(smallest?.held_xrp ?? '0')} XRP to ${smallest?.sender}` },
          ...effects,
        ],
        carried: { transaction_hashes: payments.map(({ transaction_hash }) => transaction_hash).join(',') },
      });
    },
  );
}
