import { mayDeposit } from '../engine/payXrp.ts';
import { account } from '../engine/view.ts';
import { isAddress } from '../keylets.ts';
import { requiredText, selectLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

/** `deposit_authorized`: whether one account may pay another. */
export const depositAuthorized: Handler = (context, request) => {
  const source = requiredText(request, 'source_account');
  const destination = requiredText(request, 'destination_account');
  if (!isAddress(source) || !isAddress(destination)) throw new RpcError('actMalformed');
  const { view, fields } = selectLedger(context, request);
  if (!account(view, source)) throw new RpcError('srcActNotFound', { fields });
  if (!account(view, destination)) throw new RpcError('dstActNotFound', { fields });
  return {
    deposit_authorized: mayDeposit(view, source, destination),
    destination_account: destination,
    source_account: source,
    ...fields,
  };
};
