import { has, LINE } from '../../entries.ts';
import type { ResultName } from '../../results.ts';
import type { NetworkRules } from '../../rules.ts';
import type { ReadView } from '../../state.ts';
import { findLine, sideOf } from '../lines.ts';
import { account } from '../view.ts';
import { MOST_OFFERS, OfferStream, type TipOffer, tipQuality } from './offerStream.ts';
import { composed, type Exchange, limitIn, limitOut, type Quality, qualityOf } from './quality.ts';
import {
  type Asset,
  equal,
  isXrp,
  minus,
  order,
  PARITY,
  type Quantity,
  ratio,
  sameAsset,
  signOf,
  sum,
  zeroOf,
} from './quantity.ts';
import {
  assetKey,
  type Book,
  type Moved,
  type Pass,
  type Step,
  type StepOrResult,
  type StrandContext,
} from './step.ts';
import { requireAuth, send, transferRate } from './transfers.ts';

/** What is taken of an offer: what it counts, what the step counts with fees, and what its owner gives up. */
type Taking = { readonly offer: Exchange; readonly step: Exchange; readonly ownerGives: Quantity };
type Rates = { readonly in: number; readonly out: number };

/** A book of offers that money goes through. */
class BookStep implements Step {
  readonly lineFrom = undefined;
  readonly book: Book;
  readonly key: string;
  offersUsed = 0;
  isExhausted = false;
  moved: Moved | undefined;
  private readonly rules: NetworkRules;
  private readonly source: string;
  private readonly destination: string;
  private readonly previous: Step | undefined;
  private readonly ownerPaysFee: boolean;
  private readonly isDefaultPath: boolean;
  /** Of a new offer, the quality below which it meets nobody; a payment takes what there is. */
  private readonly threshold: Quality | undefined;

  constructor(context: StrandContext, book: Book) {
    this.book = book;
    this.key = `${assetKey(book.in)}|${assetKey(book.out)}`;
    this.rules = context.rules;
    this.source = context.source;
    this.destination = context.destination;
    this.previous = context.previous;
    this.ownerPaysFee = context.ownerPaysFee;
    this.isDefaultPath = context.isDefaultPath;
    this.threshold = context.crossing === 'no' ? undefined : context.limitQuality;
  }

  redeems(): boolean {
    return !this.ownerPaysFee;
  }

  qualityIn(): number {
    return PARITY;
  }

  private rate(view: ReadView, { issuer }: Asset): number {
    return issuer === '' || issuer === this.destination ? PARITY : transferRate(view, issuer);
  }

  bestQuality(view: ReadView, previousRedeems: boolean): { quality: Quality | undefined; redeems: boolean } {
    const redeems = this.redeems();
    const tip = tipQuality(view, this.book);
    // A new offer may meet one of an owner who pays no fee, so the best of it has none.
    if (tip === undefined || this.threshold !== undefined) return { quality: tip, redeems };
    const rateIn = previousRedeems ? this.rate(view, this.book.in) : PARITY;
    const rateOut = this.ownerPaysFee ? this.rate(view, this.book.out) : PARITY;
    return { quality: composed(qualityOf(BigInt(rateIn), BigInt(rateOut)), tip), redeems };
  }

  /** Who meets an own offer of at least the same quality removes it and does not trade with itself. */
  private isOwn({ owner, quality }: TipOffer): boolean {
    const meets = this.threshold !== undefined && this.isDefaultPath && quality <= this.threshold;
    return meets && owner === this.source && owner === this.destination;
  }

  private isGoodEnough(quality: Quality): boolean {
    return this.threshold === undefined || !this.isDefaultPath || quality <= this.threshold;
  }

  /** A new offer pays no transfer fee where its owner pays itself. */
  private ratesFor({ owner }: TipOffer, rates: Rates): Rates {
    if (this.threshold === undefined) return rates;
    const paysItself = this.previous?.lineFrom === owner;
    const isPaidByItself = this.previous?.book !== undefined && owner === this.destination;
    return { in: paysItself ? PARITY : rates.in, out: isPaidByItself ? PARITY : rates.out };
  }

  /** All that the owner of an offer can give. */
  private fullTaking({ amounts, quality, owner }: TipOffer, funds: Quantity, rates: Rates): Taking {
    const gives = ratio(amounts.out, rates.out, PARITY, false);
    const isIssuer = owner === this.book.out.issuer;
    if (isIssuer || order(funds, gives) >= 0) {
      return {
        offer: amounts,
        step: { in: ratio(amounts.in, rates.in, PARITY, true), out: amounts.out },
        ownerGives: gives,
      };
    }
    const out = ratio(funds, PARITY, rates.out, false);
    const offer = limitOut(quality, amounts, out, false);
    return { offer, step: { in: ratio(offer.in, rates.in, PARITY, true), out }, ownerGives: funds };
  }

  private limitedIn({ quality }: TipOffer, taking: Taking, rates: Rates, limit: Quantity): Taking {
    if (order(limit, taking.step.in) >= 0) return taking;
    const offer = limitIn(quality, taking.offer, ratio(limit, PARITY, rates.in, false), false);
    return { offer, step: { in: limit, out: offer.out }, ownerGives: ratio(offer.out, rates.out, PARITY, false) };
  }

  private limitedOut({ quality }: TipOffer, taking: Taking, rates: Rates, limit: Quantity): Taking {
    if (order(limit, taking.step.out) >= 0) return taking;
    const offer = limitOut(quality, taking.offer, limit, true);
    return {
      offer,
      step: { in: ratio(offer.in, rates.in, PARITY, true), out: limit },
      ownerGives: ratio(limit, rates.out, PARITY, false),
    };
  }

  /** Goes through the offers of the best quality; `take` says whether there is use for more. */
  private eachOffer(
    { view, before, removable }: Pass,
    isForward: boolean,
    take: (offer: TipOffer, taking: Taking, rates: Rates) => boolean,
  ): void {
    const redeems = this.previous?.redeems(view, isForward) ?? false;
    const rates: Rates = {
      in: redeems ? this.rate(view, this.book.in) : PARITY,
      out: this.ownerPaysFee ? this.rate(view, this.book.out) : PARITY,
    };
    const offers = new OfferStream(view, before, this.book, this.rules);
    let attempted = false;
    let quality: Quality | undefined;
    const execute = (offer: TipOffer): boolean => {
      quality ??= offer.quality;
      if (quality !== offer.quality) return false;
      const unauthorized = (): boolean => requireAuth(before, offer.owner, this.book.in) !== 'tesSUCCESS';
      if (this.isOwn(offer) || unauthorized()) {
        offers.removable.add(offer.index);
        if (!attempted) quality = undefined;
        return true;
      }
      if (!this.isGoodEnough(offer.quality)) return false;
      attempted = true;
      const offerRates = this.ratesFor(offer, rates);
      return take(offer, this.fullTaking(offer, offers.funds ?? zeroOf(this.book.out), offerRates), offerRates);
    };
    while (offers.step() && offers.offer && execute(offers.offer));
    this.offersUsed = offers.count;
    for (const index of offers.removable) removable.add(index);
    if (offers.count >= MOST_OFFERS) this.isExhausted = true;
  }

  private consume({ view }: Pass, offer: TipOffer, { offer: taken, ownerGives }: Taking): void {
    const { in: pays, out: gets } = this.book;
    send(view, pays.issuer, offer.owner, pays.currency, taken.in);
    send(view, offer.owner, gets.issuer, gets.currency, ownerGives);
    offer.consume(view, taken);
  }

  reverse(pass: Pass, out: Quantity): Moved {
    this.moved = undefined;
    const ins: Quantity[] = [];
    const outs: Quantity[] = [];
    let remaining = out;
    let moved: Moved = { in: zeroOf(this.book.in), out: zeroOf(this.book.out) };
    this.eachOffer(pass, false, (offer, taking, rates) => {
      if (signOf(remaining) <= 0) return false;
      if (order(taking.step.out, remaining) <= 0) {
        ins.push(taking.step.in);
        outs.push(taking.step.out);
        moved = { in: sum(ins, moved.in), out: sum(outs, moved.out) };
        remaining = minus(out, moved.out);
        this.consume(pass, offer, taking);
        return true;
      }
      const part = this.limitedOut(offer, taking, rates, remaining);
      remaining = zeroOf(this.book.out);
      ins.push(part.step.in);
      moved = { in: sum(ins, moved.in), out };
      this.consume(pass, offer, part);
      return offer.isConsumed;
    });
    const sign = signOf(remaining);
    if (sign < 0) moved = { in: zeroOf(this.book.in), out: zeroOf(this.book.out) };
    else if (sign === 0) moved = { in: moved.in, out };
    this.moved = moved;
    return moved;
  }

  forward(pass: Pass, into: Quantity): Moved {
    const known = this.moved ?? { in: zeroOf(this.book.in), out: zeroOf(this.book.out) };
    let ins: Quantity[] = [];
    let outs: Quantity[] = [];
    let remaining = into;
    let moved: Moved = { in: zeroOf(this.book.in), out: zeroOf(this.book.out) };
    this.eachOffer(pass, true, (offer, full, rates) => {
      if (signOf(remaining) <= 0) return false;
      const isWhole = order(full.step.in, remaining) <= 0;
      let taking = isWhole ? full : this.limitedIn(offer, full, rates, remaining);
      const inSoFar = ins;
      const outSoFar = outs;
      ins = [...inSoFar, isWhole ? full.step.in : remaining];
      outs = [...outSoFar, taking.step.out];
      moved = { in: isWhole ? sum(ins, moved.in) : into, out: sum(outs, moved.out) };
      if (order(moved.out, known.out) > 0 && order(moved.in, known.in) <= 0) {
        // More came out than in reverse for the same input: take what reverse took, if it costs the same.
        const left = minus(known.out, sum(outSoFar, zeroOf(this.book.out)));
        const asReversed = this.limitedOut(offer, full, rates, left);
        if (equal(asReversed.step.in, remaining)) {
          moved = { in: into, out: known.out };
          ins = [into];
          outs = [known.out];
          taking = { ...asReversed, step: { in: remaining, out: left } };
        }
      }
      remaining = minus(into, moved.in);
      this.consume(pass, offer, taking);
      return isWhole || offer.isConsumed;
    });
    const sign = signOf(remaining);
    if (sign < 0) moved = { in: zeroOf(this.book.in), out: zeroOf(this.book.out) };
    else if (sign === 0) moved = { in: into, out: moved.out };
    this.moved = moved;
    return moved;
  }
}

/** Whether the line that leads to the book lets its currency go on. */
function checkLineBefore({ view, previous }: StrandContext, { in: pays }: Book): ResultName {
  if (previous?.lineFrom === undefined) return 'tesSUCCESS';
  const line = findLine(view, previous.lineFrom, pays.issuer, pays.currency);
  if (!line) return 'terNO_LINE';
  return has(line.Flags, LINE[sideOf(line, pays.issuer)].noRipple) ? 'terNO_RIPPLE' : 'tesSUCCESS';
}

/** A step through a book, or why there can be none. */
export function makeBookStep(context: StrandContext, book: Book): StepOrResult {
  const { view, seenBookOuts, seenSources, seenDestinations } = context;
  const isConsistent = ({ currency, issuer }: Asset): boolean => (currency === 'XRP') === (issuer === '');
  if (sameAsset(book.in, book.out) || !isConsistent(book.in) || !isConsistent(book.out))
    return { result: 'temBAD_PATH' };
  const out = assetKey(book.out);
  const isLoop = seenBookOuts.has(out) || seenSources.has(out) || seenDestinations.has(out);
  seenBookOuts.add(out);
  if (isLoop) return { result: 'temBAD_PATH_LOOP' };
  const hasIssuer = (asset: Asset): boolean => isXrp(asset) || account(view, asset.issuer) !== undefined;
  if (!hasIssuer(book.in) || !hasIssuer(book.out)) return { result: 'tecNO_ISSUER' };
  const result = checkLineBefore(context, book);
  return result === 'tesSUCCESS' ? { step: new BookStep(context, book) } : { result };
}
