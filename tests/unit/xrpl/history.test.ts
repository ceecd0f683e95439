import { heldThrough, parseLedgerRanges } from '@tranche/verifier/read-feed.ts';
import { describe, expect, test } from 'vitest';
import { provesAbsence } from '#lib/xrpl/transactions.ts';

describe('a server’s history', () => {
  test('is read from every form that servers write', () => {
    expect(parseLedgerRanges('2')).toEqual([[2, 2]]);
    expect(parseLedgerRanges('2-138')).toEqual([[2, 138]]);
    expect(parseLedgerRanges('140,2-138,150-160')).toEqual([
      [2, 138],
      [140, 140],
      [150, 160],
    ]);
    expect(parseLedgerRanges('empty')).toEqual([]);
  });

  test('reaches to the first gap, and never past the validated ledger', () => {
    const history = { validatedIndex: 155, completeLedgers: parseLedgerRanges('2-138,140-160') };
    expect(heldThrough(history, 2)).toBe(138);
    expect(heldThrough(history, 139)).toBeNull();
    expect(heldThrough(history, 140)).toBe(155);
    expect(heldThrough(history, 156)).toBeNull();
    expect(heldThrough(history, 1)).toBeNull();
  });

  test('proves absence only over an unbroken stretch from signing to past LastLedgerSequence', () => {
    const proof = (ranges: string, validatedIndex: number) =>
      provesAbsence({ validatedIndex, completeLedgers: parseLedgerRanges(ranges) }, 100, 120);
    expect(proof('2-130', 130)).toBe(true);
    expect(proof('2-130', 122)).toBe(true);
    expect(proof('2-121', 121)).toBe(false);
    expect(proof('2-110,112-130', 130)).toBe(false);
    expect(proof('101-130', 130)).toBe(false);
    expect(proof('2-118', 130)).toBe(false);
  });
});
