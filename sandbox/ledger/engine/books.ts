import type { DirectoryNode, Offer } from '../entries.ts';
import { addressOfId, bookIndex, plainCurrency } from '../keylets.ts';
import { type ReadView, read } from '../state.ts';
import { directoryIndexes } from './directory.ts';
import { type Asset, XRP } from './paths/quantity.ts';
import type { Book } from './paths/step.ts';

const PRICE_DIGITS = 16;

/** The key below every directory of a book. */
export const bookStart = ({ in: pays, out: gets, domain }: Book): string =>
  `${bookIndex(pays, gets, domain).slice(0, -PRICE_DIGITS)}${'0'.repeat(PRICE_DIGITS)}`;

/** The directory of a book's next price above a key of the book. */
export function nextDirectory(view: ReadView, above: string): string | undefined {
  for (let key = view.nextBookDirectory(above); key !== undefined; key = view.nextBookDirectory(key)) {
    if (read(view, 'DirectoryNode', key)) return key;
  }
  return undefined;
}

/** The offers of a book, those with the best quality first and, of one quality, the oldest. */
export function* offersOf(
  view: ReadView,
  book: Book,
): Generator<{ directory: string; index: string; offer: Offer | undefined }> {
  let directory = nextDirectory(view, bookStart(book));
  while (directory !== undefined) {
    for (const { index } of directoryIndexes(view, directory)) {
      yield { directory, index, offer: read(view, 'Offer', index) };
    }
    directory = nextDirectory(view, directory);
  }
}

function assetIn(currency: string | undefined, issuer: string | undefined): Asset {
  if (currency === undefined || issuer === undefined || /^0*$/.test(currency)) return XRP;
  return { currency: plainCurrency(currency), issuer: addressOfId(issuer) };
}

/** The book that a directory belongs to. */
function bookOfDirectory(node: DirectoryNode): Book {
  const { DomainID: domain } = node;
  return {
    in: assetIn(node.TakerPaysCurrency, node.TakerPaysIssuer),
    out: assetIn(node.TakerGetsCurrency, node.TakerGetsIssuer),
    ...(domain === undefined ? {} : { domain }),
  };
}

/** Every order book in which an offer stands: the open ones, or those of a domain. */
export function booksIn(view: ReadView, domain: string | undefined): Book[] {
  const starts = new Set<string>();
  for (const key of view.bookDirectories()) starts.add(key.slice(0, -PRICE_DIGITS) + '0'.repeat(PRICE_DIGITS));
  return [...starts].flatMap((start) => {
    const directory = nextDirectory(view, start);
    const node = directory === undefined ? undefined : read(view, 'DirectoryNode', directory);
    return node && node.DomainID === domain ? [bookOfDirectory(node)] : [];
  });
}
