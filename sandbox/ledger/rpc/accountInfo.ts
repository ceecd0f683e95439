import { has, LSF } from '../entries.ts';
import type { JsonObject } from '../json.ts';
import { accountIndex, signerListIndex } from '../keylets.ts';
import { read } from '../state.ts';
import { accountOrIdent, addressIn, asBool } from './fields.ts';
import { accountQueueData } from './queued.ts';
import { shownEntry } from './render.ts';
import { selectLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

/** Names under which account_info shows the flags. */
const FLAG_NAMES: Readonly<Record<string, number>> = {
  allowTrustLineClawback: LSF.allowTrustLineClawback,
  allowTrustLineLocking: LSF.allowTrustLineLocking,
  defaultRipple: LSF.defaultRipple,
  depositAuth: LSF.depositAuth,
  disableMasterKey: LSF.disableMaster,
  disallowIncomingCheck: LSF.disallowIncomingCheck,
  disallowIncomingNFTokenOffer: LSF.disallowIncomingNftOffer,
  disallowIncomingPayChan: LSF.disallowIncomingPayChan,
  disallowIncomingTrustline: LSF.disallowIncomingTrustline,
  disallowIncomingXRP: LSF.disallowXrp,
  globalFreeze: LSF.globalFreeze,
  noFreeze: LSF.noFreeze,
  passwordSpent: LSF.passwordSpent,
  requireAuthorization: LSF.requireAuth,
  requireDestinationTag: LSF.requireDestTag,
};

export const accountInfo: Handler = (context, request) => {
  const named = accountOrIdent(request);
  const selected = selectLedger(context, request);
  const address = addressIn(named);
  if (address === undefined) throw new RpcError('actMalformed', { fields: selected.fields });
  const index = accountIndex(address);
  const root = read(selected.view, 'AccountRoot', index);
  if (!root) throw new RpcError('actNotFound', { fields: { account: address, ...selected.fields } });
  const wantsQueue = asBool(request.queue);
  if (wantsQueue && selected.closed) throw new RpcError('invalidParams', { fields: selected.fields });
  const flags = Object.fromEntries(Object.entries(FLAG_NAMES).map(([name, bit]) => [name, has(root.Flags, bit)]));
  const shown: JsonObject = {
    ...shownEntry(root, index),
    ...(root.EmailHash === undefined
      ? {}
      : { urlgravatar: `https://www.gravatar.com/avatar/${root.EmailHash.toLowerCase()}` }),
  };
  const found: JsonObject = { account_data: shown, account_flags: flags, ...selected.fields };
  const wantsSigners = asBool(request.signer_lists);
  if ('signer_lists' in request && typeof request.signer_lists !== 'boolean' && context.apiVersion > 1) {
    throw new RpcError('invalidParams', { fields: found });
  }
  const list = read(selected.view, 'SignerList', signerListIndex(address));
  const lists = list ? [shownEntry(list, signerListIndex(address))] : [];
  return {
    ...found,
    ...(wantsSigners && context.apiVersion === 1 ? { account_data: { ...shown, signer_lists: lists } } : {}),
    ...(wantsSigners && context.apiVersion === 2 ? { signer_lists: lists } : {}),
    ...(wantsQueue ? { queue_data: accountQueueData(context.chain.queue.ofAccount(address)) } : {}),
  };
};
