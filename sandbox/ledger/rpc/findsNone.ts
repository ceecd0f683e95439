import { account } from '../engine/view.ts';
import { isAddress } from '../keylets.ts';
import { assetIn } from './entryKeys.ts';
import {
  addressIn,
  asText,
  expectedField,
  hashIn,
  invalidField,
  missingField,
  requiredText,
  toUint,
} from './fields.ts';
import { pageLimit, selectAccountInLedger, selectLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

/** Commands about what the sandbox never has: pools, NFTs and vaults. They check and find nothing. */

const NFT_LIMITS = { least: 20, usual: 100, most: 400 };
const OFFER_LIMITS = { least: 50, usual: 250, most: 500 };

/** `account_nfts`: the NFTs of an account, of which there are none here. */
export const accountNfts: Handler = (context, request) => {
  if (!isAddress(requiredText(request, 'account'))) throw new RpcError('actMalformed');
  const { address, fields } = selectAccountInLedger(context, request);
  pageLimit(request, NFT_LIMITS);
  if ('marker' in request) {
    // A marker names the last NFT of the page before, of which there was none.
    throw typeof request.marker === 'string' ? invalidField('marker') : expectedField('marker', 'string');
  }
  return { account: address, account_nfts: [], ...fields };
};

/** `nft_buy_offers` and `nft_sell_offers`: nobody offers for an NFT, nor one. */
export const nftOffers: Handler = (context, request) => {
  if (!('nft_id' in request)) throw missingField('nft_id');
  if (hashIn(asText(request.nft_id)) === undefined) throw invalidField('nft_id');
  pageLimit(request, OFFER_LIMITS);
  selectLedger(context, request);
  throw new RpcError('objectNotFound');
};

/** `amm_info`: the pool of two assets. */
export const ammInfo: Handler = (context, request) => {
  const { view, fields } = selectLedger(context, request);
  const hasAssets = 'asset' in request;
  if (hasAssets !== 'asset2' in request || hasAssets === 'amm_account' in request) {
    throw new RpcError('invalidParams', { fields });
  }
  for (const name of ['asset', 'asset2']) {
    if (name in request && !assetIn(request[name] ?? null)) throw new RpcError('issueMalformed', { fields });
  }
  for (const name of ['amm_account', 'account']) {
    if (!(name in request)) continue;
    const address = addressIn(asText(request[name]));
    if (address === undefined || !account(view, address)) throw new RpcError('actMalformed', { fields });
  }
  throw new RpcError('actNotFound', { fields });
};

/** `vault_info`: a vault by its key, or by its owner and sequence. */
export const vaultInfo: Handler = (context, request) => {
  const { fields } = selectLedger(context, request);
  const has = (name: string): boolean => name in request;
  const refused = (name: 'actMalformed' | 'invalidParams'): RpcError =>
    new RpcError(name, { fields: { error: 'malformedRequest', ...fields } });
  if (has('vault_id') && !has('owner') && !has('seq')) {
    if (hashIn(asText(request.vault_id)) === undefined) throw refused('invalidParams');
  } else if (!has('vault_id') && has('owner') && has('seq')) {
    const owner = addressIn(asText(request.owner));
    if (owner === undefined) throw refused('actMalformed');
    const sequence = typeof request.seq === 'string' ? undefined : toUint(request.seq);
    if (!sequence) throw refused('invalidParams');
  } else {
    throw refused('invalidParams');
  }
  throw new RpcError('entryNotFound', { bare: true, fields });
};
