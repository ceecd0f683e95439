import { isXrp, sameAsset, XRP } from '../engine/paths/quantity.ts';
import type { Book } from '../engine/paths/step.ts';
import { NO_ISSUER } from '../entries.ts';
import { isObject, type Json, type JsonDraft, type JsonObject } from '../json.ts';
import { isAddress } from '../keylets.ts';
import { bookPage, domainOf, parseCurrency } from './bookOffers.ts';
import { type RpcContext, RpcError, type RpcErrorName } from './types.ts';

/** Offers that a snapshot shows at most. */
const SNAPSHOT_LIMIT = 60;
const XRP_ACCOUNT = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';

/** One book that a request subscribes to. */
export type SubscribedBook = {
  readonly book: Book;
  readonly taker: string;
  /** Whether the book of the other direction belongs to it. */
  readonly both: boolean;
  readonly snapshot: boolean;
};

function assetOf(side: Json | undefined, currencyError: RpcErrorName, issuerError: RpcErrorName) {
  const { currency: text, issuer } = isObject(side) ? side : ({} as JsonObject);
  if (typeof text !== 'string') throw new RpcError(currencyError);
  const currency = parseCurrency(text, new RpcError(currencyError));
  const isGood = issuer === undefined || (typeof issuer === 'string' && isAddress(issuer) && issuer !== NO_ISSUER);
  const account = typeof issuer === 'string' && issuer !== XRP_ACCOUNT ? issuer : '';
  if (!isGood || (currency === XRP.currency) !== (account === '')) throw new RpcError(issuerError);
  return { currency, issuer: account };
}

const isSideObject = (side: Json | undefined): boolean => side === null || isObject(side);
const asked = (flag: Json | undefined): boolean => Boolean(flag);

function parseBook(entry: Json): SubscribedBook {
  if (!isObject(entry) || !isSideObject(entry.taker_pays) || !isSideObject(entry.taker_gets)) {
    throw new RpcError('invalidParams');
  }
  const pays = assetOf(entry.taker_pays, 'srcCurMalformed', 'srcIsrMalformed');
  const gets = assetOf(entry.taker_gets, 'dstAmtMalformed', 'dstIsrMalformed');
  if (sameAsset(pays, gets)) throw new RpcError('badMarket');
  const { taker = NO_ISSUER } = entry;
  if (typeof taker !== 'string' || !isAddress(taker)) throw new RpcError('badIssuer');
  const domain = domainOf(entry);
  return {
    book: { in: pays, out: gets, ...(domain === undefined ? {} : { domain }) },
    taker,
    both: asked(entry.both) || asked(entry.both_sides),
    snapshot: asked(entry.snapshot) || asked(entry.state_now),
  };
}

/** The `books` of a subscription. */
export function subscribedBooks({ books }: JsonObject): readonly SubscribedBook[] {
  if (books === undefined) return [];
  if (!Array.isArray(books)) throw new RpcError('invalidParams');
  return books.map((entry: Json) => parseBook(entry));
}

/** The same book with takers on the other side. */
export const reversed = ({ in: pays, out: gets, ...rest }: Book): Book => ({ ...rest, in: gets, out: pays });

const assetText = (asset: Book['in']): string => (isXrp(asset) ? 'XRP' : `${asset.currency}/${asset.issuer}`);

/** Equal for equal books. */
export const bookKey = (book: Book): string => `${assetText(book.in)}|${assetText(book.out)}|${book.domain ?? ''}`;

/** The keys of every book that a subscription asks for. */
export function bookKeys(books: readonly SubscribedBook[]): string[] {
  return books.flatMap(({ book, both }) => (both ? [bookKey(book), bookKey(reversed(book))] : [bookKey(book)]));
}

/** What stands in the books now, where that was asked: `offers`, or of both sides `bids` and `asks`. */
export function bookSnapshots({ chain, node }: RpcContext, books: readonly SubscribedBook[]): JsonObject {
  const shown: JsonDraft = {};
  const view = chain.state.view(node.last.header);
  const add = (field: 'offers' | 'bids' | 'asks', book: Book, taker: string): void => {
    const before = shown[field];
    const page = bookPage(view, chain.rules, book, { taker, limit: SNAPSHOT_LIMIT });
    shown[field] = [...(Array.isArray(before) ? before : []), ...page];
  };
  for (const { book, taker, both, snapshot } of books) {
    if (!snapshot) continue;
    if (both) {
      add('bids', book, taker);
      add('asks', reversed(book), taker);
    } else add('offers', book, taker);
  }
  return shown;
}
