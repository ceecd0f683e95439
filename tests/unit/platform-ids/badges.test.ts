import { describe, expect, test } from 'vitest';
import type { HolderStatus } from '#lib/accounts/platform-ids/eligibility.ts';
import type { InvestmentFacts } from '#lib/accounts/platform-ids/profile.ts';
import { badgesOf } from '#lib/accounts/platform-ids/profile.ts';

const at = (text: string) => new Date(`${text}T12:00:00Z`);
const NOW = at('2026-11-21');
const NOTHING: InvestmentFacts = {
  count: 0,
  projects: 0,
  totalDrops: 0n,
  firstAt: null,
  lastAt: null,
  firstTierAt: null,
  manyProjectsAt: null,
};
const ranked = (rank: number | null): HolderStatus => ({
  state: 'counted',
  balance: rank === null ? '0' : '5',
  rank,
  share: 0,
  ledgerIndex: 7,
  syncedAt: NOW,
});
const earned = (
  investments: Partial<InvestmentFacts>,
  holderStatus: HolderStatus = { state: 'no_snapshot' },
  createdAt = NOW,
  eligible = true,
) =>
  badgesOf({ investments: { ...NOTHING, ...investments }, holderStatus, eligible, createdAt }, NOW).map(
    ({ name, earnedAt }) => [name, earnedAt],
  );

describe('a badge', () => {
  test('comes from facts: nobody has one without', () => expect(earned({})).toEqual([]));

  test('of investments is of the time of the payment that earned it', () => {
    const facts = { firstAt: at('2026-01-01'), firstTierAt: at('2026-02-01'), manyProjectsAt: at('2026-03-01') };
    expect(earned(facts)).toEqual([
      ['early_investor', facts.firstTierAt],
      ['investor', facts.firstAt],
      ['multi_project_investor', facts.manyProjectsAt],
    ]);
  });

  test('of the largest holders ends at rank 100', () => {
    expect(earned({}, ranked(100))).toEqual([['top_100_holder', NOW]]);
    expect(earned({}, ranked(101))).toEqual([]);
    expect(earned({}, ranked(null))).toEqual([]);
    expect(earned({}, { state: 'excluded', ledgerIndex: 7, syncedAt: NOW })).toEqual([]);
  });

  test('of a year is earned when 365 days are over, and only by who is eligible now', () => {
    const long = new Date(NOW.getTime() - 365 * 86_400_000);
    expect(earned({}, undefined, long)).toEqual([['one_year_member', NOW]]);
    expect(earned({}, undefined, new Date(long.getTime() + 1))).toEqual([]);
    expect(earned({}, undefined, long, false)).toEqual([]);
  });
});
