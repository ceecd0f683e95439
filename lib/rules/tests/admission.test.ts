import { describe, expect, it } from 'vitest';
import { countsWallets, reduce, reduceAll } from '../reduce.ts';
import {
  action,
  listing,
  ofType,
  only,
  payment,
  projectOf,
  REFUND_MIN,
  soleProject,
  stateOf,
  tierOf,
  XRP,
} from './book.ts';

const LISTED = { tiers: [tierOf(1, { listed: true }), tierOf(2, { listed: true })] };
/** The first tier is anybody's, the second asks for the list. */
const MIXED = { tiers: [tierOf(1), tierOf(2, { listed: true })] };

const by = (sender: string) => ({ sender });
const walletOf = (state: Parameters<typeof soleProject>[0], wallet: string) => soleProject(state).wallets.get(wallet);

describe('a tier that asks for the list', () => {
  it('sells to the wallets of the list in force, and to nobody else', () => {
    const state = stateOf(projectOf({ ...LISTED, ...listing({ rInvestor: null }) }));
    expect(only(state, payment(XRP))).toMatchObject({ type: 'invested' });
    expect(only(state, payment(XRP, by('rStranger')))).toMatchObject({ type: 'refused', reason: 'not_admitted' });
  });

  it('sells to nobody while no list is in force, though one is published', () => {
    const state = stateOf(projectOf({ ...LISTED, ...listing({ rInvestor: null }), listHash: null }));
    expect(only(state, payment(XRP))).toMatchObject({ reason: 'not_admitted' });
  });

  it('sells to nobody under a list that is not published', () => {
    const state = stateOf(projectOf({ ...LISTED, listHash: '9'.repeat(64) }));
    expect(only(state, payment(XRP))).toMatchObject({ reason: 'not_admitted' });
  });

  it('ends the buying of whoever is not on it: what is left of the payment goes back', () => {
    const state = stateOf(projectOf({ ...MIXED, ...listing({ rElse: null }) }));
    const [invested] = reduce(state, payment(150n * XRP)).effects;
    expect(invested).toMatchObject({
      type: 'invested',
      parts: [{ tier: 1, drops: 100n * XRP }],
      refundedDrops: 50n * XRP,
      refundReason: 'not_admitted',
    });
  });

  it('is not skipped for an open tier after it', () => {
    const state = stateOf(projectOf({ tiers: [tierOf(1, { listed: true }), tierOf(2)] }));
    expect(only(state, payment(XRP))).toMatchObject({ type: 'refused', reason: 'not_admitted' });
  });
});

describe("the sale's limit a wallet", () => {
  const CAPPED = { maxPerWalletDrops: 30n * XRP };

  it('counts all payments of the wallet, and only its own', () => {
    const { effects } = reduceAll(stateOf(projectOf(CAPPED)), [
      payment(20n * XRP),
      payment(20n * XRP, by('rElse')),
      payment(20n * XRP),
      payment(20n * XRP),
      payment(20n * XRP, by('rElse')),
    ]);
    expect(
      ofType(effects, 'invested').map((effect) => [effect.payment.sender, effect.investedDrops, effect.refundReason]),
    ).toEqual([
      ['rInvestor', 20n * XRP, null],
      ['rElse', 20n * XRP, null],
      ['rInvestor', 10n * XRP, 'above_wallet_cap'],
      ['rElse', 10n * XRP, 'above_wallet_cap'],
    ]);
    expect(ofType(effects, 'refused')).toMatchObject([{ reason: 'above_wallet_cap', refundedDrops: 20n * XRP }]);
  });

  it('counts over tiers, also inside one payment', () => {
    const [invested] = reduce(stateOf(projectOf({ maxPerWalletDrops: 120n * XRP })), payment(200n * XRP)).effects;
    expect(invested).toMatchObject({
      parts: [
        { tier: 1, drops: 100n * XRP },
        { tier: 2, drops: 20n * XRP },
      ],
      refundedDrops: 80n * XRP,
      refundReason: 'above_wallet_cap',
    });
  });

  it('gives way to kept change once, never payment after payment', () => {
    let state = stateOf(projectOf(CAPPED));
    for (let i = 0; i < 5; i++) state = reduce(state, payment(30n * XRP + REFUND_MIN - 1n)).state;
    expect(walletOf(state, 'rInvestor')?.investedDrops).toBe(30n * XRP + REFUND_MIN - 1n);
    // Dust that the cap refuses is held, not kept.
    expect(only(state, payment(1n))).toMatchObject({ type: 'refused', reason: 'above_wallet_cap', heldDrops: 1n });
  });

  it('takes no notice of what was refused', () => {
    const { state } = reduceAll(stateOf(projectOf(CAPPED)), [action('pause'), payment(30n * XRP), action('resume')]);
    expect(only(state, payment(30n * XRP))).toMatchObject({ type: 'invested', refundedDrops: 0n });
  });

  it('that is less than one unit leaves nobody anything to buy', () => {
    const state = stateOf(projectOf({ decimals: 0, maxPerWalletDrops: 99_999n }));
    expect(only(state, payment(XRP))).toMatchObject({ type: 'refused', reason: 'above_wallet_cap' });
  });
});

describe("a list's own limit", () => {
  it('counts what the wallet bought in listed tiers, and not what it bought in open ones', () => {
    const state = stateOf(projectOf({ ...MIXED, ...listing({ rInvestor: 30n * XRP }) }));
    const { effects, state: after } = reduceAll(state, [payment(120n * XRP), payment(50n * XRP), payment(50n * XRP)]);
    expect(ofType(effects, 'invested').map((effect) => [effect.investedDrops, effect.refundReason])).toEqual([
      [120n * XRP, null],
      [10n * XRP, 'above_wallet_cap'],
    ]);
    expect(ofType(effects, 'refused')).toMatchObject([{ reason: 'above_wallet_cap' }]);
    expect(walletOf(after, 'rInvestor')).toEqual({ investedDrops: 130n * XRP, listedDrops: 30n * XRP });
  });

  it.each([
    ["the sale's is the narrower", 120n * XRP, 30n * XRP, 120n * XRP],
    ["the list's is the narrower", 150n * XRP, 30n * XRP, 130n * XRP],
  ])('holds beside the limit of the sale: %s', (_, maxPerWalletDrops, listCap, investedDrops) => {
    const state = stateOf(projectOf({ ...MIXED, maxPerWalletDrops, ...listing({ rInvestor: listCap }) }));
    const [invested] = reduce(state, payment(200n * XRP)).effects;
    expect(invested).toMatchObject({ investedDrops, refundReason: 'above_wallet_cap' });
  });

  it('counts over listed tiers, also inside one payment', () => {
    const [invested] = reduce(
      stateOf(projectOf({ ...LISTED, ...listing({ rInvestor: 120n * XRP }) })),
      payment(200n * XRP),
    ).effects;
    expect(invested).toMatchObject({
      parts: [
        { tier: 1, drops: 100n * XRP },
        { tier: 2, drops: 20n * XRP },
      ],
      refundReason: 'above_wallet_cap',
    });
  });

  it('that a later list lowers below what was bought takes nothing back and sells nothing more', () => {
    const lists = new Map([
      ['1'.repeat(64), new Map([['rInvestor', 50n * XRP]])],
      ['2'.repeat(64), new Map([['rInvestor', 10n * XRP]])],
    ]);
    const { effects } = reduceAll(stateOf(projectOf({ ...LISTED, listHash: '1'.repeat(64), lists })), [
      payment(40n * XRP),
      action('list', { listHash: '2'.repeat(64) }),
      payment(5n * XRP),
      action('list', { listHash: '1'.repeat(64) }),
      payment(50n * XRP),
    ]);
    expect(ofType(effects, 'invested').map((effect) => effect.investedDrops)).toEqual([40n * XRP, 10n * XRP]);
    expect(ofType(effects, 'refused')).toMatchObject([{ reason: 'above_wallet_cap' }]);
  });
});

describe('wallet totals', () => {
  it('are kept only where a limit needs them', () => {
    expect(countsWallets(projectOf())).toBe(false);
    expect(countsWallets(projectOf({ maxPerWalletDrops: XRP }))).toBe(true);
    expect(countsWallets(projectOf(MIXED))).toBe(true);
    expect(walletOf(reduce(stateOf(projectOf()), payment(XRP)).state, 'rInvestor')).toBeUndefined();
  });
});
