import type { PaymentResource } from '#lib/sales/held/contracts.ts';
import { Xrp } from '../../_ui/amounts.tsx';
import { inputClass } from '../../_ui/field.tsx';
import { formatAmount } from '../../_ui/format.ts';
import { ActionForm } from '../action-form.tsx';
import { assign, refund } from './actions.ts';
import type { ActiveSale } from './active-sales.ts';

/** What may be done with a held payment, and why not what may not. */
export function PaymentActions({
  payment,
  sales,
  mayAct,
}: {
  payment: PaymentResource;
  sales: readonly ActiveSale[];
  mayAct: boolean;
}) {
  const hidden = { hash: payment.transaction_hash };
  const ofAccount = sales.filter(({ deposit_address }) => deposit_address === payment.account);
  return (
    <div className="flex flex-wrap items-start gap-3">
      {payment.refundable && (
        <ActionForm
          action={refund}
          label="Refund"
          hidden={hidden}
          mayAct={mayAct}
          preview={
            <p>
              Sends <Xrp isExact value={payment.held_xrp} /> to the account that paid,{' '}
              <span className="font-mono text-xs break-all">{payment.sender}</span>
              {payment.source_tag === null
                ? ', without a destination tag, because the payment named no source tag.'
                : `, with the destination tag ${payment.source_tag}, the source tag of the payment.`}{' '}
              This cannot be undone.
            </p>
          }
        />
      )}
      {payment.assignable && ofAccount.length > 0 && (
        <ActionForm
          action={assign}
          label="Assign to a sale"
          hidden={hidden}
          mayAct={mayAct}
          preview={
            <p>
              An action on the ledger offers all {formatAmount(payment.held_xrp)} XRP to the sale at the position of the
              action, at the price of its tier by then, as a published exception that anyone can see.
            </p>
          }
          fields={
            <label className="flex flex-col gap-1.5 text-sm font-medium">
              Sale
              <select name="project_id" required className={inputClass}>
                {ofAccount.map((sale) => (
                  <option key={sale.id} value={sale.id}>
                    {sale.name}
                  </option>
                ))}
              </select>
            </label>
          }
        />
      )}
      <ul className="w-full space-y-1 text-sm text-soft empty:hidden">
        {!payment.refundable && <li>Cannot be refunded: {payment.not_refundable_reason}</li>}
        {!(payment.assignable && ofAccount.length > 0) && (
          <li>Cannot be assigned: {payment.not_assignable_reason ?? 'no sale of its deposit account is active.'}</li>
        )}
      </ul>
    </div>
  );
}
