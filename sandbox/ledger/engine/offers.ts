import { type Decimal, divide, formatDecimal, parseDecimal } from '../amount.ts';
import { type IssuedAmount, type Offer, UNTHREADED } from '../entries.ts';
import { uintHex } from '../hashing.ts';
import { accountIdHex, bookIndex, currencyHex, offerIndex } from '../keylets.ts';
import { type ReadView, read } from '../state.ts';
import { addToDirectory, removeFromDirectory } from './directory.ts';
import { changeOwnerCount } from './lines.ts';
import type { TransactionView } from './view.ts';

/**
 * Offers that sell XRP for an issued currency, the only ones the sandbox takes: enough for a payment to turn a
 * currency into XRP. Since all offers face the same way none ever crosses another.
 */
const ZERO_160 = '0'.repeat(40);

/** Issued currency for one drop, as the price that orders a book. */
export const priceOf = ({ TakerGets: drops, TakerPays: pays }: Pick<Offer, 'TakerGets' | 'TakerPays'>): Decimal =>
  divide(parseDecimal(pays.value), parseDecimal(drops));

/** A price as the 64 bits that end a book directory's key: cheaper offers have lower keys. */
function priceHex({ mantissa, exponent }: Decimal): string {
  return uintHex((BigInt(exponent + 100) << 56n) | mantissa, 8);
}

/** The price of a book directory as text. */
export function priceText(bookDirectory: string): string {
  const bits = BigInt(`0x${bookDirectory.slice(48)}`);
  return formatDecimal({ mantissa: bits & ((1n << 56n) - 1n), exponent: Number(bits >> 56n) - 100 });
}

/** Directories that any book ever had; whether one is there in a given ledger, the ledger says. */
const directoriesOfBook = new Map<string, Set<string>>();

const bookOf = (pays: Pick<IssuedAmount, 'currency' | 'issuer'>): string => bookIndex(pays.currency, pays.issuer);

/** The offers of a book in a ledger, cheapest first. */
export function* offersOf(
  view: ReadView,
  pays: Pick<IssuedAmount, 'currency' | 'issuer'>,
): Generator<{ index: string; offer: Offer }> {
  for (const directory of [...(directoriesOfBook.get(bookOf(pays)) ?? [])].sort()) {
    for (const index of read(view, 'DirectoryNode', directory)?.Indexes ?? []) {
      const offer = read(view, 'Offer', index);
      if (offer) yield { index, offer };
    }
  }
}

function addToBook(view: TransactionView, offer: Pick<Offer, 'TakerGets' | 'TakerPays'>, index: string): string {
  const { TakerPays: pays } = offer;
  const book = bookOf(pays);
  const rate = priceHex(priceOf(offer));
  const directory = book.slice(0, 48) + rate;
  directoriesOfBook.set(book, (directoriesOfBook.get(book) ?? new Set()).add(directory));
  const existing = view.edit('DirectoryNode', directory);
  if (existing) {
    existing.Indexes = [...existing.Indexes, index];
    return directory;
  }
  view.create(directory, {
    LedgerEntryType: 'DirectoryNode',
    ExchangeRate: rate.toLowerCase(),
    Flags: 0,
    Indexes: [index],
    RootIndex: directory,
    TakerGetsCurrency: ZERO_160,
    TakerGetsIssuer: ZERO_160,
    TakerPaysCurrency: currencyHex(pays.currency),
    TakerPaysIssuer: accountIdHex(pays.issuer),
    ...UNTHREADED,
  });
  return directory;
}

/** Places an offer and counts it among what its owner owns. */
export function placeOffer(
  view: TransactionView,
  owner: string,
  sequence: number,
  amounts: Pick<Offer, 'TakerGets' | 'TakerPays'>,
): void {
  const index = offerIndex(owner, sequence);
  view.create(index, {
    LedgerEntryType: 'Offer',
    Account: owner,
    BookDirectory: addToBook(view, amounts, index),
    BookNode: '0',
    Flags: 0,
    OwnerNode: addToDirectory(view, owner, index),
    Sequence: sequence,
    ...amounts,
    ...UNTHREADED,
  });
  changeOwnerCount(view, owner, 1);
}

/** Takes an offer out of the ledger, its book and its owner's directory. */
export function removeOffer(view: TransactionView, index: string): void {
  const offer = read(view, 'Offer', index);
  if (!offer) return;
  removeFromDirectory(view, offer.Account, offer.OwnerNode, index);
  const book = view.edit('DirectoryNode', offer.BookDirectory);
  if (book) {
    book.Indexes = book.Indexes.filter((other) => other !== index);
    if (book.Indexes.length === 0) view.erase(offer.BookDirectory);
  }
  view.erase(index);
  changeOwnerCount(view, offer.Account, -1);
}
