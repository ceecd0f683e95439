import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { distribution } from '#lib/accounts/holders/contracts.ts';
import { readDistribution, sortByRank } from '#lib/accounts/holders/finish-sync.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { writeRead } from '#tests/support/snapshot-pages.ts';
import { expectedDistribution, type Held } from './expected-distribution.ts';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

let synced = 0;
/** Stores these balances as a synchronisation's, and reads how they are spread. */
async function spread(held: readonly Held[]) {
  synced += 1;
  const id = `sync_${synced}`;
  const rows = held.map(({ mantissa, exponent, excluded }, n) => ({
    account: `r${n}`,
    balance: `${mantissa}e${exponent}`,
    excluded,
  }));
  await writeRead(database.db, { id, token: id, ledgerIndex: synced }, rows);
  const excluded = rows.filter((row) => row.excluded).map(({ account }) => account);
  expect(await sortByRank(database.db, id, excluded)).toBe(true);
  return readDistribution(database.db, id);
}

const digits = (most: bigint) => fc.bigInt({ min: 1n, max: most });
const FIFTEEN = 999_999_999_999_999n;
const isExcluded = fc.integer({ max: 9, min: 0 }).map((n) => n === 0);
const heldOf = (mantissa: fc.Arbitrary<bigint>, exponent: fc.Arbitrary<number>): fc.Arbitrary<Held[]> =>
  fc.array(fc.record({ mantissa, exponent, excluded: isExcluded }), { maxLength: 130, size: 'max' });

const distributions = fc.oneof(
  heldOf(digits(FIFTEEN), fc.integer({ min: -96, max: 80 })),
  heldOf(digits(FIFTEEN), fc.integer({ min: -15, max: -6 })),
  // Many equals, and balances on the edges of steps.
  heldOf(fc.constantFrom(1n, 2n, 10n), fc.integer({ min: -1, max: 7 })),
  heldOf(fc.constant(FIFTEEN), fc.constant(-6)),
  // One who has nearly all.
  heldOf(fc.constant(1n), fc.constantFrom(-96, -96, -96, 95)),
);

test('statistics equal an independent computation over whole numbers, whatever the distribution', async () => {
  await fc.assert(
    fc.asyncProperty(distributions, async (held) => {
      const found = await spread(held);
      expect(found).toEqual(expectedDistribution(held));
      distribution.parse(found);
    }),
    { numRuns: 120 },
  );
});

const one = (mantissa: bigint, exponent = 0, excluded = false): Held => ({ mantissa, exponent, excluded });

const CROWD = Array.from({ length: 1_103 }, (_, n) => one(BigInt(1 + ((n * 7) % 900)), 0, n % 100 === 7));

test.each([
  ['nobody', [], { holders: 0, supply: '0.000000', gini: null, median: null, top_10_share: null }],
  [
    'only excluded ones',
    [one(5n, 0, true)],
    { holders: 0, gini: null, excluded: { accounts: 1, balance: '5.000000' } },
  ],
  ['more than a row of the database holds', CROWD, expectedDistribution(CROWD)],
  ['one', [one(7n)], { holders: 1, supply: '7.000000', gini: 0, median: '7.000000', top_10_share: 1 }],
  [
    'two',
    [one(1n), one(2n, -6)],
    { supply: '1.000002', median: '0.500001', gini: 0.499998, top_10_share: 1, top_100_share: 1 },
  ],
  [
    'all equal',
    Array.from({ length: 120 }, () => one(FIFTEEN, -20)),
    { gini: 0, top_10_share: 0.083333, top_100_share: 0.833333, median: '0.00000999999999999999' },
  ],
  // 1 / 2,000,000: half of the last digit shown.
  ['a half', [one(5_000_005n, -1), one(4_999_995n, -1)], { gini: 0.000001 }],
])('of %s', async (_, held, expected) => {
  expect(await spread(held)).toMatchObject(expected);
});
