import { describe, expect, it } from 'vitest';
import { reduce, reduceAll } from '../reduce.ts';
import { action, NOW, ofType, only, payment, projectOf, soleProject, stateOf, tierOf, XRP } from './book.ts';

const HOUR = 3_600_000;
const at = (closedAtMs: number) => ({ closedAtMs });

describe('a tier with a start of its own', () => {
  const GAPPED = { tiers: [tierOf(1), tierOf(2, { startsAtMs: NOW + HOUR }), tierOf(3)] };

  it('refuses what comes before it as between tiers, once the tier before it is full', () => {
    const { state } = reduce(stateOf(projectOf(GAPPED)), payment(100n * XRP));
    expect(only(state, payment(XRP, at(NOW + HOUR - 1)))).toMatchObject({ type: 'refused', reason: 'between_tiers' });
    expect(only(state, payment(XRP, at(NOW + HOUR)))).toMatchObject({ type: 'invested', parts: [{ tier: 2 }] });
  });

  it('ends the buying of a payment that fills the tier before it: the rest goes back', () => {
    const [invested] = reduce(stateOf(projectOf(GAPPED)), payment(150n * XRP)).effects;
    expect(invested).toMatchObject({
      type: 'invested',
      parts: [{ tier: 1, drops: 100n * XRP }],
      refundedDrops: 50n * XRP,
      refundReason: 'between_tiers',
    });
  });

  it('is never skipped, though a tier after it has no start', () => {
    const { state } = reduce(stateOf(projectOf(GAPPED)), payment(600n * XRP));
    expect(soleProject(state).tiers.map((tier) => tier.soldUnits)).toEqual([1_000n * XRP, 0n, 0n]);
    expect(soleProject(state).status).toBe('active');
  });

  it('opens at its start, or when the tier before it is full, whichever is later', () => {
    const opened = (closedAtMs: number) =>
      ofType(reduce(stateOf(projectOf(GAPPED)), payment(100n * XRP, at(closedAtMs))).effects, 'tier_completed').map(
        ({ nextTier }) => nextTier?.openedAtMs,
      );
    expect(opened(NOW)).toEqual([NOW + HOUR]);
    expect(opened(NOW + 2 * HOUR)).toEqual([NOW + 2 * HOUR]);
  });

  it('after the end of the sale never sells: the sale ends by its date with units left', () => {
    const tiers = [tierOf(1), tierOf(2, { startsAtMs: NOW + 2 * HOUR })];
    const { effects, state } = reduceAll(stateOf(projectOf({ tiers, endsAtMs: NOW + HOUR })), [
      payment(100n * XRP),
      payment(XRP, at(NOW + HOUR)),
      payment(XRP, at(NOW + 2 * HOUR)),
    ]);
    expect(ofType(effects, 'refused').map((effect) => effect.reason)).toEqual(['between_tiers', 'after_end']);
    expect(soleProject(state)).toMatchObject({ status: 'completed', endReason: 'end_date', endedAtMs: NOW + HOUR });
  });
});

describe("the first tier's own start", () => {
  const LATE = { tiers: [tierOf(1, { startsAtMs: NOW + HOUR }), tierOf(2)] };

  it('is a start of the sale: what comes before it is before the start', () => {
    const state = stateOf(projectOf(LATE));
    expect(only(state, payment(XRP, at(NOW + HOUR - 1)))).toMatchObject({ type: 'refused', reason: 'before_start' });
    expect(only(state, payment(XRP, at(NOW + HOUR)))).toMatchObject({ type: 'invested' });
  });

  it.each([
    ['the launch', NOW, null, NOW - HOUR],
    ["the sale's start", NOW + HOUR, NOW + HOUR, NOW],
    ["the tier's start", NOW + 2 * HOUR, NOW + HOUR, NOW + 2 * HOUR],
  ])('opens it at the latest of its reasons: %s', (_, openedAtMs, startsAtMs, tierStartsAtMs) => {
    const draft = projectOf({
      status: 'draft',
      launchedAtMs: null,
      startsAtMs,
      tiers: [tierOf(1, { openedAtMs: null, startsAtMs: tierStartsAtMs })],
    });
    const { state } = reduce(stateOf(draft), action('launch'));
    expect(soleProject(state).tiers[0]?.openedAtMs).toBe(openedAtMs);
  });
});
