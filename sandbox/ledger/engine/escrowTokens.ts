import { add, compare, type Decimal, divide, isZero, negate, parseDecimal, rateFactor, subtract } from '../amount.ts';
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
import { divideRoundedTo } from './paths/quality.ts';
import { PARITY } from './paths/quantity.ts';
import { transferRate } from './paths/transfers.ts';
import type { ApplyContext } from './types.ts';
import type { TransactionView } from './view.ts';

/** An amount in escrow that is not XRP. */
export type TokenAmount = IssuedAmount | MptAmount;

/** A TransferFee of 1 in billionths. */
const FEE_UNIT = 10_000;

export function issuerOf(amount: TokenAmount): string {
  return isMpt(amount) ? addressOfId(amount.mpt_issuance_id.slice(8)) : amount.issuer;
}

/** What a transfer between holders costs now, in billionths of what arrives. */
export function transferRateOf(view: ReadView, amount: TokenAmount): number {
  if (!isMpt(amount)) return transferRate(view, amount.issuer);
  const issuance = read(view, 'MPTokenIssuance', issuanceIndex(amount.mpt_issuance_id));
  return PARITY + FEE_UNIT * (issuance?.TransferFee ?? 0);
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

/** What is left of an issued amount when the transfer fee is taken off it, rounded up in the last of 16 digits. */
export function issuedWithoutFee(amount: Decimal, rate: number): Decimal {
  if (rate === PARITY) return amount;
  return divideRoundedTo(amount, rateFactor(rate), amount, { up: true, strict: false }) as Decimal;
}

const LEAST_DIVIDEND = 10n ** 15n;
const MAX_QUOTIENT = 2n ** 64n - 1n;

/**
 * What is left of an MPT amount when the transfer fee is taken off it, rounded up by its tenths. Throws RangeError when
 * the quotient, which has two digits more than the amount of at least 16, does not fit into 64 bits.
 */
export function mptWithoutFee(amount: bigint, rate: number): bigint {
  if (rate === PARITY || amount === 0n) return amount;
  let scale = 100n;
  while ((amount * scale) / 100n < LEAST_DIVIDEND) scale *= 10n;
  const divisor = BigInt(rate);
  const quotient = (amount * scale * BigInt(PARITY) + divisor - 1n) / divisor;
  if (quotient > MAX_QUOTIENT) throw new RangeError('amount too large to take a fee off');
  const tenths = (quotient * 10n) / scale;
  // An amount that has 16 digits by itself grows by a unit even when nothing is left over.
  return (tenths + (scale > 100n ? 9n : 10n)) / 10n;
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
