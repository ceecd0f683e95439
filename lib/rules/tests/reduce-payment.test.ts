import { describe, expect, it } from 'vitest';
import { reduce, reduceAll } from '../reduce.ts';
import type { ProjectState, SalePayment } from '../types.ts';
import { REFUND_SOURCE_TAG } from '../types.ts';
import {
  action,
  listing,
  NOW,
  ofType,
  only,
  payment,
  projectOf,
  REFUND_MIN,
  soleProject,
  stateOf,
  T0,
  TAG,
  tierOf,
  typesOf,
  XRP,
} from './book.ts';

describe('a payment', () => {
  it('that fills a tier completes it once and opens the next at the same moment', () => {
    const { effects, state } = reduce(stateOf(projectOf()), payment(150n * XRP));
    expect(ofType(effects, 'tier_completed')).toMatchObject([
      {
        tier: { tier: 1, openedAtMs: T0 },
        nextTier: { tier: 2, openedAtMs: NOW },
        completedAtMs: NOW,
        tiersCompleted: 1,
      },
    ]);
    expect(soleProject(state).tiers[1]?.soldUnits).toBe(250n * XRP);
    expect(ofType(reduce(state, payment(XRP)).effects, 'tier_completed')).toEqual([]);
    expect(soleProject(state).tiers.map((tier) => tier.openedAtMs)).toEqual([T0, NOW, null]);
  });

  it('that buys everything completes every tier in order, then ends the sale as sold out', () => {
    const { effects, state } = reduce(stateOf(projectOf()), payment(1_000n * XRP));
    expect(typesOf(effects).filter((type) => type !== 'milestone')).toEqual([
      'invested',
      'tier_completed',
      'tier_completed',
      'tier_completed',
      'sale_ended',
    ]);
    expect(effects[0]).toMatchObject({ refundedDrops: 400n * XRP, refundReason: 'sold_out' });
    expect(ofType(effects, 'tier_completed').map((effect) => effect.tiersCompleted)).toEqual([1, 2, 3]);
    expect(soleProject(state)).toMatchObject({ status: 'completed', endReason: 'sold_out', endedAtMs: NOW });
  });

  it('that ends several tiers tells of each what was raised when that tier was full', () => {
    const started = reduce(stateOf(projectOf()), payment(40n * XRP)).state;
    const through = (drops: bigint) => ofType(reduce(started, payment(drops)).effects, 'tier_completed');
    expect(through(300n * XRP).map((effect) => [effect.tiersCompleted, effect.raisedDrops])).toEqual([
      [1, 100n * XRP],
      [2, 300n * XRP],
    ]);
    expect(through(560n * XRP).map((effect) => [effect.tiersCompleted, effect.raisedDrops])).toEqual([
      [1, 100n * XRP],
      [2, 300n * XRP],
      [3, 600n * XRP],
    ]);
  });

  it('that sells out to the drop gives nothing back and gives no reason', () => {
    const [invested] = reduce(stateOf(projectOf()), payment(600n * XRP)).effects;
    expect(invested).toMatchObject({ type: 'invested', refundedDrops: 0n, roundingDrops: 0n, refundReason: null });
  });

  it('counts every earlier one, also of the same ledger', () => {
    const { effects } = reduceAll(stateOf(projectOf()), [payment(90n * XRP), payment(20n * XRP), payment(500n * XRP)]);
    expect(ofType(effects, 'invested').map((effect) => effect.parts.map((part) => [part.tier, part.drops]))).toEqual([
      [[1, 90n * XRP]],
      [
        [1, 10n * XRP],
        [2, 10n * XRP],
      ],
      [
        [2, 190n * XRP],
        [3, 300n * XRP],
      ],
    ]);
  });

  it.each<[string, Partial<ProjectState>, Partial<SalePayment>, string]>([
    ['before the launch', { status: 'draft' }, {}, 'not_active'],
    ['while paused', { status: 'paused' }, {}, 'not_active'],
    ['after a cancel', { status: 'cancelled', endReason: 'cancelled' }, {}, 'cancelled'],
    ['after a soft cap was missed', { status: 'cancelled', endReason: 'soft_cap_missed' }, {}, 'soft_cap_missed'],
    ['after the end', { status: 'completed', endReason: 'ended' }, {}, 'after_end'],
    [
      'after the last unit was sold',
      { status: 'completed', tiers: [tierOf(1, { soldUnits: 1_000n * XRP })] },
      {},
      'sold_out',
    ],
    ['before the start', { startsAtMs: NOW + 1 }, {}, 'before_start'],
    ['below the minimum', { minInvestmentDrops: 10n * XRP + 1n }, {}, 'below_minimum'],
    ['of less than one unit', { decimals: 0 }, { receivedDrops: 50_000n }, 'below_one_unit'],
    ['of a wallet without anything left', { maxPerWalletDrops: XRP, wallets: spent(XRP) }, {}, 'above_wallet_cap'],
    ['of a wallet that no list names', { tiers: [tierOf(1, { listed: true })] }, {}, 'not_admitted'],
    ['without a tag', {}, { destinationTag: null }, 'no_tag'],
    ["with nobody's tag", {}, { destinationTag: TAG + 1 }, 'unknown_tag'],
    ['with the tag 0', {}, { destinationTag: 0 }, 'unknown_tag'],
  ])('%s is refused whole, with its reason', (_, over, paymentOver, reason) => {
    const entry = payment(10n * XRP, paymentOver);
    expect(only(stateOf(projectOf(over)), entry)).toMatchObject({
      type: 'refused',
      reason,
      refundedDrops: entry.receivedDrops,
      heldDrops: 0n,
    });
  });

  it.each<[string, Partial<ProjectState>, Partial<SalePayment>]>([
    ['in the ledger that closes at starts_at', { startsAtMs: NOW }, {}],
    ['in the ledger that closes at ends_at', { endsAtMs: NOW }, {}],
    ['of the minimum', { minInvestmentDrops: 10n * XRP }, {}],
    ['of one unit', { decimals: 0 }, { receivedDrops: 100_000n }],
    ['of what the wallet has left', { maxPerWalletDrops: 11n * XRP, wallets: spent(XRP) }, {}],
  ])('%s is invested whole', (_, over, paymentOver) => {
    const entry = payment(10n * XRP, paymentOver);
    expect(only(stateOf(projectOf(over)), entry)).toMatchObject({
      type: 'invested',
      investedDrops: entry.receivedDrops,
    });
  });

  it('in the first ledger that closes after ends_at finds the sale over', () => {
    const state = stateOf(projectOf({ endsAtMs: NOW }));
    expect(reduce(state, payment(XRP, { closedAtMs: NOW + 1 })).effects).toMatchObject([
      { type: 'sale_ended', reason: 'end_date', endedAtMs: NOW },
      { type: 'refused', reason: 'after_end' },
    ]);
  });

  it('too small to be sent back is held, with its reason', () => {
    const state = stateOf(projectOf({ status: 'paused' }));
    expect(only(state, payment(REFUND_MIN - 1n))).toMatchObject({
      reason: 'not_active',
      refundedDrops: 0n,
      heldDrops: REFUND_MIN - 1n,
    });
    expect(only(state, payment(REFUND_MIN))).toMatchObject({ refundedDrops: REFUND_MIN, heldDrops: 0n });
  });

  it("is too small by the project's terms, or by the account's where there is no project", () => {
    const state = { ...stateOf(projectOf({ status: 'paused', refundMinDrops: 50n })), refundMinDrops: 20n };
    expect(only(state, payment(49n))).toMatchObject({ heldDrops: 49n });
    expect(only(state, payment(49n, { destinationTag: null }))).toMatchObject({ refundedDrops: 49n });
  });

  it("from an operating account without a tag is the operator's own money", () => {
    const entry = payment(XRP, { sender: 'rOperator', destinationTag: null });
    expect(only(stateOf(projectOf()), entry)).toMatchObject({ type: 'held', reason: 'operating_funds' });
    expect(only(stateOf(projectOf()), { ...entry, destinationTag: TAG })).toMatchObject({ type: 'invested' });
  });

  it('from an account that only an unlaunched draft names is refunded like any other', () => {
    const entry = payment(XRP, { sender: 'rOperator', destinationTag: null });
    const draft = projectOf({ status: 'draft', launchedAtMs: null });
    expect(only(stateOf(draft), entry)).toMatchObject({ type: 'refused', reason: 'no_tag' });
  });

  it('that bounces one of our refunds is held, so refunds cannot loop', () => {
    const entry = payment(XRP, { destinationTag: REFUND_SOURCE_TAG });
    expect(only(stateOf(projectOf()), entry)).toMatchObject({ type: 'held', reason: 'refund_bounced' });
  });
});

describe('a payment with every fault at once', () => {
  it('is refused for the first of them, in the published order', () => {
    // Each step mends the fault that the step before it was refused for.
    const steps: [string, Partial<ProjectState>][] = [
      ['not_active', {}],
      ['before_start', { status: 'active' }],
      ['below_minimum', { startsAtMs: null }],
      ['between_tiers', { minInvestmentDrops: null }],
      ['not_admitted', { tiers: [tierOf(1, { soldUnits: 1_000n * XRP }), tierOf(2, { listed: true })] }],
      ['below_one_unit', listing({ rInvestor: null })],
      ['above_wallet_cap', { decimals: 6 }],
    ];
    let faulty = projectOf({
      status: 'paused',
      decimals: 0,
      startsAtMs: NOW + 1,
      minInvestmentDrops: XRP,
      maxPerWalletDrops: XRP,
      wallets: spent(XRP),
      tiers: [tierOf(1, { soldUnits: 1_000n * XRP }), tierOf(2, { listed: true, startsAtMs: NOW + 1 })],
    });
    for (const [reason, mended] of steps) {
      faulty = { ...faulty, ...mended };
      expect(only(stateOf(faulty), payment(150_000n))).toMatchObject({ type: 'refused', reason });
    }
    const faultless = { ...faulty, maxPerWalletDrops: null };
    expect(reduce(stateOf(faultless), payment(150_000n)).effects[0]).toMatchObject({ type: 'invested' });
  });

  it('is refused for the end of the sale before all else', () => {
    const over = { endsAtMs: T0, startsAtMs: NOW + 1, minInvestmentDrops: 100n * XRP };
    for (const status of ['active', 'paused'] as const) {
      const { effects } = reduceAll(stateOf(projectOf({ ...over, status })), [payment(XRP), action('resume')]);
      expect(ofType(effects, 'refused')).toMatchObject([{ reason: 'after_end' }]);
    }
  });
});

function spent(investedDrops: bigint): ProjectState['wallets'] {
  return new Map([['rInvestor', { investedDrops, listedDrops: 0n }]]);
}
