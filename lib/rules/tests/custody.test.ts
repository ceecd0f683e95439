import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Custody,
  custodyFaults,
  custodySchema,
  decodeAssignment,
  encodeAssignment,
  fewestWitnesses,
  isQuorum,
  MAX_ASSIGNED,
  type Purpose,
  purposeId,
  signersOf,
  witnessesThatMayBeAway,
} from '../custody.ts';
import { reduce } from '../reduce.ts';
import { action, PROJECT_ID, payment, projectOf, soleProject, stateOf } from './book.ts';

const key = (digit: string): string => `r${digit.repeat(30)}`;
const CUSTODY: Custody = {
  quorum: 4,
  platform: { account: key('P'), weight: 2 },
  witnesses: ['1', '2', '3'].map((digit) => ({
    account: key(digit),
    weight: 1,
    name: `Witness ${digit}`,
    operator: `Operator ${digit}`,
  })),
  ledgers_to_live: 20,
  from_ledger: 100,
  refund_min_xrp: '0.001000',
};

describe('a signer set', () => {
  it('of a platform that counts for two and three witnesses keeps what custody promises, with one of them away', () => {
    expect(custodyFaults(CUSTODY)).toEqual([]);
    expect([witnessesThatMayBeAway(CUSTODY), fewestWitnesses(CUSTODY)]).toEqual([1, 2]);
  });

  it('leaves enough ledgers to collect signatures in', () => {
    const ofLedgers = (ledgers_to_live: number) => custodySchema.safeParse({ ...CUSTODY, ledgers_to_live }).success;
    expect([4, 9, 10, 20].map(ofLedgers)).toEqual([false, false, true, true]);
  });

  it('without faults is a quorum neither for the platform with one witness, nor for all witnesses without the platform, and is one with any witness away', () => {
    const sets = fc.record({
      quorum: fc.integer({ min: 3, max: 6 }),
      platform: fc.integer({ min: 1, max: 4 }),
      witnesses: fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 2, maxLength: 5 }),
    });
    let sound = 0;
    fc.assert(
      fc.property(sets, ({ quorum, platform, witnesses }) => {
        const custody: Custody = {
          ...CUSTODY,
          quorum,
          platform: { account: key('P'), weight: platform },
          witnesses: witnesses.map((weight, index) => ({
            account: key(String(index + 1)),
            weight,
            name: 'W',
            operator: 'O',
          })),
        };
        if (custodyFaults(custody).length > 0) return;
        sound += 1;
        const [own, ...others] = signersOf(custody);
        for (const [index, witness] of others.entries()) {
          expect(isQuorum(custody, [own ?? '', witness])).toBe(false);
          expect(isQuorum(custody, [own ?? '', ...others.toSpliced(index, 1)])).toBe(true);
        }
        expect(isQuorum(custody, others)).toBe(false);
        expect(witnessesThatMayBeAway(custody)).toBeGreaterThan(0);
      }),
      { numRuns: 3_000 },
    );
    expect(sound).toBeGreaterThan(20);
  });

  it('counts no key of another set, and none twice', () => {
    const [platform = '', first = '', second = ''] = signersOf(CUSTODY);
    expect(isQuorum(CUSTODY, [platform, first, second])).toBe(true);
    expect(isQuorum(CUSTODY, [platform, first, first])).toBe(false);
    expect(isQuorum(CUSTODY, [platform, first, second, key('X')])).toBe(false);
  });
});

describe('an assignment of tickets', () => {
  const purpose: fc.Arbitrary<Purpose> = fc.oneof(
    fc.record({
      kind: fc.constantFrom('distribution' as const, 'refund' as const),
      payment: fc.record({
        ledgerIndex: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
        transactionIndex: fc.integer({ min: 0, max: 65_535 }),
      }),
      part: fc.integer({ min: 1, max: 122 }),
    }),
    fc.record({ kind: fc.constant('release' as const), projectId: fc.constantFrom('proj_1', 'proj_2') }),
  );

  it('is read from the ledger as it was written, for as many tickets as one memo holds', () => {
    fc.assert(
      fc.property(fc.array(purpose, { minLength: 1, maxLength: MAX_ASSIGNED }), (purposes) => {
        const ids = purposes.map(purposeId);
        expect(decodeAssignment([encodeAssignment(ids)])).toEqual(ids);
      }),
      { numRuns: 200 },
    );
  });

  it('names two purposes alike only if they are one', () => {
    fc.assert(
      fc.property(purpose, purpose, (a, b) => {
        expect(purposeId(a) === purposeId(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
      { numRuns: 300 },
    );
    expect(purposeId({ kind: 'refund', payment: { ledgerIndex: 100, transactionIndex: 3 }, part: 1 })).toBe(
      '020000006400030001',
    );
  });

  it.each([
    ['no memo', undefined],
    ['two memos', [encodeAssignment(['010000000000000000']), encodeAssignment(['010000000000000000'])]],
    ['another type of memo', [{ Memo: { MemoType: '00', MemoData: '010000000000000000' } }]],
    ['a name that is cut off', [encodeAssignment(['01000000000000'])]],
    ['an unknown kind of purpose', [encodeAssignment(['090000000000000000'])]],
  ])('is none in %s', (_, memos) => {
    expect(decodeAssignment(memos)).toEqual([]);
  });
});

describe('an action on a sale under custody', () => {
  const state = stateOf(projectOf({ status: 'draft', launchedAtMs: null, custody: CUSTODY }));
  const [platform = '', first = '', second = ''] = signersOf(CUSTODY);

  it.each([
    ['one key', []],
    ['the platform and one witness', [platform, first]],
    ['others than the terms name', [platform, first, key('X')]],
  ])('has no effect when signed by %s', (_, signers) => {
    const { effects } = reduce(state, action('launch', { signers }));
    expect(effects).toEqual([expect.objectContaining({ type: 'action_without_effect' })]);
  });

  it('counts when a quorum of the terms has signed it', () => {
    const { state: after } = reduce(state, action('launch', { signers: [platform, second, first] }));
    expect(soleProject(after).status).toBe('active');
  });

  it('gives the sale its tag: before it the tag is unknown, with the smallest refund of payments that name no sale', () => {
    const minima = { ...state, refundMinDrops: 2_000n };
    const early = payment(1_500n);
    const { effects, state: after } = reduce(minima, early);
    expect(effects).toEqual([
      expect.objectContaining({ projectId: null, reason: 'unknown_tag', refundedDrops: 0n, heldDrops: 1_500n }),
    ]);
    expect(after.held.has(early.hash)).toBe(true);
    const single = stateOf(projectOf({ status: 'draft', launchedAtMs: null }));
    expect(reduce(single, payment(1_500n)).effects).toEqual([
      expect.objectContaining({ projectId: PROJECT_ID, reason: 'not_active', refundedDrops: 1_500n }),
    ]);
  });

  it('puts a list in force that the reader does not have: it cannot decide from there on, and never otherwise than who has it', () => {
    const active = stateOf(projectOf({ custody: CUSTODY, lists: new Map() }));
    const listHash = 'f'.repeat(64);
    const { state: after } = reduce(active, action('list', { listHash, signers: [platform, second, first] }));
    expect(soleProject(after).listHash).toBe(listHash);
  });
});
