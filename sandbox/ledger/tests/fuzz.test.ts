import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { startLedger } from '../index.ts';
import { LedgerOverlay, ValidatedState } from '../state.ts';
import { Difference, playAgainst } from './fuzz/against.ts';
import { checkApplied, checkLedger } from './fuzz/invariants.ts';
import { playRun, RULES } from './fuzz/run.ts';

/** One seed that nobody has tried: a failure prints it. */
const SEEDS = ['1', '2', String(randomInt(2 ** 31))];

test.each(SEEDS)('over random transactions of seed %s, what always holds on a real server holds', (seed) => {
  const { results } = playRun({ seed, transactions: 2000 });
  const successes = [...results].filter(([, ofType]) => ofType.has('tesSUCCESS'));
  // Generators that never succeed would try nothing.
  expect(successes.length).toBeGreaterThan(20);
});

test('a run gives the same transactions and results again', () => {
  const [one, other] = [1, 2].map(() => playRun({ seed: 'again', transactions: 600 }));
  expect(one).toEqual(other);
});

test('XRP out of nothing and a wrong owner count are found', () => {
  const root = {
    LedgerEntryType: 'AccountRoot' as const,
    Account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    Balance: '100',
    Flags: 0,
    OwnerCount: 0,
    Sequence: 1,
    PreviousTxnID: 'A'.repeat(64),
    PreviousTxnLgrSeq: 3,
  };
  const view = new LedgerOverlay(new ValidatedState(), { ledgerIndex: 3, parentCloseTime: 0 });
  const applied = {
    fields: { TransactionType: 'AccountSet', Account: root.Account, Fee: '10', Sequence: 1, SigningPubKey: '' },
    result: 'tesSUCCESS' as const,
    burnedDrops: 10n,
    rules: RULES,
    before: view,
    after: view,
  };
  const paid = { index: '00', before: root, after: { ...root, Balance: '90', Sequence: 2 } };
  expect(() => checkApplied({ ...applied, changes: [paid] }, root.PreviousTxnID)).not.toThrow();
  const richer = { ...paid, after: { ...paid.after, Balance: '91' } };
  expect(() => checkApplied({ ...applied, changes: [richer] }, root.PreviousTxnID)).toThrow('1 drops were made');
  expect(() => checkLedger(new Map([['00', root]]), 100n)).not.toThrow();
  expect(() => checkLedger(new Map([['00', { ...root, OwnerCount: 1 }]]), 100n)).toThrow('counts 1 objects and owns 0');
});

test('a run against another server passes while every answer is the same, and names the first that is not', async () => {
  const same = await startLedger({ intervalMs: 0 });
  const other = await startLedger({ intervalMs: 0, baseFeeDrops: 20 });
  try {
    await playAgainst(same.wsUrl, '1', 130);
    await expect(playAgainst(other.wsUrl, '1', 130)).rejects.toThrow(Difference);
  } finally {
    await same.close();
    await other.close();
  }
});
