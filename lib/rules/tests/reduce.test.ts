import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reduce, reduceAll } from '../reduce.ts';
import type { Effect, SaleEntry, SaleState } from '../types.ts';
import { action, payment, projectOf, REFUND_MIN, soleProject, stateOf, TAG, XRP } from './book.ts';
import { anyFeed, type Feed, LIST_CAPS } from './feeds.ts';

const RUNS = { numRuns: 500 };

/** What became of each payment in the end: an assigned one was held before. */
function decisionsOf(effects: readonly Effect[]) {
  const decisions = new Map<string, Effect & { type: 'invested' | 'refused' | 'held' }>();
  for (const effect of effects) {
    if (effect.type === 'invested' || effect.type === 'refused' || effect.type === 'held') {
      decisions.set(effect.payment.hash, effect);
    }
  }
  return decisions;
}

const sumOf = (numbers: Iterable<bigint>): bigint => [...numbers].reduce((sum, each) => sum + each, 0n);

/** Reduces page by page, as processes with other batch sizes would. */
function paged(start: SaleState, entries: readonly SaleEntry[], sizes: readonly number[]) {
  let state = start;
  const effects: Effect[] = [];
  for (let from = 0, page = 0; from < entries.length; page++) {
    const size = sizes[page % sizes.length] ?? 1;
    const reduced = reduceAll(state, entries.slice(from, from + size));
    state = reduced.state;
    effects.push(...reduced.effects);
    from += size;
  }
  return { state, effects };
}

const forAnyFeed = (guarantee: (feed: Feed, result: ReturnType<typeof reduceAll>) => void) =>
  fc.assert(
    fc.property(anyFeed, (feed) => guarantee(feed, reduceAll(feed.start, feed.entries))),
    RUNS,
  );

describe('any feed', () => {
  it('conserves: every payment is decided, and received = invested + refunded + held', () => {
    forAnyFeed(({ entries }, { effects }) => {
      const decisions = decisionsOf(effects);
      const payments = entries.filter((entry) => entry.kind === 'payment');
      expect(decisions.size).toBe(payments.length);
      for (const { hash, receivedDrops } of payments) {
        const decision = decisions.get(hash);
        if (decision?.type === 'invested') expect(decision.investedDrops + decision.refundedDrops).toBe(receivedDrops);
        else if (decision?.type === 'refused') expect(decision.heldDrops + decision.refundedDrops).toBe(receivedDrops);
        else expect(decision?.type).toBe('held');
      }
    });
  });

  it('keeps books that follow from the investments: tiers, sums and wallets, and oversells nothing', () => {
    forAnyFeed((_, { state, effects }) => {
      const project = soleProject(state);
      const invested = effects.filter((effect) => effect.type === 'invested');
      const parts = invested.flatMap((effect) => effect.parts);
      for (const effect of invested) {
        expect(sumOf(effect.parts.map((part) => part.drops))).toBe(effect.investedDrops);
        expect(sumOf(effect.parts.map((part) => part.units))).toBe(effect.totalUnits);
      }
      expect(project.raisedDrops).toBe(sumOf(invested.map((effect) => effect.investedDrops)));
      for (const tier of project.tiers) {
        const sold = parts.filter((part) => part.tier === tier.tier);
        expect(tier.soldUnits).toBe(sumOf(sold.map((part) => part.units)));
        expect(tier.valueDrops).toBe(sumOf(sold.map((part) => part.drops)));
        expect(tier.soldUnits).toBeLessThanOrEqual(tier.totalUnits);
        expect(tier.completedAtMs !== null).toBe(tier.soldUnits === tier.totalUnits);
      }
      for (const [wallet, totals] of project.wallets) {
        const own = invested.filter((effect) => effect.payment.sender === wallet);
        expect(totals.investedDrops).toBe(sumOf(own.map((effect) => effect.investedDrops)));
      }
    });
  });

  it('keeps every wallet within its limits but for kept change', () => {
    forAnyFeed((_, { state }) => {
      const { maxPerWalletDrops, wallets } = soleProject(state);
      for (const [wallet, { investedDrops, listedDrops }] of wallets) {
        if (maxPerWalletDrops !== null) expect(investedDrops).toBeLessThanOrEqual(maxPerWalletDrops + REFUND_MIN - 1n);
        const cap = LIST_CAPS[wallet];
        if (cap === undefined) expect(listedDrops).toBe(0n);
        else if (cap !== null) expect(listedDrops).toBeLessThanOrEqual(cap + REFUND_MIN - 1n);
      }
    });
  });

  it('reports each tier, milestone, launch and end once at most', () => {
    forAnyFeed((_, { effects }) => {
      const once = effects.flatMap((effect) => {
        if (effect.type === 'tier_completed') return [`tier ${effect.tier.tier}`];
        if (effect.type === 'milestone') return [JSON.stringify(effect.milestone)];
        if (effect.type === 'sale_ended' || effect.type === 'cancelled') return ['end'];
        return effect.type === 'launched' ? ['launched'] : [];
      });
      expect(new Set(once).size).toBe(once.length);
    });
  });

  it('gives each action one outcome', () => {
    forAnyFeed(({ entries }, { effects }) => {
      const actions = entries.flatMap((entry) => (entry.kind === 'action' ? [entry.hash] : []));
      const outcomes = effects.flatMap((effect) =>
        effect.type === 'launched' ||
        effect.type === 'action_applied' ||
        effect.type === 'cancelled' ||
        effect.type === 'action_without_effect'
          ? [effect.action.hash]
          : [],
      );
      expect(outcomes).toEqual(actions);
    });
  });

  it('gives the same state and effects in any paging, wallets and held payments included', () => {
    fc.assert(
      fc.property(anyFeed, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (feed, sizes) => {
        expect(paged(feed.start, feed.entries, sizes)).toEqual(reduceAll(feed.start, feed.entries));
      }),
      RUNS,
    );
  });

  it('depends on the order of its entries alone: not on their places, hashes or the order of projects', () => {
    forAnyFeed(({ start, entries }, { state, effects }) => {
      const other = projectOf({ id: 'proj_0000000000000000000002', destinationTag: TAG + 100, operatingAccounts: [] });
      const renamed = (hash: string) => `E${hash.slice(1)}`;
      const elsewhere = entries.flatMap((entry, index): SaleEntry[] => {
        if (entry.kind === 'close') return [entry];
        const moved = { hash: renamed(entry.hash), ledgerIndex: 7_000 + index * 3, transactionIndex: index % 5 };
        const named =
          entry.kind === 'action' && entry.paymentHash !== null ? { paymentHash: renamed(entry.paymentHash) } : {};
        // Another sale on the same account goes on beside it.
        const beside = payment(XRP, { destinationTag: TAG + 100, closedAtMs: entry.closedAtMs });
        return [{ ...entry, ...moved, ...named } as SaleEntry, beside];
      });
      const again = reduceAll({ ...start, projects: new Map([[TAG + 100, other], ...start.projects]) }, elsewhere);
      const ours = again.effects.filter(
        (effect) =>
          !('projectId' in effect && effect.projectId === other.id) &&
          !('payment' in effect && effect.payment.destinationTag === TAG + 100),
      );
      expect(ours.map(placeless)).toEqual(effects.map(placeless));
      expect(again.state.projects.get(TAG)).toEqual(state.projects.get(TAG));
    });
  });

  it('never sells fewer units for more XRP in the same place', () => {
    fc.assert(
      fc.property(
        anyFeed,
        fc.bigInt({ min: 1n, max: 10n ** 17n }),
        fc.bigInt({ min: 1n, max: 10n ** 17n }),
        (feed, a, b) => {
          const { state } = reduceAll(feed.start, feed.entries);
          const closedAtMs = feed.entries.at(-1)?.closedAtMs ?? 0;
          const unitsFor = (drops: bigint) => {
            const [effect] = reduce(state, payment(drops, { sender: 'rCapped', closedAtMs })).effects;
            return effect?.type === 'invested' ? effect.totalUnits : 0n;
          };
          expect(unitsFor(a < b ? a : b)).toBeLessThanOrEqual(unitsFor(a < b ? b : a));
        },
      ),
      RUNS,
    );
  });

  it('changes nothing of the state it was given', () => {
    fc.assert(
      fc.property(anyFeed, ({ start, entries }) => {
        const copy = structuredClone(start);
        reduceAll(start, entries);
        expect(start).toEqual(copy);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a run that changes nothing of a project', () => {
  it('leaves the very same object, by which the books know that there is nothing to write', () => {
    const start = stateOf(projectOf({ maxPerWalletDrops: XRP, minInvestmentDrops: XRP }));
    const { state } = reduceAll(start, [payment(XRP - 1n), action('resume'), payment(XRP, { destinationTag: null })]);
    expect(soleProject(state)).toBe(soleProject(start));
  });
});

describe('sums at the size of all XRP there is', () => {
  it('fit the columns that hold them', () => {
    const LARGEST_COLUMN = 2n ** 63n - 1n;
    const price = 10n ** 20n;
    const tiers = [1, 2].map((tier) => ({
      ...soleProject(stateOf(projectOf())).tiers[0],
      tier,
      price,
      totalUnits: 5n * 10n ** 8n,
    }));
    const start = stateOf(projectOf({ tiers: tiers as never, maxPerWalletDrops: 10n ** 17n }));
    const { state, effects } = reduceAll(start, [payment(10n ** 17n), payment(10n ** 17n)]);
    const project = soleProject(state);
    expect(project).toMatchObject({ raisedDrops: 10n ** 17n, fullRaiseDrops: 10n ** 17n, endReason: 'sold_out' });
    expect(effects.at(-1)).toMatchObject({ type: 'refused', refundedDrops: 10n ** 17n });
    for (const sum of [project.raisedDrops, ...project.tiers.flatMap((tier) => [tier.soldUnits, tier.valueDrops])]) {
      expect(sum).toBeLessThanOrEqual(LARGEST_COLUMN);
    }
  });
});

/** An effect without what only says where its entry stands. */
function placeless(effect: Effect): unknown {
  const keep = (key: string, value: unknown) => {
    if (['hash', 'paymentHash', 'ledgerIndex', 'transactionIndex'].includes(key)) return undefined;
    return typeof value === 'bigint' ? `${value}n` : value;
  };
  return JSON.parse(JSON.stringify(effect, keep));
}
