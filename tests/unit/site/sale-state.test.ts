import { expect, test } from 'vitest';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { saleStateOf } from '../../../app/(site)/_data/sale-state.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const BEFORE = '2026-11-20T12:00:00.000Z';
const AFTER = '2026-11-22T12:00:00.000Z';

const tierOf = (
  tier: number,
  over: Partial<ProjectResource['tiers'][number]> = {},
): ProjectResource['tiers'][number] => ({
  tier,
  price_per_token: '0.10',
  total_tokens: '10.000000',
  sold_tokens: '0.000000',
  access: 'open',
  credential: null,
  starts_at: null,
  completed_at: null,
  ...over,
});

type Dated = Parameters<typeof saleStateOf>[0];
const saleOf = (over: Partial<Dated>): Dated => ({
  status: 'active',
  end_reason: null,
  starts_at: null,
  ends_at: null,
  tiers: [tierOf(1), tierOf(2)],
  ...over,
});

test.each<[string, Partial<Dated>, string, number | null, string | null]>([
  ['a draft', { status: 'draft' }, 'Draft', 1, null],
  ['before its start', { starts_at: AFTER, ends_at: AFTER }, 'Upcoming', 1, AFTER],
  ['started, without an end', { starts_at: BEFORE }, 'Live', 1, null],
  ['started, with an end ahead', { starts_at: BEFORE, ends_at: AFTER }, 'Live', 1, AFTER],
  [
    'between two tiers',
    { tiers: [tierOf(1, { completed_at: BEFORE }), tierOf(2, { starts_at: AFTER })] },
    'Next tier soon',
    2,
    AFTER,
  ],
  ['over by the clock, before a ledger has ended it', { starts_at: BEFORE, ends_at: BEFORE }, 'Ended', null, null],
  ['before the start of its first tier', { tiers: [tierOf(1, { starts_at: AFTER }), tierOf(2)] }, 'Upcoming', 1, AFTER],
  ['paused', { status: 'paused', ends_at: AFTER }, 'Paused', 1, AFTER],
  ['sold out', { status: 'completed', end_reason: 'sold_out' }, 'Sold out', null, null],
  ['past its end', { status: 'completed', end_reason: 'end_date' }, 'Ended', null, null],
  ['without its soft cap', { status: 'cancelled', end_reason: 'soft_cap_missed' }, 'Soft cap missed', null, null],
  ['cancelled', { status: 'cancelled', end_reason: 'cancelled' }, 'Cancelled', null, null],
])('a sale that is %s is shown as just that', (_, over, label, tier, next) => {
  const state = saleStateOf(saleOf(over), NOW);
  expect({ label: state.label, tier: state.tier?.tier ?? null, next: state.next?.at ?? null }).toEqual({
    label,
    tier,
    next,
  });
});
