import { compare, type Decimal } from '../../amount.ts';
import type { Offer } from '../../entries.ts';
import type { NetworkRules } from '../../rules.ts';
import { type ReadView, read } from '../../state.ts';
import { bookStart, nextDirectory } from '../books.ts';
import { directoryIndexes } from '../directory.ts';
import { isInDomain } from '../domains.ts';
import { removeOffer } from '../offers.ts';
import { account } from '../view.ts';
import type { PaymentView } from './paymentView.ts';
import { type Exchange, limitOut, type Quality, qualityOf, qualityOfDirectory } from './quality.ts';
import { amountOf, assetOf, equal, isXrp, minus, order, type Quantity, quantityOf, signOf } from './quantity.ts';
import type { Book } from './step.ts';
import { fundsOf, isDeepFrozen } from './transfers.ts';

/** The most offers that one run of a step looks at. */
export const MOST_OFFERS = 1000;

const SMALLEST: Decimal = { mantissa: 10n ** 15n, exponent: -96 };

/** An offer at the tip of a book. Its quality is that of its place in the book, however it was filled since. */
export class TipOffer {
  readonly index: string;
  readonly owner: string;
  readonly quality: Quality;
  amounts: Exchange;

  constructor(index: string, { Account: owner, TakerPays: pays, TakerGets: gets }: Offer, quality: Quality) {
    this.index = index;
    this.owner = owner;
    this.quality = quality;
    this.amounts = { in: quantityOf(pays), out: quantityOf(gets) };
  }

  get isConsumed(): boolean {
    return signOf(this.amounts.in) <= 0 || signOf(this.amounts.out) <= 0;
  }

  /** Takes what changed hands off the offer. */
  consume(view: PaymentView, taken: Exchange): void {
    if (order(taken.in, this.amounts.in) > 0 || order(taken.out, this.amounts.out) > 0) {
      throw new RangeError('an offer cannot give more than it has');
    }
    this.amounts = { in: minus(this.amounts.in, taken.in), out: minus(this.amounts.out, taken.out) };
    const entry = view.edit('Offer', this.index);
    if (!entry) return;
    entry.TakerPays = amountOf(assetOf(entry.TakerPays), this.amounts.in);
    entry.TakerGets = amountOf(assetOf(entry.TakerGets), this.amounts.out);
  }
}

type Tip = { readonly directory: string; readonly page: string; readonly index: string };

/** What a book begins with: an offer, or the mention of one that is gone. */
function firstOf(view: ReadView, book: Book): Tip | undefined {
  let directory = nextDirectory(view, bookStart(book));
  while (directory !== undefined) {
    for (const { page, index } of directoryIndexes(view, directory)) return { directory, page, index };
    directory = nextDirectory(view, directory);
  }
  return undefined;
}

/**
 * The offers of a book that can be taken, best first. Each step removes the offer that it leaves behind from the view;
 * offers that are expired or without funds are removed on the way.
 */
export class OfferStream {
  /** Offers that have to go whether or not anything is bought. */
  readonly removable = new Set<string>();
  count = 0;
  offer: TipOffer | undefined;
  /** What the owner of the offer has to give. */
  funds: Quantity | undefined;
  private readonly view: PaymentView;
  private readonly before: ReadView;
  private readonly book: Book;
  private readonly rules: NetworkRules;
  private readonly isValid: boolean;
  private tip: Tip | undefined;

  constructor(view: PaymentView, before: ReadView, book: Book, rules: NetworkRules) {
    this.view = view;
    this.before = before;
    this.book = book;
    this.rules = rules;
    this.isValid = [book.in, book.out].every(({ issuer }) => issuer === '' || account(view, issuer) !== undefined);
  }

  /** Goes to the first offer of the book, after the one at its tip so far is gone. */
  private nextTip(): Tip | undefined {
    if (this.tip && read(this.view, 'Offer', this.tip.index)) removeOffer(this.view, this.tip.index);
    return firstOf(this.view, this.book);
  }

  private fundsIn(view: ReadView, offer: TipOffer): Quantity {
    return fundsOf(view, this.rules, offer.owner, this.book.out, offer.amounts.out);
  }

  /** What is left of a small offer may round to a worse quality than its place in the book; then it goes. */
  private isWorseThanItsPlace(offer: TipOffer, funds: Quantity): boolean {
    if (isXrp(this.book.out)) return false;
    const { amounts, quality } = offer;
    const bothIssued = !isXrp(this.book.in);
    if (bothIssued && compare(amounts.in as Decimal, amounts.out as Decimal) >= 0) return false;
    const isShort = offer.owner !== this.book.out.issuer && order(funds, amounts.out) < 0;
    const left = isShort ? limitOut(quality, amounts, funds, false) : amounts;
    if (signOf(left.in) <= 0 || signOf(left.out) <= 0) return true;
    const smallest: Quantity = typeof left.in === 'bigint' ? 1n : SMALLEST;
    return order(left.in, smallest) <= 0 && qualityOf(left.in, left.out) > quality;
  }

  /** Whether the entry can be taken; if not, and it was so before the payment, it is to be removed for good. */
  private admit(index: string, entry: Offer, quality: Quality): boolean {
    const remove = (): false => {
      this.removable.add(index);
      return false;
    };
    if (entry.Expiration !== undefined && entry.Expiration <= this.view.parentCloseTime) return remove();
    const offer = new TipOffer(index, entry, quality);
    if (offer.isConsumed) return remove();
    if (isDeepFrozen(this.view, offer.owner, this.book.in)) return remove();
    const looksAtDomain = this.book.domain !== undefined || !this.rules.amendments.has('fixCleanup3_3_0');
    if (looksAtDomain && entry.DomainID !== undefined && !isInDomain(this.view, entry.DomainID, offer.owner))
      return remove();
    const funds = this.fundsIn(this.view, offer);
    if (signOf(funds) <= 0 || this.isWorseThanItsPlace(offer, funds)) {
      return equal(this.fundsIn(this.before, offer), funds) ? remove() : false;
    }
    this.offer = offer;
    this.funds = funds;
    return true;
  }

  /** Removes a directory's mention of an offer that is not there. */
  private forget({ page, index }: Tip): void {
    const node = this.view.edit('DirectoryNode', page);
    if (node) node.Indexes = node.Indexes.filter((other) => other !== index);
  }

  /** Goes to the next offer that can be taken; false when there is none, or too many were looked at. */
  step(): boolean {
    if (!this.isValid) return false;
    for (;;) {
      this.offer = undefined;
      this.funds = undefined;
      const tip = this.nextTip();
      this.tip = tip;
      if (!tip || this.count >= MOST_OFFERS) return false;
      this.count += 1;
      const entry = read(this.view, 'Offer', tip.index);
      if (!entry) this.forget(tip);
      else if (this.admit(tip.index, entry, qualityOfDirectory(tip.directory))) return true;
    }
  }
}

/** The quality of the first offer of a book, whether or not it can be taken. */
export function tipQuality(view: ReadView, book: Book): Quality | undefined {
  const tip = firstOf(view, book);
  return tip && qualityOfDirectory(tip.directory);
}
