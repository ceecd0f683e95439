import { type Amount, type BookPlace, type Offer, UNTHREADED } from '../entries.ts';
import { bookCurrencyHex, bookIssuerHex, offerIndex } from '../keylets.ts';
import { read, type WriteView } from '../state.ts';
import { bookStart } from './books.ts';
import { addToBookDirectory, addToDirectory, removeFromBookDirectory, removeFromDirectory } from './directory.ts';
import { changeOwnerCount } from './lines.ts';
import { type Quality, qualityHex } from './paths/quality.ts';
import { assetOf } from './paths/quantity.ts';

/** What is known of an offer that is to rest. */
export type NewOffer = {
  readonly owner: string;
  readonly sequence: number;
  readonly gets: Amount;
  readonly pays: Amount;
  /** The price it was made at, which decides its place for good. */
  readonly quality: Quality;
  readonly flags: number;
  readonly expiration: number | undefined;
  readonly domain: string | undefined;
  /** Whether it stands in the open book besides that of its domain. */
  readonly isHybrid: boolean;
};

function addToBook(
  view: WriteView,
  index: string,
  { gets, pays, quality }: NewOffer,
  domain: string | undefined,
): BookPlace['Book'] {
  const [paysAsset, getsAsset] = [assetOf(pays), assetOf(gets)];
  const price = qualityHex(quality);
  const book = { in: paysAsset, out: getsAsset, ...(domain === undefined ? {} : { domain }) };
  const directory = `${bookStart(book).slice(0, -price.length)}${price}`;
  const node = addToBookDirectory(view, directory, index, {
    ExchangeRate: price.toLowerCase(),
    TakerGetsCurrency: bookCurrencyHex(getsAsset.currency),
    TakerGetsIssuer: bookIssuerHex(getsAsset.issuer),
    TakerPaysCurrency: bookCurrencyHex(paysAsset.currency),
    TakerPaysIssuer: bookIssuerHex(paysAsset.issuer),
    ...(domain === undefined ? {} : { DomainID: domain }),
  });
  return { BookDirectory: directory, BookNode: node };
}

/** Places an offer in its book and counts it among what its owner owns. */
export function placeOffer(view: WriteView, offer: NewOffer): void {
  const { owner, sequence, gets, pays, flags, expiration, domain } = offer;
  const index = offerIndex(owner, sequence);
  const ownerNode = addToDirectory(view, owner, index);
  changeOwnerCount(view, owner, 1);
  const place = addToBook(view, index, offer, domain);
  const openPlace = offer.isHybrid ? addToBook(view, index, offer, undefined) : undefined;
  view.create(index, {
    LedgerEntryType: 'Offer',
    Account: owner,
    ...(openPlace ? { AdditionalBooks: [{ Book: openPlace }] } : {}),
    ...place,
    ...(domain === undefined ? {} : { DomainID: domain }),
    ...(expiration === undefined ? {} : { Expiration: expiration }),
    Flags: flags,
    OwnerNode: ownerNode,
    Sequence: sequence,
    TakerGets: gets,
    TakerPays: pays,
    ...UNTHREADED,
  });
}

/** Takes an offer out of the ledger, its books and its owner's directory. */
export function removeOffer(view: WriteView, index: string): void {
  const offer: Offer | undefined = read(view, 'Offer', index);
  if (!offer) return;
  removeFromDirectory(view, offer.Account, offer.OwnerNode, index);
  removeFromBookDirectory(view, offer.BookDirectory, offer.BookNode, index);
  for (const { Book: place } of offer.AdditionalBooks ?? []) {
    removeFromBookDirectory(view, place.BookDirectory, place.BookNode, index);
  }
  changeOwnerCount(view, offer.Account, -1);
  view.erase(index);
}
