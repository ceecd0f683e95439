import { compare, type Decimal, isPositive, ZERO } from '../../amount.ts';
import { has, LINE, LSF } from '../../entries.ts';
import type { ResultName } from '../../results.ts';
import type { ReadView } from '../../state.ts';
import { balanceFrom, findLine, sideOf } from '../lines.ts';
import { account } from '../view.ts';
import { type Quality, qualityOf } from './quality.ts';
import { least, minus, order, PARITY, plus, type Quantity, ratio, signOf } from './quantity.ts';
import { assetKey, type Moved, type Pass, type Step, type StepOrResult, type StrandContext } from './step.ts';
import { balanceTowards, forbidsRippling, isStepFrozen, limitTowards, send, transferRate } from './transfers.ts';

type Flow = Moved & { readonly across: Quantity; readonly redeems: boolean };

/** A difference up to this may come of rounding. */
const SMALL: Decimal = { mantissa: 10n ** 15n, exponent: -24 };

/** Money passing from one account to another over their trust line. */
class DirectStep implements Step {
  readonly offersUsed = 0;
  readonly isExhausted = false;
  readonly book = undefined;
  readonly lineFrom: string;
  readonly key: string;
  private readonly from: string;
  private readonly to: string;
  private readonly currency: string;
  private readonly previous: Step | undefined;
  private readonly isLast: boolean;
  private readonly crosses: boolean;
  private flow: Flow | undefined;

  constructor(context: StrandContext, from: string, to: string, currency: string) {
    this.from = from;
    this.lineFrom = from;
    this.to = to;
    this.currency = currency;
    this.previous = context.previous;
    this.isLast = context.isLast;
    this.crosses = context.crossing !== 'no';
    this.key = `${from}>${to}/${currency}`;
  }

  get moved(): Moved | undefined {
    return this.flow;
  }

  redeems(view: ReadView, isForward: boolean): boolean {
    if (isForward && this.flow) return this.flow.redeems;
    return signOf(balanceTowards(view, this.from, this.to, this.currency)) > 0;
  }

  /** What can pass at most. An offer that is filled may go beyond the limit of its owner's line. */
  private most(view: ReadView, wanted: Quantity): { most: Quantity; redeems: boolean } {
    if (this.crosses && this.isLast) return { most: wanted, redeems: false };
    const held = balanceTowards(view, this.from, this.to, this.currency);
    if (signOf(held) > 0) return { most: held, redeems: true };
    return { most: plus(limitTowards(view, this.to, this.from, this.currency), held), redeems: false };
  }

  private lineQuality(view: ReadView, whose: 'in of the receiver' | 'out of the sender'): number {
    if (this.crosses) return PARITY;
    const line = findLine(view, this.from, this.to, this.currency);
    if (!line) return PARITY;
    const receives = whose === 'in of the receiver';
    const isLow = sideOf(line, receives ? this.to : this.from) === 'low';
    if (receives) return (isLow ? line.LowQualityIn : line.HighQualityIn) || PARITY;
    return (isLow ? line.LowQualityOut : line.HighQualityOut) || PARITY;
  }

  qualityIn(view: ReadView): number {
    return this.lineQuality(view, 'in of the receiver');
  }

  /** What the sender is charged for what passes, and what the receiver counts it as. */
  private rates(view: ReadView, redeems: boolean, previousRedeems: boolean): { charged: number; counted: number } {
    if (redeems) {
      if (!this.previous) return { charged: PARITY, counted: PARITY };
      const charged = Math.max(this.previous.qualityIn(view), this.lineQuality(view, 'out of the sender'));
      return { charged, counted: PARITY };
    }
    const counted = this.lineQuality(view, 'in of the receiver');
    return {
      charged: previousRedeems ? transferRate(view, this.from) : PARITY,
      counted: this.isLast ? Math.min(counted, PARITY) : counted,
    };
  }

  bestQuality(view: ReadView, previousRedeems: boolean): { quality: Quality; redeems: boolean } {
    const redeems = this.redeems(view, true);
    const { charged, counted } = this.rates(view, redeems, previousRedeems);
    return { quality: qualityOf(BigInt(charged), BigInt(counted)), redeems };
  }

  private previousRedeems(view: ReadView, isForward: boolean): boolean {
    return this.previous?.redeems(view, isForward) ?? false;
  }

  private keep(flow: Flow): Moved {
    this.flow = flow;
    return flow;
  }

  reverse({ view }: Pass, out: Quantity): Moved {
    this.flow = undefined;
    const { most, redeems } = this.most(view, out);
    const { charged, counted } = this.rates(view, redeems, !redeems && this.previousRedeems(view, false));
    if (signOf(most) <= 0) return this.keep({ in: ZERO, across: ZERO, out: ZERO, redeems });
    const wanted = ratio(out, PARITY, counted, true);
    const isLimit = order(wanted, most) > 0;
    const across = isLimit ? most : wanted;
    const given = isLimit ? ratio(most, counted, PARITY, false) : out;
    this.keep({ in: ratio(across, charged, PARITY, true), across, out: given, redeems });
    send(view, this.from, this.to, this.currency, across);
    return this.flow ?? { in: ZERO, out: ZERO };
  }

  /** Forward never passes more than reverse did, however the rounding falls. */
  private keepWithin(into: Quantity, across: Quantity, out: Quantity, redeems: boolean): Flow {
    const known = this.flow;
    if (known && order(into, known.in) > 0) {
      const excess = minus(into, known.in) as Decimal;
      const [now, then] = [into as Decimal, known.in as Decimal];
      const differs =
        then.mantissa === 0n || now.exponent !== then.exponent || Number(now.mantissa) / Number(then.mantissa) > 1.01;
      if (compare(excess, SMALL) > 0 && differs) {
        this.flow = { in: into, across, out, redeems };
        return this.flow;
      }
    }
    this.flow = known
      ? { in: into, across: least(known.across, across), out: least(known.out, out), redeems }
      : { in: into, across, out, redeems };
    return this.flow;
  }

  forward({ view }: Pass, into: Quantity): Moved {
    const { most, redeems } = this.most(view, this.flow?.across ?? ZERO);
    const { charged, counted } = this.rates(view, redeems, !redeems && this.previousRedeems(view, true));
    if (signOf(most) <= 0) return this.keep({ in: ZERO, across: ZERO, out: ZERO, redeems });
    const wanted = ratio(into, PARITY, charged, false);
    const isLimit = order(wanted, most) > 0;
    const across = isLimit ? most : wanted;
    const taken = isLimit ? ratio(most, charged, PARITY, true) : into;
    const flow = this.keepWithin(taken, across, ratio(across, counted, PARITY, false), redeems);
    send(view, this.from, this.to, this.currency, flow.across);
    return flow;
  }
}

/** What a payment over a line needs: a line, leave to hold more where the line is empty, rippling, and room. */
function checkLine({ view, previous }: StrandContext, from: string, to: string, currency: string): ResultName {
  const line = findLine(view, from, to, currency);
  if (!line) return 'terNO_LINE';
  const mine = LINE[sideOf(line, from)];
  const needsAuth = has(account(view, from)?.Flags ?? 0, LSF.requireAuth);
  const owed = balanceFrom(line, sideOf(line, from));
  if (needsAuth && !has(line.Flags, mine.auth) && signOf(owed) === 0) return 'terNO_AUTH';
  if (previous?.book && has(line.Flags, mine.noRipple)) return 'terNO_RIPPLE';
  if (isPositive(owed)) return 'tesSUCCESS';
  const room = plus(limitTowards(view, to, from, currency), owed);
  return signOf(room) <= 0 ? 'tecPATH_DRY' : 'tesSUCCESS';
}

/** Whether the step would lead money past an asset that the strand has been to. */
function isLoop(context: StrandContext, from: string, to: string, currency: string): boolean {
  const source = assetKey({ currency, issuer: from });
  const destination = assetKey({ currency, issuer: to });
  const { seenBookOuts, previous, seenSources, seenDestinations } = context;
  if (seenBookOuts.has(source) && previous?.book && assetKey(previous.book.out) !== source) return true;
  if (seenSources.has(source)) return true;
  seenSources.add(source);
  if (seenDestinations.has(destination)) return true;
  seenDestinations.add(destination);
  return false;
}

/** A step over the trust line of two accounts, or why there can be none. */
export function makeDirectStep(context: StrandContext, from: string, to: string, currency: string): StepOrResult {
  const { view, previous, crossing } = context;
  if (from === '' || to === '' || from === to) return { result: 'temBAD_PATH' };
  if (!account(view, from)) return { result: 'terNO_ACCOUNT' };
  const isWholePath = context.isFirst && context.isLast;
  if (!isWholePath && isStepFrozen(view, from, to, currency)) return { result: 'terNO_LINE' };
  if (previous?.lineFrom !== undefined) {
    const result = forbidsRippling(view, previous.lineFrom, from, to, currency);
    if (result !== 'tesSUCCESS') return { result };
  }
  if (isLoop(context, from, to, currency)) return { result: 'temBAD_PATH_LOOP' };
  const result = crossing === 'no' ? checkLine(context, from, to, currency) : 'tesSUCCESS';
  return result === 'tesSUCCESS' ? { step: new DirectStep(context, from, to, currency) } : { result };
}
