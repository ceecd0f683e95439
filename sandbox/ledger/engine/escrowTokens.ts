import { add, compare, type Decimal, divide, isZero, negate, parseDecimal, subtract } from '../amount.ts';
import {
  type AccountRoot,
  has,
  type IssuedAmount,
  isMpt,
  LINE,
  LSF,
  type MptAmount,
  UNTHREADED,
  withFlag,
} from '../entries.ts';
import { addressOfId, issuanceIndex, mptokenIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { reserveDrops } from '../rules.ts';
import { type ReadView, read } from '../state.ts';
import { addToDirectory } from './directory.ts';
import { balanceFrom, createLine, findLine, limitOf, moveOnLine, sideOf } from './lines.ts';
import { lockMpt, unlockMpt } from './mptBalances.ts';
import type { ApplyContext } from './types.ts';
import { account, type TransactionView } from './view.ts';

/** An amount in escrow that is not XRP. */
export type TokenAmount = IssuedAmount | MptAmount;

/** A transfer rate that takes nothing, in billionths. */
export const NO_FEE = 1_000_000_000;
/** A TransferFee of 1 in billionths. */
const FEE_UNIT = 10_000;

export function issuerOf(amount: TokenAmount): string {
  return isMpt(amount) ? addressOfId(amount.mpt_issuance_id.slice(8)) : amount.issuer;
}

/** What a transfer between holders costs now, in billionths of what arrives. */
export function transferRateOf(view: ReadView, amount: TokenAmount): number {
  if (!isMpt(amount)) return account(view, amount.issuer)?.TransferRate || NO_FEE;
  const issuance = read(view, 'MPTokenIssuance', issuanceIndex(amount.mpt_issuance_id));
  return NO_FEE + FEE_UNIT * (issuance?.TransferFee ?? 0);
}

/** How much two amounts may lose to rounding when one is added to the other, as a part of each. */
const MOST_LOST: Decimal = parseDecimal('0.0001');
const ONE: Decimal = parseDecimal('1');

/** Whether an amount is large enough beside another to be taken off it and put back. */
export function canAdd(a: Decimal, b: Decimal): boolean {
  if (isZero(a) || isZero(b)) return true;
  const lost = (of: Decimal, other: Decimal): Decimal => {
    const part = subtract(divide(add(subtract(of, other), other), of), ONE);
    return part.mantissa < 0n ? negate(part) : part;
  };
  return compare(add(lost(a, b), lost(b, a)), MOST_LOST) <= 0;
}

/** Takes an amount from its holder when an escrow is created. The caller has checked that it is there. */
export function lockTokens(view: TransactionView, holder: string, amount: TokenAmount): void {
  if (isMpt(amount)) lockMpt(view, amount.mpt_issuance_id, holder, BigInt(amount.value));
  else moveOnLine(view, holder, amount.issuer, amount.currency, parseDecimal(amount.value));
}

export type Release = {
  readonly amount: TokenAmount;
  /** Who created the escrow. */
  readonly sender: string;
  /** Who gets the tokens: the destination, or the sender again. */
  readonly receiver: AccountRoot;
  /** The rate at creation; the transfer costs no more than that. */
  readonly lockedRate: number;
};

/** Gives an amount in escrow to its receiver, who may get a line or MPToken for it by acting for itself. */
export function releaseTokens(context: ApplyContext, release: Release): ResultName {
  const { amount } = release;
  return isMpt(amount) ? releaseMpt(context, amount, release) : releaseIssued(context, amount, release);
}

function mayOwnMore({ rules, priorBalanceDrops }: ApplyContext, { OwnerCount: owned }: AccountRoot): boolean {
  return priorBalanceDrops >= reserveDrops(rules, owned + 1);
}

function lowerRate(view: ReadView, amount: TokenAmount, lockedRate: number): number {
  return Math.min(lockedRate, transferRateOf(view, amount));
}

const DIVISION_DIGITS = 10n ** 17n;
const LEAST_MANTISSA = 10n ** 15n;
const MAX_MANTISSA = 10n ** 16n - 1n;
const MAX_QUOTIENT = 2n ** 64n - 1n;

/** Divides by a rate to 17 or 18 digits, rounded up. */
function quotientBy(mantissa: bigint, rate: number): bigint {
  // A rate is at least one, so that its mantissa of 16 digits is a million times its billionths.
  const divisor = BigInt(rate) * 1_000_000n;
  const quotient = (mantissa * DIVISION_DIGITS + divisor - 1n) / divisor;
  if (quotient > MAX_QUOTIENT) throw new RangeError('amount too large to take a fee off');
  return quotient;
}

/** What is left of an issued amount when the transfer fee is taken off it, rounded up in the last of 16 digits. */
export function issuedWithoutFee(amount: Decimal, rate: number): Decimal {
  if (rate === NO_FEE || isZero(amount)) return amount;
  let mantissa = quotientBy(amount.mantissa, rate);
  let exponent = amount.exponent - 2;
  for (; mantissa > 10n * MAX_MANTISSA; exponent++) mantissa /= 10n;
  mantissa = (mantissa + 9n) / 10n;
  return { mantissa, exponent: exponent + 1 };
}

/**
 * What is left of an MPT amount when the transfer fee is taken off it, rounded up by its tenths. Throws RangeError when
 * the amount is too large for the server's division.
 */
export function mptWithoutFee(amount: bigint, rate: number): bigint {
  if (rate === NO_FEE || amount === 0n) return amount;
  let mantissa = amount;
  let exponent = -2;
  for (; mantissa < LEAST_MANTISSA; exponent--) mantissa *= 10n;
  let quotient = quotientBy(mantissa, rate);
  const small = exponent < -2;
  for (; exponent < -1; exponent++) quotient /= 10n;
  return (quotient + (small ? 9n : 10n)) / 10n;
}

function createReceiversLine(context: ApplyContext, amount: IssuedAmount, receiver: AccountRoot): ResultName {
  if (!mayOwnMore(context, receiver)) return 'tecNO_LINE_INSUF_RESERVE';
  const line = createLine(context.view, receiver.Account, { ...amount, value: '0' });
  const bits = LINE[sideOf(line, receiver.Account)];
  if (!has(receiver.Flags, LSF.defaultRipple)) line.Flags = withFlag(line.Flags, bits.noRipple);
  return 'tesSUCCESS';
}

function releaseIssued(context: ApplyContext, amount: IssuedAmount, release: Release): ResultName {
  const { view, account: root } = context;
  const { receiver, lockedRate } = release;
  const { issuer, currency } = amount;
  const to = receiver.Account;
  // What goes back to its issuer ceased to exist when it was locked.
  if (to === issuer) return 'tesSUCCESS';
  const actsForItself = to === root.Account;
  if (!findLine(view, to, issuer, currency)) {
    if (!actsForItself) return 'tecNO_LINE';
    const created = createReceiversLine(context, amount, receiver);
    if (created !== 'tesSUCCESS') return created;
  }
  const arriving = issuedWithoutFee(parseDecimal(amount.value), lowerRate(view, amount, lockedRate));
  const line = findLine(view, to, issuer, currency);
  if (line && !actsForItself) {
    const side = sideOf(line, to);
    if (compare(limitOf(line, side), add(balanceFrom(line, side), arriving)) < 0) return 'tecLIMIT_EXCEEDED';
  }
  moveOnLine(view, issuer, to, currency, arriving);
  return 'tesSUCCESS';
}

function createMptoken(context: ApplyContext, id: string, receiver: AccountRoot): ResultName {
  if (!mayOwnMore(context, receiver)) return 'tecINSUFFICIENT_RESERVE';
  const index = mptokenIndex(id, receiver.Account);
  context.view.create(index, {
    LedgerEntryType: 'MPToken',
    Account: receiver.Account,
    Flags: 0,
    MPTokenIssuanceID: id,
    OwnerNode: addToDirectory(context.view, receiver.Account, index),
    ...UNTHREADED,
  });
  receiver.OwnerCount += 1;
  return 'tesSUCCESS';
}

function releaseMpt(context: ApplyContext, amount: MptAmount, release: Release): ResultName {
  const { view, account: root } = context;
  const { sender, receiver, lockedRate } = release;
  const { mpt_issuance_id: id } = amount;
  const to = receiver.Account;
  const redeems = to === issuerOf(amount);
  if (!redeems && !view.get(mptokenIndex(id, to))) {
    if (to !== root.Account) return 'tecNO_PERMISSION';
    const created = createMptoken(context, id, receiver);
    if (created !== 'tesSUCCESS') return created;
  }
  const locked = BigInt(amount.value);
  const arriving = redeems ? locked : mptWithoutFee(locked, lowerRate(view, amount, lockedRate));
  unlockMpt(view, id, { from: sender, to, sent: locked, delivered: arriving });
  return 'tesSUCCESS';
}
