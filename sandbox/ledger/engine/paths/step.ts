import type { ResultName } from '../../results.ts';
import type { NetworkRules } from '../../rules.ts';
import type { ReadView } from '../../state.ts';
import type { PaymentView } from './paymentView.ts';
import type { Quality } from './quality.ts';
import type { Asset, Quantity } from './quantity.ts';

/** What a step took in and gave out. */
export type Moved = { readonly in: Quantity; readonly out: Quantity };

/** A book of offers: a taker pays `in` and gets `out`. */
export type Book = { readonly in: Asset; readonly out: Asset; readonly domain?: string };

/** Views of a pass: the one that changes, and the ledger before the strand began. */
export type Pass = {
  readonly view: PaymentView;
  readonly before: ReadView;
  /** Offers that have to go whatever becomes of the strand. */
  readonly removable: Set<string>;
};

/**
 * One step of a strand: over a trust line, through a book of offers, or to or from an account's XRP. It remembers what
 * moved the last time it ran.
 */
export interface Step {
  /** Works out what has to come in for that to come out, and moves it; less comes out where the step is the limit. */
  reverse(pass: Pass, out: Quantity): Moved;
  /** Moves what comes in. Only after `reverse`. */
  forward(pass: Pass, into: Quantity): Moved;
  readonly moved: Moved | undefined;
  /** Whether who gives in this step gives what others owe it, rather than owing it from now on. */
  redeems(view: ReadView, isForward: boolean): boolean;
  /** QualityIn of the receiving side of a trust line. */
  qualityIn(view: ReadView): number;
  /** The best quality the step can have now; none when it is dry. */
  bestQuality(view: ReadView, previousRedeems: boolean): { quality: Quality | undefined; redeems: boolean };
  readonly offersUsed: number;
  /** Whether it met so many offers that its strand is not tried again. */
  readonly isExhausted: boolean;
  /** The account a step over a trust line begins with. */
  readonly lineFrom: string | undefined;
  readonly book: Book | undefined;
  /** Equal for two steps that do the same. */
  readonly key: string;
}

export type Strand = readonly Step[];

/** Why offers are met: by a payment, or by a new offer, which may sell all it has for more than it asks. */
export type Crossing = 'no' | 'offer' | 'sell';

/** What is known while the steps of a strand are put together. */
export type StrandContext = {
  readonly view: ReadView;
  readonly rules: NetworkRules;
  readonly source: string;
  readonly destination: string;
  readonly deliver: Asset;
  readonly limitQuality: Quality | undefined;
  readonly ownerPaysFee: boolean;
  readonly crossing: Crossing;
  readonly isDefaultPath: boolean;
  readonly domain: string | undefined;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly previous: Step | undefined;
  /** Assets that a step over a line began or ended with, and those that books gave: none may come twice. */
  readonly seenSources: Set<string>;
  readonly seenDestinations: Set<string>;
  readonly seenBookOuts: Set<string>;
};

/** A step, or why there can be none. */
export type StepOrResult = { readonly step: Step } | { readonly result: ResultName };

export const assetKey = ({ currency, issuer }: Asset): string => `${currency}/${issuer}`;
