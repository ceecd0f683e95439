import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REFUND_SOURCE_TAG } from '#lib/ledger/tags.ts';
import { reduce, reduceAll } from '#lib/sale/reduce.ts';
import { allowedMoves, TRANSITIONS } from '#lib/sale/transitions.ts';
import {
  type Effect,
  MOVES,
  type Move,
  PROJECT_STATUSES,
  type ProjectState,
  type ProjectStatus,
  type SaleEntry,
  type SaleMove,
  type SalePayment,
  type SaleState,
} from '#lib/sale/types.ts';

const XRP = 1_000_000n;
const TAG = 77;
const HASH = 'a'.repeat(64);
const T0 = Date.parse('2026-11-21T12:00:00Z');

const project = (over: Partial<ProjectState> = {}): ProjectState => ({
  id: 'proj_0000000000000000000001',
  destinationTag: TAG,
  status: 'active',
  decimals: 6,
  startsAtMs: null,
  endsAtMs: null,
  minInvestmentDrops: null,
  refundMinDrops: 1_000n,
  termsHash: HASH,
  operatingAccounts: ['rOperator'],
  raisedDrops: 0n,
  launchedAtMs: T0,
  endedAtMs: null,
  tiers: [1, 2, 3].map((tier) => ({
    tier,
    price: 10n ** 11n * BigInt(tier),
    totalUnits: 1_000n * XRP,
    soldUnits: 0n,
    valueDrops: 0n,
    openedAtMs: tier === 1 ? T0 : null,
    completedAtMs: null,
  })),
  ...over,
});

const stateOf = (...projects: ProjectState[]): SaleState => ({
  projects: new Map(projects.map((each) => [each.destinationTag, each])),
  refundMinDrops: 1_000n,
});

let counter = 0;
const payment = (drops: bigint, over: Partial<SalePayment> = {}): SalePayment => ({
  kind: 'payment',
  hash: (++counter).toString(16).padStart(64, '0').toUpperCase(),
  ledgerIndex: 100,
  transactionIndex: 0,
  closedAtMs: T0 + 1_000,
  sender: 'rInvestor',
  destinationTag: TAG,
  receivedDrops: drops,
  ...over,
});

const move = (name: Move, over: Partial<SaleMove> = {}): SaleMove => ({
  kind: 'move',
  hash: (++counter).toString(16).padStart(64, '0').toUpperCase(),
  ledgerIndex: 100,
  transactionIndex: 1,
  closedAtMs: T0 + 1_000,
  projectId: 'proj_0000000000000000000001',
  move: name,
  termsHash: name === 'launch' ? HASH : null,
  ...over,
});

const only = (state: SaleState, entry: SaleEntry): Effect => {
  const { effects } = reduce(state, entry);
  expect(effects).toHaveLength(1);
  return effects[0] as Effect;
};

describe('a payment', () => {
  it('that fills a tier completes it once and opens the next at the same moment', () => {
    const { effects, state } = reduce(stateOf(project()), payment(150n * XRP));
    expect(effects.map((effect) => effect.type)).toEqual(['invested', 'tier_completed']);
    expect(effects[1]).toMatchObject({
      tier: { tier: 1 },
      nextTier: { tier: 2, openedAtMs: T0 + 1_000 },
      tiersCompleted: 1,
    });
    expect(state.projects.get(TAG)?.tiers[1]?.soldUnits).toBe(250n * XRP);
  });

  it('that buys everything completes every tier in order, then ends the sale as sold out', () => {
    const { effects, state } = reduce(stateOf(project()), payment(1_000n * XRP));
    expect(effects.map((effect) => effect.type)).toEqual([
      'invested',
      'tier_completed',
      'tier_completed',
      'tier_completed',
      'sale_ended',
    ]);
    expect(effects[0]).toMatchObject({ refundedDrops: 400n * XRP, refundReason: 'sold_out' });
    expect(state.projects.get(TAG)?.status).toBe('completed');
    expect(only(state, payment(XRP))).toMatchObject({ type: 'refused', reason: 'sold_out', refundedDrops: XRP });
  });

  it.each<[string, Partial<ProjectState>, Partial<SalePayment>, string]>([
    ['before the launch', { status: 'draft' }, {}, 'not_active'],
    ['while paused', { status: 'paused' }, {}, 'not_active'],
    ['after a cancel', { status: 'cancelled' }, {}, 'cancelled'],
    ['after the end', { status: 'completed' }, {}, 'after_end'],
    ['before the start', { startsAtMs: T0 + 5_000 }, {}, 'before_start'],
    ['below the minimum', { minInvestmentDrops: 100n * XRP }, {}, 'below_minimum'],
    ['of less than one unit', { decimals: 0 }, { receivedDrops: 50_000n }, 'below_one_unit'],
    ['without a tag', {}, { destinationTag: null }, 'no_tag'],
    ["with nobody's tag", {}, { destinationTag: TAG + 1 }, 'unknown_tag'],
  ])('%s is refused whole, with its reason', (_, over, paymentOver, reason) => {
    const entry = payment(10n * XRP, paymentOver);
    expect(only(stateOf(project(over)), entry)).toMatchObject({
      type: 'refused',
      reason,
      refundedDrops: entry.receivedDrops,
      heldDrops: 0n,
    });
  });

  it('in the first ledger that closes after ends_at finds the sale over', () => {
    const state = stateOf(project({ endsAtMs: T0 + 1_000 }));
    expect(reduce(state, payment(XRP, { closedAtMs: T0 + 1_000 })).effects[0]).toMatchObject({ type: 'invested' });
    expect(reduce(state, payment(XRP, { closedAtMs: T0 + 1_001 })).effects).toMatchObject([
      { type: 'sale_ended', reason: 'end_date', endedAtMs: T0 + 1_000 },
      { type: 'refused', reason: 'after_end' },
    ]);
  });

  it('too small to be sent back is held', () => {
    expect(only(stateOf(project({ status: 'paused' })), payment(999n))).toMatchObject({
      refundedDrops: 0n,
      heldDrops: 999n,
    });
  });

  it("from an operating account without a tag is the operator's own money", () => {
    const entry = payment(XRP, { sender: 'rOperator', destinationTag: null });
    expect(only(stateOf(project()), entry)).toMatchObject({ type: 'held', reason: 'operating_funds' });
  });

  it('from an account that only an unlaunched draft names is refunded like any other', () => {
    const entry = payment(XRP, { sender: 'rOperator', destinationTag: null });
    const draft = project({ status: 'draft', launchedAtMs: null });
    expect(only(stateOf(draft), entry)).toMatchObject({ type: 'refused', reason: 'no_tag' });
  });

  it('that bounces one of our refunds is held, so refunds cannot loop', () => {
    const entry = payment(XRP, { destinationTag: REFUND_SOURCE_TAG });
    expect(only(stateOf(project()), entry)).toMatchObject({ type: 'held', reason: 'refund_bounced' });
  });
});

describe('a move', () => {
  const cases = PROJECT_STATUSES.flatMap((status) => MOVES.map((name) => [status, name] as [ProjectStatus, Move]));
  it.each(cases)('in %s: %s does what the closed table says and nothing else', (status, name) => {
    const { state, effects } = reduce(stateOf(project({ status })), move(name));
    const expected = TRANSITIONS[status][name];
    expect(state.projects.get(TAG)?.status).toBe(expected ?? status);
    if (expected === undefined) expect(effects).toMatchObject([{ type: 'move_without_effect' }]);
    else expect(allowedMoves(status)).toContain(name);
  });

  it('launch without the hash of the published terms has no effect', () => {
    const state = stateOf(project({ status: 'draft' }));
    expect(only(state, move('launch', { termsHash: 'b'.repeat(64) }))).toMatchObject({ type: 'move_without_effect' });
    expect(
      only(stateOf(project({ status: 'draft', termsHash: null })), move('launch', { termsHash: null })),
    ).toMatchObject({
      type: 'move_without_effect',
    });
  });

  it('takes effect for payments after it in ledger order', () => {
    const { effects } = reduceAll(stateOf(project()), [
      payment(XRP),
      move('pause'),
      payment(XRP),
      move('resume'),
      payment(XRP),
    ]);
    expect(effects.map((effect) => effect.type)).toEqual(['invested', 'moved', 'refused', 'moved', 'invested']);
  });

  it('of a project of another account has no effect', () => {
    expect(only(stateOf(project()), move('pause', { projectId: 'proj_elsewhere' }))).toMatchObject({
      type: 'move_without_effect',
    });
  });
});

describe('a feed', () => {
  const entry = fc.oneof(
    { weight: 6, arbitrary: fc.bigInt({ min: 1n, max: 200n * XRP }).map((drops) => payment(drops)) },
    { weight: 1, arbitrary: fc.constantFrom(...MOVES).map((name) => move(name)) },
    { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: XRP }).map((drops) => payment(drops, { destinationTag: null })) },
    {
      weight: 1,
      arbitrary: fc.integer({ min: 0, max: 5_000 }).map((ms): SaleEntry => ({ kind: 'close', closedAtMs: T0 + ms })),
    },
  );

  it('gives the same state and effects in any paging', () => {
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        (feed, sizes) => {
          const start = stateOf(project({ endsAtMs: T0 + 4_000 }));
          const whole = reduceAll(start, feed);
          let state = start;
          const effects: Effect[] = [];
          for (let from = 0, page = 0; from < feed.length; page++) {
            const size = sizes[page % sizes.length] ?? 1;
            const reduced = reduceAll(state, feed.slice(from, from + size));
            state = reduced.state;
            effects.push(...reduced.effects);
            from += size;
          }
          expect(effects).toEqual(whole.effects);
          expect(state).toEqual(whole.state);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('conserves: what came in is invested, refunded or held, and the tiers hold what was invested', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 60 }), (feed) => {
        const { state, effects } = reduceAll(stateOf(project()), feed);
        const received = feed.reduce((sum, each) => sum + (each.kind === 'payment' ? each.receivedDrops : 0n), 0n);
        let accounted = 0n;
        let invested = 0n;
        for (const effect of effects) {
          if (effect.type === 'invested') {
            accounted += effect.investedDrops + effect.refundedDrops;
            invested += effect.investedDrops;
          } else if (effect.type === 'refused') accounted += effect.refundedDrops + effect.heldDrops;
          else if (effect.type === 'held') accounted += effect.payment.receivedDrops;
        }
        expect(accounted).toBe(received);
        const after = state.projects.get(TAG);
        expect(after?.raisedDrops).toBe(invested);
        expect(after?.tiers.reduce((sum, tier) => sum + tier.valueDrops, 0n)).toBe(invested);
        for (const tier of after?.tiers ?? []) expect(tier.soldUnits).toBeLessThanOrEqual(tier.totalUnits);
      }),
      { numRuns: 300 },
    );
  });

  it('changes nothing of the state it was given', () => {
    const state = stateOf(project());
    const copy = structuredClone([...state.projects.values()]);
    reduceAll(state, [payment(500n * XRP), move('pause'), payment(XRP)]);
    expect([...state.projects.values()]).toEqual(copy);
  });
});
