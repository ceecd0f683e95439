import {
  add,
  compare,
  type Decimal,
  formatDecimal,
  isPositive,
  isZero,
  parseDecimal,
  subtract,
  ZERO,
} from '../amount.ts';
import {
  has,
  type IssuedAmount,
  LINE,
  LSF,
  NO_ISSUER,
  type RippleState,
  UNTHREADED,
  withFlag,
  withoutFlag,
} from '../entries.ts';
import { isLow, lineIndex } from '../keylets.ts';
import { type ReadView, read, type WriteView } from '../state.ts';
import { addToDirectory, removeFromDirectory } from './directory.ts';
import { account } from './view.ts';

export type Side = 'low' | 'high';

export const sideOf = (line: RippleState, address: string): Side => (line.LowLimit.issuer === address ? 'low' : 'high');
export const otherSide = (side: Side): Side => (side === 'low' ? 'high' : 'low');
export const addressOf = (line: RippleState, side: Side): string =>
  side === 'low' ? line.LowLimit.issuer : line.HighLimit.issuer;

/** The trust line between two accounts in any view. */
export function findLine(view: ReadView, a: string, b: string, currency: string): RippleState | undefined {
  return read(view, 'RippleState', lineIndex(a, b, currency));
}

/** What one side holds of the other's currency; negative when it owes. */
export function balanceFrom(line: RippleState, side: Side): Decimal {
  const balance = parseDecimal(line.Balance.value);
  return side === 'low' ? balance : subtract(ZERO, balance);
}

export function limitOf(line: RippleState, side: Side): Decimal {
  return parseDecimal((side === 'low' ? line.LowLimit : line.HighLimit).value);
}

export function setLimit(line: RippleState, side: Side, limit: IssuedAmount): void {
  if (side === 'low') line.LowLimit = limit;
  else line.HighLimit = limit;
}

export function setBalanceFrom(line: RippleState, side: Side, balance: Decimal): void {
  const low = side === 'low' ? balance : subtract(ZERO, balance);
  line.Balance = { ...line.Balance, value: formatDecimal(low) };
}

export function hasQuality(line: RippleState, side: Side): boolean {
  return side === 'low'
    ? Boolean(line.LowQualityIn || line.LowQualityOut)
    : Boolean(line.HighQualityIn || line.HighQualityOut);
}

/** Whether this side's settings differ from a line it never asked for, so that it must hold a reserve for it. */
export function needsReserve(view: ReadView, line: RippleState, side: Side): boolean {
  const ripples = has(account(view, addressOf(line, side))?.Flags ?? 0, LSF.defaultRipple);
  const flags = LINE[side];
  return (
    hasQuality(line, side) ||
    !has(line.Flags, flags.noRipple) !== ripples ||
    has(line.Flags, flags.freeze | flags.deepFreeze) ||
    !isZero(limitOf(line, side)) ||
    isPositive(balanceFrom(line, side))
  );
}

export function changeOwnerCount(view: WriteView, address: string, by: number): void {
  const root = view.editAccount(address);
  if (!root) return;
  const before = root.OwnerCount;
  root.OwnerCount = Math.max(0, before + by);
  view.ownerCountChanged?.(address, before, root.OwnerCount);
}

/** A new line that `owner` asks for with a limit on `peer`'s currency. The caller sets its further flags. */
export function createLine(view: WriteView, owner: string, limit: IssuedAmount): RippleState {
  const peer = limit.issuer;
  const { currency } = limit;
  const index = lineIndex(owner, peer, currency);
  const ownerSide: Side = isLow(owner, peer) ? 'low' : 'high';
  const peerSide = otherSide(ownerSide);
  const [lowAddress, highAddress] = ownerSide === 'low' ? [owner, peer] : [peer, owner];
  const lowNode = addToDirectory(view, lowAddress, index);
  const highNode = addToDirectory(view, highAddress, index);
  const peerRipples = has(account(view, peer)?.Flags ?? 0, LSF.defaultRipple);
  const line: RippleState = {
    LedgerEntryType: 'RippleState',
    Balance: { currency, issuer: NO_ISSUER, value: '0' },
    Flags: withFlag(LINE[ownerSide].reserve, peerRipples ? 0 : LINE[peerSide].noRipple),
    HighLimit: { currency, issuer: highAddress, value: '0' },
    HighNode: highNode,
    LowLimit: { currency, issuer: lowAddress, value: '0' },
    LowNode: lowNode,
    ...UNTHREADED,
  };
  setLimit(line, ownerSide, { currency, issuer: owner, value: limit.value });
  view.create(index, line);
  changeOwnerCount(view, owner, 1);
  return line;
}

/** Removes a line from the ledger and both directories. Reserves must have been released before. */
export function deleteLine(view: WriteView, line: RippleState): void {
  const { currency } = line.Balance;
  const index = lineIndex(line.LowLimit.issuer, line.HighLimit.issuer, currency);
  removeFromDirectory(view, line.LowLimit.issuer, line.LowNode, index);
  removeFromDirectory(view, line.HighLimit.issuer, line.HighNode, index);
  view.erase(index);
}

/** How much `from` can move to `to` over their line: what it holds, then what the other still trusts it for. */
export function capacity(line: RippleState, from: string): Decimal {
  const side = sideOf(line, from);
  const held = balanceFrom(line, side);
  const trusted = add(limitOf(line, otherSide(side)), held);
  const most = compare(trusted, held) > 0 ? trusted : held;
  return isPositive(most) ? most : ZERO;
}

/**
 * Moves an amount over a line. A sender left with nothing and with default settings gets its reserve back, and the
 * line disappears when the receiver holds no reserve for it either.
 */
export function moveOnLine(view: WriteView, from: string, to: string, currency: string, amount: Decimal): void {
  const line = view.edit('RippleState', lineIndex(from, to, currency));
  if (!line) throw new Error(`no ${currency} line between ${from} and ${to}`);
  const side = sideOf(line, from);
  const before = balanceFrom(line, side);
  const after = subtract(before, amount);
  setBalanceFrom(line, side, after);
  const releasesReserve =
    isPositive(before) && !isPositive(after) && has(line.Flags, LINE[side].reserve) && !needsReserve(view, line, side);
  if (!releasesReserve) return;
  line.Flags = withoutFlag(line.Flags, LINE[side].reserve);
  changeOwnerCount(view, from, -1);
  if (isZero(after) && !has(line.Flags, LINE[otherSide(side)].reserve)) deleteLine(view, line);
}
