import { expect, test } from 'vitest';
import { findLine, sideOf } from '../engine/lines.ts';
import { account } from '../engine/view.ts';
import { has, LINE, type RippleState } from '../entries.ts';
import type { ResultName } from '../results.ts';
import type { TransactionFields } from '../transaction.ts';
import { ADDRESSES, History } from './histories.ts';

const [ISSUER, HOLDER, OTHER] = [0, 1, 2] as const;
const TF = {
  setAuth: 0x00010000,
  setNoRipple: 0x00020000,
  clearNoRipple: 0x00040000,
  setFreeze: 0x00100000,
  clearFreeze: 0x00200000,
  setDeepFreeze: 0x00400000,
  clearDeepFreeze: 0x00800000,
} as const;
const ASF = {
  requireAuth: 2,
  noFreeze: 6,
  defaultRipple: 8,
  disallowIncomingTrustline: 15,
  allowClawback: 16,
} as const;

const addressOf = (at: number): string => ADDRESSES[at] ?? '';

/** One history with the words of trust lines. */
class Lines extends History {
  set(from: number, to: number, limit: string, more: Partial<TransactionFields> = {}, currency = 'USD'): ResultName {
    const LimitAmount = { currency, issuer: addressOf(to), value: limit };
    return this.apply(from, { TransactionType: 'TrustSet', LimitAmount, ...more });
  }

  flag(who: number, SetFlag: number): ResultName {
    return this.apply(who, { TransactionType: 'AccountSet', SetFlag });
  }

  pay(from: number, to: number, value: string, issuer: number = ISSUER): ResultName {
    const Amount = { currency: 'USD', issuer: addressOf(issuer), value };
    return this.apply(from, { TransactionType: 'Payment', Destination: addressOf(to), Amount });
  }

  owned(who: number): number {
    return account(this.ledger, addressOf(who))?.OwnerCount ?? 0;
  }

  line(a: number, b: number): RippleState | undefined {
    return findLine(this.ledger, addressOf(a), addressOf(b), 'USD');
  }

  /** Whether a flag of that name is set on an account's side of a line. */
  isSet(of: number, peer: number, name: keyof typeof LINE.low): boolean {
    const line = this.line(of, peer);
    return line !== undefined && has(line.Flags, LINE[sideOf(line, addressOf(of))][name]);
  }

  /** Leaves an account that many drops. */
  leave(who: number, drops: number): void {
    const held = BigInt(account(this.ledger, addressOf(who))?.Balance ?? 0);
    const amount = String(held - BigInt(drops) - 10n);
    this.apply(who, { TransactionType: 'Payment', Destination: addressOf(3), Amount: amount });
  }
}

/** All combinations of some flags. */
const subsets = (flags: readonly number[]): number[] =>
  flags.reduce<number[]>((sets, flag) => sets.concat(sets.map((set) => set | flag)), [0]);

test('the first two lines of an account need no reserve of its own, the third does', () => {
  const lines = new Lines();
  lines.leave(HOLDER, 1_100_000);
  expect(lines.set(HOLDER, ISSUER, '1')).toBe('tesSUCCESS');
  expect(lines.set(HOLDER, OTHER, '1')).toBe('tesSUCCESS');
  expect(lines.set(HOLDER, ISSUER, '1', {}, 'EUR')).toBe('tecNO_LINE_INSUF_RESERVE');
  expect(lines.owned(HOLDER)).toBe(2);
});

test('an account that is short of reserve cannot begin to ask for a line that another made', () => {
  const lines = new Lines();
  for (const currency of ['EUR', 'GBP']) lines.set(HOLDER, ISSUER, '1', {}, currency);
  lines.set(ISSUER, HOLDER, '5');
  lines.leave(HOLDER, 1_500_000);
  expect(lines.set(HOLDER, ISSUER, '7')).toBe('tecINSUF_RESERVE_LINE');
  expect(lines.line(HOLDER, ISSUER)).toMatchObject(
    sideOf(lines.line(HOLDER, ISSUER)!, addressOf(HOLDER)) === 'low'
      ? { LowLimit: { value: '0' } }
      : { HighLimit: { value: '0' } },
  );
  expect(lines.owned(HOLDER)).toBe(2);
});

test('a line goes when neither side wants anything of it, and stays while one does', () => {
  const lines = new Lines();
  lines.flag(ISSUER, ASF.defaultRipple);
  const wishes: Partial<TransactionFields>[] = [
    { QualityIn: 990_000_000 },
    { QualityOut: 1_010_000_000 },
    { Flags: TF.setFreeze },
  ];
  for (const wish of wishes) {
    expect(lines.set(HOLDER, ISSUER, '10', wish)).toBe('tesSUCCESS');
    expect(lines.set(HOLDER, ISSUER, '0'), JSON.stringify(wish)).toBe('tesSUCCESS');
    expect(lines.line(HOLDER, ISSUER)).toBeDefined();
    const back = { QualityIn: 0, QualityOut: 0, Flags: TF.clearFreeze | TF.setNoRipple };
    expect(lines.set(HOLDER, ISSUER, '0', back)).toBe('tesSUCCESS');
    expect(lines.line(HOLDER, ISSUER), JSON.stringify(wish)).toBeUndefined();
    expect([lines.owned(HOLDER), lines.owned(ISSUER)]).toEqual([0, 0]);
  }
  expect(lines.set(HOLDER, ISSUER, '0', { Flags: TF.setFreeze | TF.setNoRipple })).toBe('tecNO_LINE_REDUNDANT');
});

test('a QualityIn of one is kept on the line but asks no reserve, a QualityOut of one is none', () => {
  const lines = new Lines();
  lines.set(HOLDER, ISSUER, '5', { QualityIn: 1_000_000_000, QualityOut: 1_000_000_000 });
  const side = sideOf(lines.line(HOLDER, ISSUER)!, addressOf(HOLDER)) === 'low' ? 'Low' : 'High';
  expect(lines.line(HOLDER, ISSUER)).toMatchObject({ [`${side}QualityIn`]: 1_000_000_000 });
  expect(lines.line(HOLDER, ISSUER)).not.toHaveProperty(`${side}QualityOut`);
  expect(lines.set(HOLDER, ISSUER, '0', { Flags: TF.setNoRipple })).toBe('tesSUCCESS');
  expect(lines.line(HOLDER, ISSUER)).toBeUndefined();
  // Where there is no line, that quality is reason enough for one.
  expect(lines.set(OTHER, ISSUER, '0', { QualityOut: 1_000_000_000 })).toBe('tecNO_LINE_REDUNDANT');
  expect(lines.set(OTHER, ISSUER, '0', { QualityIn: 1_000_000_000 })).toBe('tesSUCCESS');
});

test('no combination of flags leaves a side deeply frozen and not frozen, or freezes and thaws at once', () => {
  const all = subsets([TF.setFreeze, TF.clearFreeze, TF.setDeepFreeze, TF.clearDeepFreeze]);
  for (const before of [0, TF.setFreeze, TF.setFreeze | TF.setDeepFreeze]) {
    for (const asked of all) {
      const lines = new Lines();
      lines.set(HOLDER, ISSUER, '10');
      if (before !== 0) expect(lines.set(ISSUER, HOLDER, '0', { Flags: before })).toBe('tesSUCCESS');
      const result = lines.set(ISSUER, HOLDER, '0', { Flags: asked });
      const state = [lines.isSet(ISSUER, HOLDER, 'freeze'), lines.isSet(ISSUER, HOLDER, 'deepFreeze')];
      const sets = has(asked, TF.setFreeze | TF.setDeepFreeze);
      const clears = has(asked, TF.clearFreeze | TF.clearDeepFreeze);
      const frozen = has(asked, TF.setFreeze) || (has(before, TF.setFreeze) && !has(asked, TF.clearFreeze));
      const deep = has(asked, TF.setDeepFreeze) || (has(before, TF.setDeepFreeze) && !has(asked, TF.clearDeepFreeze));
      const allowed = !(sets && clears) && (frozen || !deep);
      expect(result, `${before} then ${asked}`).toBe(allowed ? 'tesSUCCESS' : 'tecNO_PERMISSION');
      expect(state).toEqual(allowed ? [frozen, deep] : [has(before, TF.setFreeze), has(before, TF.setDeepFreeze)]);
    }
  }
});

test('who gave freezing up, or may claw back, cannot have the other; and freezes nothing, but may still thaw', () => {
  const lines = new Lines();
  lines.set(HOLDER, ISSUER, '10');
  expect(lines.set(ISSUER, HOLDER, '0', { Flags: TF.setFreeze })).toBe('tesSUCCESS');
  expect(lines.flag(ISSUER, ASF.noFreeze)).toBe('tesSUCCESS');
  expect(lines.set(ISSUER, HOLDER, '0', { Flags: TF.setFreeze })).toBe('tecNO_PERMISSION');
  expect(lines.set(ISSUER, HOLDER, '0', { Flags: TF.clearFreeze })).toBe('tesSUCCESS');
  expect(lines.flag(ISSUER, ASF.allowClawback)).toBe('tecNO_PERMISSION');
  expect(lines.flag(OTHER, ASF.allowClawback)).toBe('tesSUCCESS');
  expect(lines.flag(OTHER, ASF.noFreeze)).toBe('tecNO_PERMISSION');
  // Nor may somebody who owns anything begin to claw back.
  expect(lines.flag(HOLDER, ASF.allowClawback)).toBe('tecOWNERS');
});

test('an issuer that asks for authorization authorizes lines, also before they are asked for, and nobody else does', () => {
  const lines = new Lines();
  expect(lines.set(HOLDER, ISSUER, '5', { Flags: TF.setAuth })).toBe('tefNO_AUTH_REQUIRED');
  expect(lines.flag(ISSUER, ASF.requireAuth)).toBe('tesSUCCESS');
  expect(lines.set(ISSUER, ISSUER, '0', { Flags: TF.setAuth })).toBe('temDST_IS_SRC');
  expect(lines.set(ISSUER, HOLDER, '0', { Flags: TF.setAuth })).toBe('tesSUCCESS');
  expect(lines.set(HOLDER, ISSUER, '5')).toBe('tesSUCCESS');
  expect(lines.set(OTHER, ISSUER, '5')).toBe('tesSUCCESS');
  expect(lines.pay(ISSUER, HOLDER, '1')).toBe('tesSUCCESS');
  expect(lines.pay(ISSUER, OTHER, '1')).toBe('tecPATH_DRY');
  expect(lines.isSet(ISSUER, HOLDER, 'auth')).toBe(true);
});

test('an account takes no new lines when it says so, but those it has may change', () => {
  const lines = new Lines();
  lines.set(HOLDER, ISSUER, '5');
  lines.flag(ISSUER, ASF.disallowIncomingTrustline);
  expect(lines.set(OTHER, ISSUER, '5')).toBe('tecNO_PERMISSION');
  expect(lines.set(HOLDER, ISSUER, '9')).toBe('tesSUCCESS');
});

test('NoRipple is not set on a debt, and is left as it is when both set and cleared', () => {
  const lines = new Lines();
  lines.set(HOLDER, ISSUER, '10');
  expect(lines.set(HOLDER, ISSUER, '10', { Flags: TF.setNoRipple | TF.clearNoRipple })).toBe('tesSUCCESS');
  expect(lines.isSet(HOLDER, ISSUER, 'noRipple')).toBe(false);
  // Without DefaultRipple the issuer's side has it from the beginning.
  expect(lines.set(ISSUER, HOLDER, '0', { Flags: TF.clearNoRipple })).toBe('tesSUCCESS');
  lines.pay(ISSUER, HOLDER, '3');
  expect(lines.set(ISSUER, HOLDER, '0', { Flags: TF.setNoRipple })).toBe('tecNO_PERMISSION');
  expect(lines.isSet(ISSUER, HOLDER, 'noRipple')).toBe(false);
});

test('limits are kept at both ends of what the ledger counts', () => {
  const lines = new Lines();
  for (const limit of ['9999999999999999e80', '1000000000000000e-96', '123456789.0123456', '1000000000000000e-30']) {
    expect(lines.set(HOLDER, ISSUER, limit)).toBe('tesSUCCESS');
    const line = lines.line(HOLDER, ISSUER)!;
    expect([line.LowLimit.value, line.HighLimit.value]).toContain(limit);
  }
  expect(lines.set(HOLDER, ISSUER, '-1')).toBe('temBAD_LIMIT');
});
