import { formatDecimal } from '../amount.ts';
import { ownedIndexes, pageOf } from '../engine/directory.ts';
import { priceOf, qualityOfDirectory } from '../engine/paths/quality.ts';
import { account } from '../engine/view.ts';
import type { JsonObject } from '../json.ts';
import { read } from '../state.ts';
import { pageLimit, selectAccount, selectLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

const LIMITS = { least: 10, usual: 200, most: 400 };
const MARKER = /^([0-9A-F]{64}),(\d+)$/i;

const badMarker = (): RpcError => new RpcError('invalidParams', { message: "Invalid field 'marker'." });

/** `account_offers`: an account's offers in directory order. */
export const accountOffers: Handler = (context, request) => {
  const selected = selectLedger(context, request);
  const address = selectAccount(request, selected.fields);
  const { view } = selected;
  if (!account(view, address)) throw new RpcError('actNotFound');
  const limit = pageLimit(request, LIMITS);
  const { marker } = request;
  const [, after, page] = (typeof marker === 'string' && MARKER.exec(marker)) || [];
  if (marker !== undefined && (after === undefined || !context.node.markers.isGood(marker))) throw badMarker();
  const from = page === undefined ? undefined : pageOf(address, BigInt(page).toString(16));
  const offers: JsonObject[] = [];
  let last: string | undefined;
  let isSkipping = after !== undefined;
  let hasMore = false;
  for (const { index } of ownedIndexes(view, address, from)) {
    if (isSkipping) {
      if (index === after?.toUpperCase()) isSkipping = false;
      continue;
    }
    const offer = read(view, 'Offer', index);
    if (!offer) continue;
    if (offers.length === limit) {
      hasMore = true;
      break;
    }
    last = `${index},${BigInt(`0x${offer.OwnerNode}`)}`;
    offers.push({
      ...(offer.Expiration === undefined ? {} : { expiration: offer.Expiration }),
      flags: offer.Flags,
      quality: formatDecimal(priceOf(qualityOfDirectory(offer.BookDirectory))),
      seq: offer.Sequence,
      taker_gets: offer.TakerGets,
      taker_pays: offer.TakerPays,
    });
  }
  if (isSkipping) throw badMarker();
  return {
    account: address,
    ...(hasMore && last !== undefined ? { limit, marker: context.node.markers.give(last) } : {}),
    offers,
    ...selected.fields,
  };
};
