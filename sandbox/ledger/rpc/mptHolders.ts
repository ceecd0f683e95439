import type { MPToken } from '../entries.ts';
import { issuanceIndex } from '../keylets.ts';
import { read } from '../state.ts';
import { selectLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

const LIMITS = { least: 1, usual: 50, most: 100 };
const ISSUANCE_ID = /^[0-9A-F]{48}$/i;
const MARKER = /^[0-9A-F]{40}$/i;

/**
 * `mpt_holders`: who may hold an issuance, in the order of their account IDs. Only Clio servers know this command, so
 * the answer has Clio's shape: a marker is the account ID of the page's last holder.
 */
export const mptHolders: Handler = (context, request) => {
  const { chain, node } = context;
  const { mpt_issuance_id: id } = request;
  if (id === undefined) throw new RpcError('invalidParams', { message: "Required field 'mpt_issuance_id' missing" });
  if (typeof id !== 'string' || !ISSUANCE_ID.test(id))
    throw new RpcError('invalidParams', { message: 'mpt_issuance_idMalformed' });
  const { limit: asked = LIMITS.usual, marker } = request;
  if (typeof asked !== 'number' || !Number.isInteger(asked) || asked < 1) throw new RpcError('invalidParams');
  const limit = Math.min(asked, LIMITS.most);
  const isMarker = typeof marker === 'string' && MARKER.test(marker) && node.markers.isGood(marker);
  if (marker !== undefined && !isMarker) throw new RpcError('invalidParams', { message: 'markerMalformed' });
  const { view } = selectLedger(context, { ledger_index: 'validated', ...request });
  const issuance = id.toUpperCase();
  if (!read(view, 'MPTokenIssuance', issuanceIndex(issuance))) {
    throw new RpcError('objectNotFound', { message: 'objectNotFound' });
  }
  const page: { id: string; index: string; token: MPToken }[] = [];
  for (const { name, key } of chain.state.tokensAbove(issuance, isMarker ? marker.toUpperCase() : '')) {
    if (page.length === limit) break;
    const token = read(view, 'MPToken', key);
    if (token) page.push({ id: name, index: key, token });
  }
  const last = page.at(-1);
  return {
    ledger_index: view.ledgerIndex,
    limit,
    // As at Clio, a full page has a marker even when nothing follows: the next page is then empty.
    ...(page.length === limit && last ? { marker: node.markers.give(last.id) } : {}),
    mpt_issuance_id: issuance,
    mptokens: page.map(({ index, token }) => ({
      account: token.Account,
      flags: token.Flags,
      mpt_amount: token.MPTAmount ?? '0',
      mptoken_index: index,
    })),
    validated: true,
  };
};
