import type { ResultName } from '../../results.ts';
import type { NetworkRules } from '../../rules.ts';
import { read } from '../../state.ts';
import { removeOffer } from '../offers.ts';
import { PaymentView } from './paymentView.ts';
import { composed, QUALITY_ONE, type Quality, qualityOf } from './quality.ts';
import { equal, minus, order, type Quantity, signOf, sum, zeroOf } from './quantity.ts';
import type { Pass, Strand } from './step.ts';
import { type Route, toStrands } from './strand.ts';
import { StrandFailure } from './transfers.ts';

/** What a payment over a route is to deliver, and for how much. */
export type FlowRequest = Route & {
  readonly amount: Quantity;
  readonly most: Quantity;
  /** Whether less than the amount will do. */
  readonly partial: boolean;
};

export type FlowOutcome = {
  readonly result: ResultName;
  readonly paid: Quantity;
  readonly delivered: Quantity;
  /** Offers found expired, without funds or otherwise to be removed, even when nothing is bought. */
  readonly removable: ReadonlySet<string>;
};

const MOST_ROUNDS = 1000;
/** After that many offers were looked at, what was found is all. */
const MOST_OFFERS_OF_ALL = 1500;

type StrandOutcome = {
  readonly view: PaymentView | undefined;
  readonly paid: Quantity;
  readonly delivered: Quantity;
};

function offersUsed(strand: Strand): number {
  return strand.reduce((count, step) => count + step.offersUsed, 0);
}

/** Runs the steps from the last to the first, then from the limiting one to the last. Undefined: dry. */
function runStrand(
  below: PaymentView,
  strand: Strand,
  most: Quantity,
  amount: Quantity,
  removable: Set<string>,
): StrandOutcome | undefined {
  // XRP straight to XRP is no way over paths: a payment of it never comes here, and a search does not offer it.
  if (strand.length === 2 && typeof most === 'bigint' && typeof amount === 'bigint') return undefined;
  let pass: Pass = { view: new PaymentView(below), before: below, removable };
  const restart = (): void => {
    pass = { view: new PaymentView(below), before: below, removable };
  };
  let limiting = strand.length;
  let limited: Quantity = amount;
  let wanted = amount;
  for (let i = strand.length - 1; i >= 0; i--) {
    const step = strand[i];
    if (!step) return undefined;
    let moved = step.reverse(pass, wanted);
    if (signOf(moved.out) === 0) return undefined;
    if (i === 0 && order(most, moved.in) < 0) {
      restart();
      limiting = i;
      moved = step.forward(pass, most);
      limited = moved.out;
      if (signOf(moved.out) === 0 || !equal(moved.in, most)) return undefined;
    } else if (!equal(moved.out, wanted)) {
      restart();
      limiting = i;
      wanted = moved.out;
      moved = step.reverse(pass, wanted);
      limited = moved.out;
      if (signOf(moved.out) === 0 || !equal(moved.out, wanted)) return undefined;
    }
    wanted = moved.in;
  }
  for (const step of strand.slice(limiting + 1)) {
    const moved = step.forward(pass, limited);
    if (signOf(moved.out) === 0 || !equal(moved.in, limited)) return undefined;
    limited = moved.out;
  }
  const paid = strand[0]?.moved?.in;
  const delivered = strand.at(-1)?.moved?.out;
  if (paid === undefined || delivered === undefined) return undefined;
  return { view: pass.view, paid, delivered };
}

function tryStrand(
  below: PaymentView,
  strand: Strand,
  most: Quantity,
  amount: Quantity,
  removable: Set<string>,
): StrandOutcome | undefined {
  try {
    return runStrand(below, strand, most, amount, removable);
  } catch (error) {
    if (error instanceof StrandFailure) return undefined;
    throw error;
  }
}

/** The best quality a strand can have now; undefined when one of its books is empty. */
function bestQuality(view: PaymentView, strand: Strand): Quality | undefined {
  let quality = QUALITY_ONE;
  let redeems = false;
  for (const step of strand) {
    const best = step.bestQuality(view, redeems);
    if (best.quality === undefined) return undefined;
    quality = composed(quality, best.quality);
    redeems = best.redeems;
  }
  return quality;
}

/** Strands to try, the best first; those beyond the limit leave for good. */
function sortStrands(view: PaymentView, strands: readonly Strand[], limit: Quality | undefined): readonly Strand[] {
  if (strands.length < 2) return strands;
  return strands
    .map((strand) => ({ strand, quality: bestQuality(view, strand) }))
    .filter(({ quality }) => quality !== undefined && (limit === undefined || quality <= limit))
    .sort((a, b) => ((a.quality ?? 0n) < (b.quality ?? 0n) ? -1 : a.quality === b.quality ? 0 : 1))
    .map(({ strand }) => strand);
}

type Totals = { readonly paid: Quantity; readonly delivered: Quantity };

/** Whether what moved is what was asked for, and what it is called if not. */
function judge({ amount, most, partial, crossing }: FlowRequest, { paid, delivered }: Totals): ResultName {
  const compared = order(delivered, amount);
  if (compared > 0) return 'tefEXCEPTION';
  if (compared < 0) {
    // A new offer that has to be filled at once and sells may get more than it asks, so its input decides.
    if (!partial && crossing !== 'sell') return 'tecPATH_PARTIAL';
    if (partial && signOf(delivered) === 0) return 'tecPATH_DRY';
  }
  const leavesInput = !partial && crossing === 'sell' && signOf(minus(most, paid)) !== 0;
  return leavesInput ? 'tecPATH_PARTIAL' : 'tesSUCCESS';
}

/** Takes the best strand as far as it goes, again and again, until everything is delivered or nothing is left. */
function runStrands(
  view: PaymentView,
  strands: readonly Strand[],
  request: FlowRequest,
  removable: Set<string>,
): Totals | undefined {
  const { amount, most, crossing, limitQuality: limit } = request;
  const noneIn = zeroOf(request.spend);
  const noneOut = zeroOf(request.deliver);
  const paid: Quantity[] = [];
  const delivered: Quantity[] = [];
  let next = strands;
  let considered = 0;
  const remainingOut = (): Quantity => minus(amount, sum(delivered, noneOut));
  const remainingIn = (): Quantity => minus(most, sum(paid, noneIn));
  for (let round = 1; signOf(remainingOut()) > 0 && signOf(remainingIn()) > 0; round++) {
    if (round >= MOST_ROUNDS) return undefined;
    const current = sortStrands(view, next, limit);
    next = [];
    const toRemove = new Set<string>();
    let found: StrandOutcome | undefined;
    for (const [i, strand] of current.entries()) {
      if (crossing !== 'no' && limit !== undefined) {
        const best = bestQuality(view, strand);
        if (best === undefined || best > limit) continue;
      }
      const outcome = tryStrand(view, strand, remainingIn(), remainingOut(), toRemove);
      considered += offersUsed(strand);
      if (!outcome || signOf(outcome.delivered) === 0) continue;
      if (limit !== undefined && qualityOf(outcome.paid, outcome.delivered) > limit) continue;
      found = outcome;
      const again = strand.some(({ isExhausted }) => isExhausted) ? [] : [strand];
      next = [...again, ...current.slice(i + 1)];
      break;
    }
    if (found) {
      paid.push(found.paid);
      delivered.push(found.delivered);
      found.view?.applyTo(view);
    }
    for (const index of toRemove) {
      removable.add(index);
      if (read(view, 'Offer', index)) removeOffer(view, index);
    }
    if (!found || considered >= MOST_OFFERS_OF_ALL) break;
  }
  return { paid: sum(paid, noneIn), delivered: sum(delivered, noneOut) };
}

/**
 * Moves money over trust lines and order books, as much as is asked or as there is, at the best prices. The view is
 * changed only on tesSUCCESS; apply it to the transaction's view then. A `ter` result says that no way leads from the
 * source to the destination. Throws RangeError on amounts beyond what the ledger counts.
 *
 * Source of the rules: https://xrpl.org/docs/concepts/tokens/fungible-tokens/paths
 */
export function flow(view: PaymentView, rules: NetworkRules, request: FlowRequest): FlowOutcome {
  const none = { paid: zeroOf(request.spend), delivered: zeroOf(request.deliver) };
  const made = toStrands(view, rules, request);
  if ('result' in made) return { ...none, result: made.result, removable: new Set() };
  const removable = new Set<string>();
  const within = new PaymentView(view);
  const totals = runStrands(within, made.strands, request, removable);
  if (!totals) return { ...none, result: 'telFAILED_PROCESSING', removable };
  const result = judge(request, totals);
  if (result === 'tesSUCCESS') within.applyTo(view);
  return { ...totals, result, removable };
}
