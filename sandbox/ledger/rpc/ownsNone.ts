import { account } from '../engine/view.ts';
import { selectAccount, selectLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

/** The answer about things that no account here can own: an empty list, for an account that is there. */
function ownsNone(listName: string): Handler {
  return (context, request) => {
    const selected = selectLedger(context, request);
    const address = selectAccount(request, selected.fields);
    if (!account(selected.view, address)) throw new RpcError('actNotFound', { fields: selected.fields });
    return { account: address, [listName]: [], ...selected.fields };
  };
}

export const accountNfts: Handler = ownsNone('account_nfts');
