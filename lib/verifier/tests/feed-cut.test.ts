import type { FeedEntry } from '@tranche/rules/feed-entry.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutToWholeLedgers } from '../read-feed.ts';

const entry = (ledgerIndex: number, transactionIndex: number): FeedEntry => ({
  kind: 'other',
  transactionType: 'Payment',
  hash: `${ledgerIndex}-${transactionIndex}`,
  ledgerIndex,
  transactionIndex,
  closedAtMs: 0,
  changeDrops: 0n,
  feeDrops: 0n,
  counterparty: null,
});
const ledgers = (sizes: number[], from = 10): FeedEntry[] =>
  sizes.flatMap((size, at) => Array.from({ length: size }, (_, index) => entry(from + at, index)));

describe('cutting what was read to whole ledgers', () => {
  test('everything is kept when it fits', () => {
    expect(cutToWholeLedgers(ledgers([2, 0, 1]), 15, 3)).toEqual({ entries: ledgers([2, 0, 1]), readThrough: 15 });
    expect(cutToWholeLedgers([], 15, 3)).toEqual({ entries: [], readThrough: 15 });
  });

  test('the ledger that would exceed the limit is left for the next call', () => {
    expect(cutToWholeLedgers(ledgers([2, 2, 1]), 15, 3)).toEqual({ entries: ledgers([2]), readThrough: 10 });
  });

  test('empty ledgers before the one left out are read', () => {
    expect(cutToWholeLedgers(ledgers([2, 0, 0, 5]), 15, 3)).toEqual({ entries: ledgers([2]), readThrough: 12 });
  });

  test('a ledger larger than the limit is kept whole', () => {
    expect(cutToWholeLedgers(ledgers([5, 1]), 15, 3)).toEqual({ entries: ledgers([5]), readThrough: 10 });
    expect(cutToWholeLedgers(ledgers([5]), 15, 3)).toEqual({ entries: ledgers([5]), readThrough: 15 });
  });

  test('the last ledger is left out when reading stopped inside it', () => {
    expect(cutToWholeLedgers(ledgers([2, 2, 1]), null, 100)).toEqual({ entries: ledgers([2, 2]), readThrough: 11 });
  });

  test('never cuts a ledger in two, never loses one, and always moves on', () => {
    const sizes = fc.array(fc.nat(6), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 20 }), (given, maxEntries) => {
        const all = ledgers(given);
        const through = 10 + given.length - 1;
        const cut = cutToWholeLedgers(all, through, maxEntries);
        expect(cut.entries).toEqual(all.filter((item) => item.ledgerIndex <= cut.readThrough));
        expect(cut.readThrough).toBeGreaterThanOrEqual(10);
        expect(cut.readThrough).toBeLessThanOrEqual(through);
        const ledgerCount = new Set(cut.entries.map((item) => item.ledgerIndex)).size;
        expect(cut.entries.length <= maxEntries || ledgerCount === 1).toBe(true);
      }),
    );
  });
});
