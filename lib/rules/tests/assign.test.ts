import { describe, expect, it } from 'vitest';
import { reduce, reduceAll } from '../reduce.ts';
import type { SaleEntry, SalePayment, SaleState } from '../types.ts';
import { REFUND_SOURCE_TAG } from '../types.ts';
import {
  action,
  NOW,
  ofType,
  only,
  payment,
  projectOf,
  soleProject,
  stateOf,
  T0,
  TAG,
  tierOf,
  typesOf,
  XRP,
} from './book.ts';

/** A payment that is nobody's: the operator's own, without a tag. */
const operating = (drops: bigint, over: Partial<SalePayment> = {}): SalePayment =>
  payment(drops, { sender: 'rOperator', destinationTag: null, closedAtMs: T0, ...over });

const holding = (state: SaleState, ...held: SalePayment[]): SaleState => ({
  ...state,
  held: new Map(held.map((each) => [each.hash, each])),
});
const assign = (held: SalePayment, over = {}) => action('assign', { paymentHash: held.hash, ...over });

describe('an assign action', () => {
  it('credits the held payment to its sender at the action’s place and time', () => {
    const held = operating(20n * XRP);
    const assigning = assign(held);
    const { state, effects } = reduceAll(holding(stateOf(projectOf()), held), [payment(90n * XRP), assigning]);
    expect(effects.slice(1)).toMatchObject(
      [
        { type: 'action_applied', action: assigning },
        {
          type: 'invested',
          payment: held,
          parts: [
            { tier: 1, drops: 10n * XRP },
            { tier: 2, drops: 10n * XRP },
          ],
          decidedAtMs: NOW,
          assignedBy: assigning,
        },
        { type: 'milestone' },
        { type: 'tier_completed', completedAtMs: NOW },
      ].filter(({ type }) => type !== 'milestone' || typesOf(effects).includes('milestone')),
    );
    expect(state.held.size).toBe(0);
  });

  it('gives what the payment does not buy back to its sender', () => {
    const held = operating(700n * XRP);
    const { effects } = reduce(holding(stateOf(projectOf()), held), assign(held));
    expect(ofType(effects, 'invested')).toMatchObject([{ refundedDrops: 100n * XRP, refundReason: 'sold_out' }]);
  });

  it.each([
    ['below the minimum', { minInvestmentDrops: 100n * XRP }, 'below_minimum'],
    [
      'above the wallet’s cap',
      { maxPerWalletDrops: XRP, wallets: new Map([['rOperator', { investedDrops: XRP, listedDrops: 0n }]]) },
      'above_wallet_cap',
    ],
    ['not admitted', { tiers: [tierOf(1, { listed: true })] }, 'not_admitted'],
    ['before the start', { startsAtMs: NOW + 1 }, 'before_start'],
    ['below one unit', { decimals: 0, tiers: [tierOf(1, { price: 10n ** 20n })] }, 'below_one_unit'],
  ])('of a payment that would be refused (%s) has no effect, and the payment stays held', (_, over, reason) => {
    const held = operating(20n * XRP);
    const before = holding(stateOf(projectOf(over)), held);
    const { state, effects } = reduce(before, assign(held));
    expect(effects).toMatchObject([{ type: 'action_without_effect', detail: expect.stringContaining(reason) }]);
    expect(state).toEqual(before);
  });

  it('counts for the wallet’s cap, before and after', () => {
    const held = operating(20n * XRP);
    const { effects } = reduceAll(holding(stateOf(projectOf({ maxPerWalletDrops: 30n * XRP })), held), [
      payment(15n * XRP, { sender: 'rOperator' }),
      assign(held),
      payment(15n * XRP, { sender: 'rOperator' }),
    ]);
    expect(ofType(effects, 'invested').map((effect) => effect.investedDrops)).toEqual([15n * XRP, 15n * XRP]);
    expect(ofType(effects, 'refused')).toMatchObject([{ reason: 'above_wallet_cap' }]);
  });

  it('uses a payment once', () => {
    const held = operating(20n * XRP);
    const { effects } = reduceAll(holding(stateOf(projectOf()), held), [assign(held), assign(held)]);
    expect(typesOf(effects)).toEqual(['action_applied', 'invested', 'action_without_effect']);
  });

  it('names a payment, one that is held, and not one that its own project has refused', () => {
    const paid = payment(XRP);
    const dust = payment(1n);
    const { state } = reduceAll(stateOf(projectOf({ minInvestmentDrops: XRP })), [paid, dust]);
    expect(state.held.size).toBe(0);
    for (const paymentHash of [null, 'F'.repeat(64), paid.hash, dust.hash]) {
      expect(only(state, action('assign', { paymentHash }))).toMatchObject({ type: 'action_without_effect' });
    }
  });

  it('credits nothing that goes back to its sender already', () => {
    const refunded = payment(5n * XRP, { destinationTag: null });
    const { effects } = reduceAll(stateOf(projectOf()), [refunded, assign(refunded)]);
    expect(typesOf(effects)).toEqual(['refused', 'action_without_effect']);
    expect(effects[0]).toMatchObject({ refundedDrops: 5n * XRP });
  });

  it('finds the sale over in the first ledger that closes after ends_at', () => {
    const held = operating(XRP);
    const state = holding(stateOf(projectOf({ endsAtMs: NOW - 1 })), held);
    expect(typesOf(reduce(state, assign(held)).effects)).toEqual(['sale_ended', 'action_without_effect']);
  });

  const others: [string, SalePayment][] = [
    ['operating funds', operating(5n * XRP)],
    ['a refund that bounced', payment(5n * XRP, { destinationTag: REFUND_SOURCE_TAG })],
    ['dust without a tag', payment(999n, { destinationTag: null })],
    ['dust with nobody’s tag', payment(999n, { destinationTag: TAG + 1 })],
  ];
  it.each(others)('credits what was held earlier in the same run, the same in any paging: %s', (_, held) => {
    const entries: SaleEntry[] = [held, payment(XRP), assign(held), payment(XRP)];
    const start = stateOf(projectOf({ maxPerWalletDrops: 50n * XRP }));
    const whole = reduceAll(start, entries);
    expect(ofType(whole.effects, 'invested').map((effect) => effect.payment.hash)).toContain(held.hash);
    for (let cut = 1; cut < entries.length; cut++) {
      const first = reduceAll(start, entries.slice(0, cut));
      const second = reduceAll(first.state, entries.slice(cut));
      expect([...first.effects, ...second.effects]).toEqual(whole.effects);
      expect(second.state).toEqual(whole.state);
    }
    expect(soleProject(whole.state).raisedDrops).toBe(2n * XRP + held.receivedDrops);
  });

  it('that stands before its payment has no effect', () => {
    const held = operating(XRP);
    expect(typesOf(reduceAll(stateOf(projectOf()), [assign(held), held]).effects)).toEqual([
      'action_without_effect',
      'held',
    ]);
  });
});
