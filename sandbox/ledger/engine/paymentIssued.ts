import {
  compare,
  type Decimal,
  divide,
  formatDecimal,
  isPositive,
  isZero,
  min,
  multiply,
  parseDecimal,
  rateFactor,
} from '../amount.ts';
import { has, type IssuedAmount, isIssued, LINE, LSF, type RippleState } from '../entries.ts';
import type { ResultName } from '../results.ts';
import { balanceFrom, capacity, findLine, moveOnLine, otherSide, sideOf } from './lines.ts';
import { type ApplyContext, hasFlag, TF_LIMIT_QUALITY, TF_PARTIAL_PAYMENT } from './types.ts';
import { account, type TransactionView } from './view.ts';

/** The line that carries one leg, or undefined when the leg cannot carry anything. */
export function legLine(
  view: TransactionView,
  from: string,
  to: string,
  currency: string,
  isWholePath: boolean,
): RippleState | undefined {
  const line = findLine(view, from, to, currency);
  if (!line) return undefined;
  const fromSide = sideOf(line, from);
  const toBits = LINE[otherSide(fromSide)];
  const receiver = account(view, to);
  // A holder may always settle with its issuer directly; frozen funds only cannot go on to third parties.
  const deeply = LINE.low.deepFreeze | LINE.high.deepFreeze;
  const frozen = has(receiver?.Flags ?? 0, LSF.globalFreeze) || has(line.Flags, toBits.freeze | deeply);
  if (!isWholePath && frozen) return undefined;
  const unauthorized =
    has(account(view, from)?.Flags ?? 0, LSF.requireAuth) &&
    !has(line.Flags, LINE[fromSide].auth) &&
    isZero(parseDecimal(line.Balance.value));
  return unauthorized || isZero(capacity(line, from)) ? undefined : line;
}

/**
 * What `SendMax` leaves the sender to spend of the asset; undefined when it names another asset. The sender's own
 * address as its issuer means any issuer.
 */
function spendLimit(amount: IssuedAmount, { fields }: ApplyContext): Decimal | undefined {
  const { SendMax: sendMax, Account: sender } = fields;
  if (sendMax === undefined) return parseDecimal(amount.value);
  if (!isIssued(sendMax) || sendMax.currency !== amount.currency) return undefined;
  const sameIssuer =
    sendMax.issuer === sender || sendMax.issuer === amount.issuer || amount.issuer === fields.Destination;
  return sameIssuer ? parseDecimal(sendMax.value) : undefined;
}

function settle(context: ApplyContext, amount: IssuedAmount, delivered: Decimal): ResultName {
  const wanted = parseDecimal(amount.value);
  if (!isPositive(delivered)) return 'tecPATH_DRY';
  if (compare(delivered, wanted) === 0) return 'tesSUCCESS';
  if (!hasFlag(context.fields, TF_PARTIAL_PAYMENT)) return 'tecPATH_PARTIAL';
  const { DeliverMin: least } = context.fields;
  if (least !== undefined && isIssued(least) && compare(delivered, parseDecimal(least.value)) < 0) {
    return 'tecPATH_PARTIAL';
  }
  context.deliver({ ...amount, value: formatDecimal(delivered) });
  return 'tesSUCCESS';
}

/** Whether a payment with tfLimitQuality would cost more for what arrives than `SendMax` for `Amount`. */
function isTooDear(context: ApplyContext, sent: Decimal, delivered: Decimal, wanted: Decimal, most: Decimal): boolean {
  if (!hasFlag(context.fields, TF_LIMIT_QUALITY)) return false;
  return compare(multiply(sent, wanted), multiply(most, delivered)) > 0;
}

function payDirect(context: ApplyContext, amount: IssuedAmount, spendable: Decimal): ResultName {
  const { view, account: root } = context;
  const destination = context.fields.Destination ?? '';
  const line = legLine(view, root.Account, destination, amount.currency, true);
  if (!line) return 'tecPATH_DRY';
  const wanted = parseDecimal(amount.value);
  const delivered = min(min(wanted, spendable), capacity(line, root.Account));
  if (isTooDear(context, delivered, delivered, wanted, spendable)) return 'tecPATH_DRY';
  const result = settle(context, amount, delivered);
  if (result === 'tesSUCCESS') moveOnLine(view, root.Account, destination, amount.currency, delivered);
  return result;
}

function payThroughIssuer(context: ApplyContext, amount: IssuedAmount, spendable: Decimal): ResultName {
  const { view, account: root } = context;
  const destination = context.fields.Destination ?? '';
  const { currency, issuer } = amount;
  const inLine = legLine(view, root.Account, issuer, currency, false);
  const outLine = legLine(view, issuer, destination, currency, false);
  if (!inLine || !outLine) return 'tecPATH_DRY';
  const noRippleIn = has(inLine.Flags, LINE[sideOf(inLine, issuer)].noRipple);
  const noRippleOut = has(outLine.Flags, LINE[sideOf(outLine, issuer)].noRipple);
  if (noRippleIn && noRippleOut) return 'tecPATH_DRY';
  const redeems = isPositive(balanceFrom(inLine, sideOf(inLine, root.Account)));
  const rate = rateFactor(redeems ? account(view, issuer)?.TransferRate : undefined);
  const mostSent = min(spendable, capacity(inLine, root.Account));
  const mostPassed = divide(mostSent, rate);
  const wanted = parseDecimal(amount.value);
  const delivered = min(min(wanted, mostPassed), capacity(outLine, issuer));
  const sent = compare(delivered, mostPassed) === 0 ? mostSent : multiply(delivered, rate);
  if (isTooDear(context, sent, delivered, wanted, spendable)) return 'tecPATH_DRY';
  const result = settle(context, amount, delivered);
  if (result !== 'tesSUCCESS') return result;
  moveOnLine(view, root.Account, issuer, currency, sent);
  moveOnLine(view, issuer, destination, currency, delivered);
  return 'tesSUCCESS';
}

/** Issues, redeems, or moves a currency between two holders through its issuer. */
export function payIssued(context: ApplyContext, amount: IssuedAmount): ResultName {
  const spendable = spendLimit(amount, context);
  if (spendable === undefined || !account(context.view, amount.issuer)) return 'tecPATH_DRY';
  const destination = context.fields.Destination ?? '';
  const direct = amount.issuer === destination || amount.issuer === context.account.Account;
  return direct ? payDirect(context, amount, spendable) : payThroughIssuer(context, amount, spendable);
}
