import { has, LSF } from '../entries.ts';
import type { JsonObject } from '../json.ts';
import { accountIndex, signerListIndex } from '../keylets.ts';
import { read } from '../state.ts';
import { accountQueueData } from './queued.ts';
import { shownEntry } from './render.ts';
import { selectAccount, selectLedger } from './select.ts';
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
  if (request.account !== undefined && typeof request.account !== 'string') {
    throw new RpcError('invalidParams', { message: "Invalid field 'account'." });
  }
  if (request.account === undefined) throw new RpcError('invalidParams', { message: "Missing field 'account'." });
  const selected = selectLedger(context, request);
  const address = selectAccount(request, selected.fields);
  const index = accountIndex(address);
  const root = read(selected.view, 'AccountRoot', index);
  if (!root) throw new RpcError('actNotFound', { fields: { account: address, ...selected.fields } });
  const wantsQueue = request.queue === true;
  if (wantsQueue && selected.closed) throw new RpcError('invalidParams', { fields: selected.fields });
  const flags = Object.fromEntries(Object.entries(FLAG_NAMES).map(([name, bit]) => [name, has(root.Flags, bit)]));
  const found: JsonObject = { account_data: shownEntry(root, index), account_flags: flags, ...selected.fields };
  const { signer_lists: wantsSigners } = request;
  if (wantsSigners !== undefined && typeof wantsSigners !== 'boolean' && context.apiVersion === 2) {
    throw new RpcError('invalidParams', { fields: found });
  }
  const list = read(selected.view, 'SignerList', signerListIndex(address));
  const lists = list ? [shownEntry(list, signerListIndex(address))] : [];
  return {
    ...found,
    ...(wantsSigners && context.apiVersion === 1
      ? { account_data: { ...shownEntry(root, index), signer_lists: lists } }
      : {}),
    ...(wantsSigners && context.apiVersion === 2 ? { signer_lists: lists } : {}),
    ...(wantsQueue ? { queue_data: accountQueueData(context.chain.queue.ofAccount(address)) } : {}),
  };
};
