import { isAddress } from '../keylets.ts';
import { expectedField, invalidField, requiredText } from './fields.ts';
import { pageLimit, selectAccountInLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

const LIMITS = { least: 20, usual: 100, most: 400 };

/** `account_nfts`: the NFTs of an account, of which there are none here. */
export const accountNfts: Handler = (context, request) => {
  if (!isAddress(requiredText(request, 'account'))) throw new RpcError('actMalformed');
  const { address, fields } = selectAccountInLedger(context, request);
  pageLimit(request, LIMITS);
  if ('marker' in request) {
    // A marker names the last NFT of the page before, of which there was none.
    throw typeof request.marker === 'string' ? invalidField('marker') : expectedField('marker', 'string');
  }
  return { account: address, account_nfts: [], ...fields };
};
