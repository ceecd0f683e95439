import { beforeAll, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { faultsBeside } from '#lib/sales/projects/check-project.ts';
import { projectInput } from '#lib/sales/projects/project-input.ts';
import { testEnv } from '#tests/support/env.ts';

const ANNA = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const BERT = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';
const NOW_MS = Date.parse('2026-11-01T00:00:00Z');

beforeAll(() => applyEnv(testEnv()));

const WRONG = {
  name: '',
  token: { kind: 'iou', currency: 'DMO', issuer: BERT, decimals: 2 },
  distributor: ANNA,
  deposit_address: ANNA,
  tiers: [
    { price_per_token: '0', total_tokens: '1,000' },
    { price_per_token: '1', total_tokens: '0.001' },
  ],
  starts_at: '2026-12-02T00:00:00Z',
  ends_at: '2026-12-01T00:00:00Z',
  vesting: { immediate_bps: 2_000, cliff_days: 0, period_days: 0, periods: 4 },
};

test('what the contract refuses hides nothing else that is wrong', () => {
  const refused = projectInput.safeParse(WRONG).error?.issues.map(({ path }) => path.join('.'));
  expect(refused?.sort()).toEqual(['name', 'tiers.0.price_per_token']);
  expect(faultsBeside(WRONG, NOW_MS).map(({ field }) => field)).toEqual(
    expect.arrayContaining([
      'ends_at',
      'tiers[0].total_tokens',
      'tiers[1].total_tokens',
      'vesting.period_days',
      'deposit_address',
    ]),
  );
});

test.each([{}, { tiers: 'none' }, { tiers: [null, 7] }, { token: 3, tiers: [{}], starts_at: 'soon', vesting: [] }])(
  'a body of which nothing can be read has no further faults, and does no harm: %j',
  (body) => expect(faultsBeside(body, NOW_MS)).toEqual([]),
);
