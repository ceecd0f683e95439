import { isNegative, isZero, parseDecimal } from '../amount.ts';
import { has, isIssued, LINE, LSF, NO_ISSUER, type RippleState, withFlag, withoutFlag } from '../entries.ts';
import { isLow, lineIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { reserveDrops } from '../rules.ts';
import type { ReadView } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';
import {
  balanceFrom,
  changeOwnerCount,
  createLine,
  deleteLine,
  findLine,
  needsReserve,
  type Side,
  setLimit,
} from './lines.ts';
import { type ApplyContext, hasFlag, type PreclaimContext, type TransactionType } from './types.ts';
import { account } from './view.ts';

const TF = {
  setAuth: 0x00010000,
  setNoRipple: 0x00020000,
  clearNoRipple: 0x00040000,
  setFreeze: 0x00100000,
  clearFreeze: 0x00200000,
  setDeepFreeze: 0x00400000,
  clearDeepFreeze: 0x00800000,
} as const;
const ALL_FLAGS = Object.values(TF).reduce((mask, flag) => mask | flag, 0);
const QUALITY_ONE = 1_000_000_000;
/** The currency code that spells XRP, which no issuer may use. */
export const BAD_CURRENCY = '0000000000000000000000005852500000000000';
/** The first two owned objects need no reserve for a new line, so that a fresh account can hold something. */
const FREE_OWNED_OBJECTS = 2;

function preflight(fields: TransactionFields): ResultName {
  const limit = fields.LimitAmount;
  if (limit === undefined || !isIssued(limit)) return 'temBAD_LIMIT';
  if (limit.currency === BAD_CURRENCY) return 'temBAD_CURRENCY';
  if (isNegative(parseDecimal(limit.value))) return 'temBAD_LIMIT';
  return limit.issuer === NO_ISSUER ? 'temDST_NEEDED' : 'tesSUCCESS';
}

function preclaim({ view, fields }: PreclaimContext): ResultName {
  const limit = fields.LimitAmount;
  const root = account(view, fields.Account);
  if (!root || limit === undefined || !isIssued(limit)) return 'temBAD_LIMIT';
  if (hasFlag(fields, TF.setAuth) && !has(root.Flags, LSF.requireAuth)) return 'tefNO_AUTH_REQUIRED';
  if (limit.issuer === fields.Account) return 'temDST_IS_SRC';
  const peer = account(view, limit.issuer);
  if (!peer) return 'tecNO_DST';
  if (has(peer.Flags, LSF.disallowIncomingTrustline) && !findLine(view, fields.Account, peer.Account, limit.currency)) {
    return 'tecNO_PERMISSION';
  }
  return mayFreeze(view, fields, has(root.Flags, LSF.noFreeze)) ? 'tesSUCCESS' : 'tecNO_PERMISSION';
}

/** The flags of a side after what the transaction asks about freezing it. */
function freezeFlags(flags: number, side: Side, fields: TransactionFields): number {
  const { freeze, deepFreeze } = LINE[side];
  let after = flags;
  if (hasFlag(fields, TF.setFreeze)) after = withFlag(after, freeze);
  if (hasFlag(fields, TF.clearFreeze)) after = withoutFlag(after, freeze);
  if (hasFlag(fields, TF.setDeepFreeze)) after = withFlag(after, deepFreeze);
  if (hasFlag(fields, TF.clearDeepFreeze)) after = withoutFlag(after, deepFreeze);
  return after;
}

/** Nothing is frozen and thawed at once, nor by who gave freezing up; and what is deeply frozen must be frozen. */
function mayFreeze(view: ReadView, fields: TransactionFields, gaveUp: boolean): boolean {
  const freezes = hasFlag(fields, TF.setFreeze | TF.setDeepFreeze);
  const thaws = hasFlag(fields, TF.clearFreeze | TF.clearDeepFreeze);
  if (freezes && (gaveUp || thaws)) return false;
  const limit = fields.LimitAmount;
  if (limit === undefined || !isIssued(limit)) return false;
  const side: Side = isLow(fields.Account, limit.issuer) ? 'low' : 'high';
  const before = findLine(view, fields.Account, limit.issuer, limit.currency)?.Flags ?? 0;
  const after = freezeFlags(before, side, fields);
  return !has(after, LINE[side].deepFreeze) || has(after, LINE[side].freeze);
}

/** QualityOut of one is no quality at all; QualityIn of one is kept, though it means the same. */
const qualityOut = (value: number | undefined): number | undefined => (value === QUALITY_ONE ? 0 : value);

function setQualities(line: RippleState, side: Side, fields: TransactionFields): void {
  const names =
    side === 'low' ? (['LowQualityIn', 'LowQualityOut'] as const) : (['HighQualityIn', 'HighQualityOut'] as const);
  const values = [fields.QualityIn, qualityOut(fields.QualityOut)];
  names.forEach((name, i) => {
    const value = values[i];
    if (value) line[name] = value;
    else if (value === 0) delete line[name];
  });
}

/** The line as TrustSet looks at reserves: a quality of one is none, though a payment takes it for one. */
function withoutQualityOne(line: RippleState): RippleState {
  const shown = { ...line };
  for (const name of ['LowQualityIn', 'LowQualityOut', 'HighQualityIn', 'HighQualityOut'] as const) {
    if (shown[name] === QUALITY_ONE) delete shown[name];
  }
  return shown;
}

/** Applies the flags the sender asked for to its side; tecNO_PERMISSION for NoRipple on a negative balance. */
function setFlags(line: RippleState, side: Side, { fields }: ApplyContext): ResultName {
  const bits = LINE[side];
  const wants = (flag: number, opposite: number): boolean => hasFlag(fields, flag) && !hasFlag(fields, opposite);
  if (wants(TF.setNoRipple, TF.clearNoRipple)) {
    if (isNegative(balanceFrom(line, side))) return 'tecNO_PERMISSION';
    line.Flags = withFlag(line.Flags, bits.noRipple);
  } else if (wants(TF.clearNoRipple, TF.setNoRipple)) line.Flags = withoutFlag(line.Flags, bits.noRipple);
  if (hasFlag(fields, TF.setAuth)) line.Flags = withFlag(line.Flags, bits.auth);
  line.Flags = freezeFlags(line.Flags, side, fields);
  return 'tesSUCCESS';
}

function changeLine(context: ApplyContext, line: RippleState, side: Side, reserveNeededDrops: bigint): ResultName {
  const { view, fields } = context;
  const limit = fields.LimitAmount;
  if (limit === undefined || !isIssued(limit)) return 'temBAD_LIMIT';
  setLimit(line, side, { ...limit, issuer: fields.Account });
  setQualities(line, side, fields);
  const flagged = setFlags(line, side, context);
  if (flagged !== 'tesSUCCESS') return flagged;
  let reserveGrew = false;
  let isDefault = true;
  for (const each of ['low', 'high'] as const) {
    const bit = LINE[each].reserve;
    const needed = needsReserve(view, withoutQualityOne(line), each);
    if (needed) isDefault = false;
    if (needed === has(line.Flags, bit)) continue;
    line.Flags = needed ? withFlag(line.Flags, bit) : withoutFlag(line.Flags, bit);
    changeOwnerCount(view, each === 'low' ? line.LowLimit.issuer : line.HighLimit.issuer, needed ? 1 : -1);
    if (needed && each === side) reserveGrew = true;
  }
  if (isDefault) deleteLine(view, line);
  else if (reserveGrew && context.priorBalanceDrops < reserveNeededDrops) return 'tecINSUF_RESERVE_LINE';
  return 'tesSUCCESS';
}

/** TrustSet: creates, changes or removes the sender's side of a trust line. */
export const trustSet: TransactionType = {
  flags: ALL_FLAGS,
  preflight,
  preclaim,
  apply(context) {
    const { view, fields, rules, account: root } = context;
    const limit = fields.LimitAmount;
    if (limit === undefined || !isIssued(limit)) return 'temBAD_LIMIT';
    const side: Side = isLow(root.Account, limit.issuer) ? 'low' : 'high';
    const reserveNeededDrops = root.OwnerCount < FREE_OWNED_OBJECTS ? 0n : reserveDrops(rules, root.OwnerCount + 1);
    const existing = view.edit('RippleState', lineIndex(root.Account, limit.issuer, limit.currency));
    if (existing) return changeLine(context, existing, side, reserveNeededDrops);
    const asksNothing =
      isZero(parseDecimal(limit.value)) &&
      !fields.QualityIn &&
      !qualityOut(fields.QualityOut) &&
      !hasFlag(fields, TF.setAuth);
    if (asksNothing) return 'tecNO_LINE_REDUNDANT';
    if (context.priorBalanceDrops < reserveNeededDrops) return 'tecNO_LINE_INSUF_RESERVE';
    const line = createLine(view, root.Account, limit);
    setQualities(line, side, fields);
    return setFlags(line, side, context);
  },
};
