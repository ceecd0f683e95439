import type { MPToken, MPTokenIssuance } from '../entries.ts';
import { issuanceIndex, mptokenIndex } from '../keylets.ts';
import type { TransactionView } from './view.ts';

/** The most an issuance can ever have outstanding when it names no maximum. */
export const MAX_MPT = 0x7fff_ffff_ffff_ffffn;

/** A TransferFee of 1 is a thousandth of a percent. */
const FEE_UNITS = 100_000n;

export const heldOf = (token: MPToken): bigint => BigInt(token.MPTAmount ?? '0');
export const maximumOf = (issuance: MPTokenIssuance): bigint => BigInt(issuance.MaximumAmount ?? MAX_MPT);

function divideNearest(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const doubled = (numerator % denominator) * 2n;
  return doubled > denominator || (doubled === denominator && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

/** What a sender must give so that the amount arrives. Throws RangeError when no amount can be so large. */
export function withTransferFee(amount: bigint, transferFee: number): bigint {
  const sent = divideNearest(amount * (FEE_UNITS + BigInt(transferFee)), FEE_UNITS);
  if (sent > MAX_MPT) throw new RangeError('amount too large to add a fee to');
  return sent;
}

const LEAST_DIVIDEND = 10n ** 15n;
const MAX_QUOTIENT = 2n ** 64n - 1n;

/**
 * What arrives of what a sender gives, to the nearest unit. As on the server, the quotient is worked out to two digits
 * more than the amount of at least 16, and the last of them is nudged up, so that a half rounds upwards. Throws
 * RangeError when the quotient does not fit into 64 bits.
 */
export function withoutTransferFee(amount: bigint, transferFee: number): bigint {
  if (transferFee === 0 || amount === 0n) return amount;
  let scale = 100n;
  while ((amount * scale) / 100n < LEAST_DIVIDEND) scale *= 10n;
  const quotient = (amount * scale * FEE_UNITS) / (FEE_UNITS + BigInt(transferFee));
  if (quotient > MAX_QUOTIENT) throw new RangeError('amount too large to take a fee off');
  return divideNearest(quotient + 5n, scale);
}

function setHeld(token: MPToken, amount: bigint): void {
  if (amount === 0n) delete token.MPTAmount;
  else token.MPTAmount = String(amount);
}

/** Adds to what an issuance or a holder has in escrow; the field is there only while something is. */
function changeLocked(entry: MPTokenIssuance | MPToken, by: bigint): void {
  const locked = BigInt(entry.LockedAmount ?? '0') + by;
  if (locked < 0n) throw new RangeError('more tokens leave escrow than are in it');
  if (locked === 0n) delete entry.LockedAmount;
  else entry.LockedAmount = String(locked);
}

export type MptMove = {
  readonly from: string;
  readonly to: string;
  /** What leaves the sender. */
  readonly sent: bigint;
  /** What reaches the receiver; the difference is burned as the transfer fee. */
  readonly delivered: bigint;
};

/** Moves tokens between holders and the issuer. The caller has checked that balances and the maximum allow it. */
export function moveMpt(view: TransactionView, mptIssuanceId: string, { from, to, sent, delivered }: MptMove): void {
  const issuance = view.edit('MPTokenIssuance', issuanceIndex(mptIssuanceId));
  if (!issuance) throw new Error(`no issuance ${mptIssuanceId}`);
  let outstanding = BigInt(issuance.OutstandingAmount);
  if (from === issuance.Issuer) outstanding += delivered;
  else {
    const token = view.edit('MPToken', mptokenIndex(mptIssuanceId, from));
    if (token) setHeld(token, heldOf(token) - sent);
    outstanding -= to === issuance.Issuer ? sent : sent - delivered;
  }
  if (to !== issuance.Issuer) {
    const token = view.edit('MPToken', mptokenIndex(mptIssuanceId, to));
    if (token) setHeld(token, heldOf(token) + delivered);
  }
  issuance.OutstandingAmount = String(outstanding);
}

/** Sets part of a holder's tokens aside: they stay outstanding, and the holder's. The caller has checked that it has them. */
export function lockMpt(view: TransactionView, mptIssuanceId: string, holder: string, amount: bigint): void {
  const issuance = view.edit('MPTokenIssuance', issuanceIndex(mptIssuanceId));
  const token = view.edit('MPToken', mptokenIndex(mptIssuanceId, holder));
  if (!issuance || !token) throw new Error(`${holder} holds no ${mptIssuanceId}`);
  setHeld(token, heldOf(token) - amount);
  changeLocked(token, amount);
  changeLocked(issuance, amount);
}

/** Moves tokens out of what a holder set aside, to another holder, to itself, or to the issuer, which burns them. */
export function unlockMpt(view: TransactionView, mptIssuanceId: string, { from, to, sent, delivered }: MptMove): void {
  const issuance = view.edit('MPTokenIssuance', issuanceIndex(mptIssuanceId));
  const source = view.edit('MPToken', mptokenIndex(mptIssuanceId, from));
  if (!issuance || !source) throw new Error(`${from} holds no ${mptIssuanceId}`);
  changeLocked(source, -sent);
  changeLocked(issuance, -sent);
  const burned = to === issuance.Issuer ? sent : sent - delivered;
  issuance.OutstandingAmount = String(BigInt(issuance.OutstandingAmount) - burned);
  if (to === issuance.Issuer) return;
  const target = view.edit('MPToken', mptokenIndex(mptIssuanceId, to));
  if (!target) throw new Error(`${to} holds no ${mptIssuanceId}`);
  setHeld(target, heldOf(target) + delivered);
}
