import type { NetworkRules } from '../../rules.ts';
import type { ReadView } from '../../state.ts';
import { findLine } from '../lines.ts';
import { account } from '../view.ts';
import { QUALITY_ONE } from './quality.ts';
import { isXrp, type Quantity, XRP } from './quantity.ts';
import { assetKey, type Moved, type Pass, type Step, type StepOrResult, type StrandContext } from './step.ts';
import { isStepFrozen, liquidDrops, send } from './transfers.ts';

const dropsOf = (quantity: Quantity): bigint => {
  if (typeof quantity !== 'bigint') throw new TypeError('XRP is counted in drops');
  return quantity;
};

/** The XRP of the account that a strand begins or ends with. */
class XrpStep implements Step {
  readonly offersUsed = 0;
  readonly isExhausted = false;
  readonly book = undefined;
  readonly lineFrom = undefined;
  readonly key: string;
  moved: Moved | undefined;
  private readonly address: string;
  private readonly isLast: boolean;
  private readonly rules: NetworkRules;
  /** An offer that will make a new line may use the reserve that the line will need. */
  private readonly reserveReduction: number;

  constructor({ view, rules, isFirst, isLast, crossing, deliver }: StrandContext, address: string) {
    this.address = address;
    this.isLast = isLast;
    this.rules = rules;
    this.key = `${isLast ? '>' : ''}${address}/XRP`;
    const makesLine =
      crossing !== 'no' && isFirst && !(!isXrp(deliver) && findLine(view, address, deliver.issuer, deliver.currency));
    this.reserveReduction = makesLine ? 1 : 0;
  }

  redeems(): boolean {
    return false;
  }

  qualityIn(_view: ReadView): number {
    return 1_000_000_000;
  }

  bestQuality() {
    return { quality: QUALITY_ONE, redeems: false };
  }

  private move({ view }: Pass, wanted: Quantity): Moved {
    const drops = dropsOf(wanted);
    const liquid = this.isLast ? drops : liquidDrops(view, this.rules, this.address, this.reserveReduction);
    const moving = liquid < drops ? liquid : drops;
    send(view, this.isLast ? '' : this.address, this.isLast ? this.address : '', XRP.currency, moving);
    this.moved = { in: moving, out: moving };
    return this.moved;
  }

  reverse(pass: Pass, out: Quantity): Moved {
    return this.move(pass, out);
  }

  forward(pass: Pass, into: Quantity): Moved {
    return this.move(pass, into);
  }
}

/** A step to or from an account's XRP, or why there can be none. */
export function makeXrpStep(context: StrandContext, address: string): StepOrResult {
  if (address === '') return { result: 'temBAD_PATH' };
  if (!account(context.view, address)) return { result: 'terNO_ACCOUNT' };
  if (!context.isFirst && !context.isLast) return { result: 'temBAD_PATH' };
  // An account that froze its own currency everywhere cannot be paid XRP by exchange either.
  if (context.isLast && isStepFrozen(context.view, '', address, XRP.currency)) return { result: 'terNO_LINE' };
  const seen = context.isLast ? context.seenSources : context.seenDestinations;
  if (seen.has(assetKey(XRP))) return { result: 'temBAD_PATH_LOOP' };
  seen.add(assetKey(XRP));
  return { step: new XrpStep(context, address) };
}
