import { formatDecimal } from '../amount.ts';
import { ownedIndexes, pageOf } from '../engine/directory.ts';
import { sideOf } from '../engine/lines.ts';
import { priceOf, qualityOfDirectory } from '../engine/paths/quality.ts';
import { account } from '../engine/view.ts';
import type { Entry, Offer } from '../entries.ts';
import type { JsonObject } from '../json.ts';
import { pageLimit, selectAccount, selectLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

const LIMITS = { least: 10, usual: 200, most: 400 };
const MARKER = /^([0-9A-F]{64}),(\d+)$/i;

const badMarker = (): RpcError => new RpcError('invalidParams', { message: "Invalid field 'marker'." });

/** The directory page an owned entry stands on, in decimal, for the server to resume there. */
function pageHint(entry: Entry, address: string): string {
  if (entry.LedgerEntryType === 'RippleState') {
    return String(BigInt(`0x${sideOf(entry, address) === 'low' ? entry.LowNode : entry.HighNode}`));
  }
  return 'OwnerNode' in entry ? String(BigInt(`0x${entry.OwnerNode}`)) : '0';
}

function shownOffer(offer: Offer): JsonObject {
  return {
    ...(offer.Expiration === undefined ? {} : { expiration: offer.Expiration }),
    flags: offer.Flags,
    quality: formatDecimal(priceOf(qualityOfDirectory(offer.BookDirectory))),
    seq: offer.Sequence,
    taker_gets: offer.TakerGets,
    taker_pays: offer.TakerPays,
  };
}

/** `account_offers`: an account's offers in directory order. The limit counts whatever the account owns, as on the server. */
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
  let seen = 0;
  let last: string | undefined;
  let isSkipping = after !== undefined;
  for (const { index } of ownedIndexes(view, address, from)) {
    if (isSkipping) {
      if (index === after?.toUpperCase()) isSkipping = false;
      continue;
    }
    const entry = view.get(index);
    seen += 1;
    if (!entry || seen > limit) break;
    last = `${index},${pageHint(entry, address)}`;
    if (entry.LedgerEntryType === 'Offer') offers.push(shownOffer(entry));
  }
  if (isSkipping) throw badMarker();
  return {
    account: address,
    ...(seen > limit && last !== undefined ? { limit, marker: context.node.markers.give(last) } : {}),
    offers,
    ...selected.fields,
  };
};
