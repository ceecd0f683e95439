import { compare, parseDecimal } from '../amount.ts';
import { ownedIndexes } from '../engine/directory.ts';
import { offersOf, priceText } from '../engine/offers.ts';
import { account } from '../engine/view.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { isAddress } from '../keylets.ts';
import { reserveDrops } from '../rules.ts';
import { read } from '../state.ts';
import { shownEntry } from './render.ts';
import { pageLimit, selectAccount, selectLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

const ACCOUNT_LIMITS = { least: 10, usual: 200, most: 400 };
const BOOK_LIMITS = { least: 0, usual: 60, most: 100 };

/** `account_offers`: an account's offers in directory order. */
export const accountOffers: Handler = (context, request) => {
  const selected = selectLedger(context, request);
  const address = selectAccount(request, selected.fields);
  if (!account(selected.view, address)) throw new RpcError('actNotFound', { fields: selected.fields });
  const limit = pageLimit(request, ACCOUNT_LIMITS);
  const offers: JsonObject[] = [];
  for (const { index } of ownedIndexes(selected.view, address)) {
    const offer = read(selected.view, 'Offer', index);
    if (!offer || offers.length >= limit) continue;
    offers.push({
      flags: offer.Flags,
      quality: priceText(offer.BookDirectory),
      seq: offer.Sequence,
      taker_gets: offer.TakerGets,
      taker_pays: offer.TakerPays,
    });
  }
  return { account: address, offers, ...selected.fields };
};

function assetOf(request: JsonObject, name: 'taker_gets' | 'taker_pays') {
  const asset: Json | undefined = request[name];
  if (asset === undefined) throw new RpcError('invalidParams', { message: `Missing field '${name}'.` });
  if (!isObject(asset) || typeof asset.currency !== 'string') {
    throw new RpcError('invalidParams', { message: `Invalid field '${name}'.` });
  }
  const { currency, issuer } = asset;
  if (currency === 'XRP') return undefined;
  if (typeof issuer !== 'string' || !isAddress(issuer)) {
    throw new RpcError('invalidParams', { message: `Invalid field '${name}.issuer'.` });
  }
  return { currency, issuer };
}

/** `book_offers`: the offers of one book, cheapest first. Books other than XRP for a currency are always empty here. */
export const bookOffers: Handler = (context, request) => {
  const selected = selectLedger(context, request);
  const gets = assetOf(request, 'taker_gets');
  const pays = assetOf(request, 'taker_pays');
  const limit = pageLimit(request, BOOK_LIMITS);
  const found = gets === undefined && pays !== undefined ? [...offersOf(selected.view, pays)] : [];
  const offers = found.slice(0, limit).map(({ index, offer }): JsonObject => {
    const root = account(selected.view, offer.Account);
    const reserve = reserveDrops(context.chain.rules, root?.OwnerCount ?? 0);
    const spare = BigInt(root?.Balance ?? 0) - reserve;
    const funds = String(spare > 0n ? spare : 0n);
    const funded = compare(parseDecimal(funds), parseDecimal(offer.TakerGets)) >= 0;
    return {
      ...shownEntry(offer, index),
      owner_funds: funds,
      quality: priceText(offer.BookDirectory),
      ...(funded ? {} : { taker_gets_funded: funds }),
    };
  });
  return { offers, ...selected.fields };
};
