import { expect, it } from 'vitest';
import { pack, unpack } from '../progress.ts';
import { missingLedgers } from '../read-feed.ts';

it.each([
  ['a server that holds all', [[1, 100]], 100, []],
  ['one that begins later', [[20, 100]], 100, [[10, 19]]],
  ['one that is behind', [[1, 80]], 80, [[81, 90]]],
  ['one that says it holds what is not validated yet', [[1, 100]], 85, [[86, 90]]],
  [
    'one with gaps',
    [
      [1, 12],
      [15, 15],
      [40, 100],
    ],
    100,
    [
      [13, 14],
      [16, 39],
    ],
  ],
  ['one that holds nothing', [], 100, [[10, 90]]],
] as const)('the ledgers from 10 to 90 that %s lacks are named', (_, ranges, validatedIndex, missing) => {
  const completeLedgers = ranges.map(([from, through]): [number, number] => [from, through]);
  expect(missingLedgers({ completeLedgers, validatedIndex }, 10, 90)).toEqual(missing);
});

it('what a verification keeps comes back as it was', () => {
  const kept = {
    drops: 10n ** 17n,
    held: new Map([['A', { drops: -1n }]]),
    seen: new Set(['B']),
    none: null,
    rows: [[1n]],
  };
  expect(unpack(pack(kept))).toEqual(kept);
});
