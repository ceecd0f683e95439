import type { OtherEntry } from '@tranche/rules/feed-entry.ts';
import { expect, it } from 'vitest';
import type { Inputs } from '../inputs.ts';
import { checkOtherOutflows } from '../other-transfers.ts';
import { newProgress } from '../progress.ts';

const HASH = 'A'.repeat(64);
const LAUNCH = { transaction_hash: 'B'.repeat(64), ledger_index: 10, terms_hash: '' };
const account = { address: 'rDeposit' } as Inputs['account'];

const entry = (over: Partial<OtherEntry>): OtherEntry => ({
  kind: 'other',
  hash: HASH,
  ledgerIndex: 11,
  transactionIndex: 0,
  closedAtMs: 0,
  changeDrops: -1_000_012n,
  feeDrops: 12n,
  transactionType: 'EscrowCreate',
  counterparty: null,
  ...over,
});

function named(one: OtherEntry, launch: typeof LAUNCH | null = LAUNCH) {
  const sale = { projects: new Map(), held: new Map(), refundMinDrops: 0n };
  const progress = { ...newProgress(20, 0, { afterLedger: 1, through: 20 }, sale), launch };
  checkOtherOutflows({ account } as Inputs, progress, [one]);
  return progress.findings.differences;
}

it('XRP that is locked away, cashed or traded out of the deposit account is named with its amount', () => {
  expect(named(entry({}))).toMatchObject([
    { kind: 'unexplained_payment', subject: HASH, message: expect.stringContaining('1.000000 XRP') },
  ]);
  const cashedByAnother = entry({ transactionType: 'CheckCash', changeDrops: -5n, feeDrops: 0n });
  expect(named(cashedByAnother)).toHaveLength(1);
});

it('XRP that a payment of tokens has cost is named, too', () => {
  const delivered = { currency: 'DMO', issuer: 'rIssuer', value: '1' };
  const sent = { destination: 'rSomebody', destinationTag: null, delivered };
  expect(named(entry({ transactionType: 'Payment', sent }))).toHaveLength(1);
});

it.each([
  ['a fee', entry({ changeDrops: -12n }), LAUNCH],
  ['XRP that comes back', entry({ changeDrops: 988n }), LAUNCH],
  [
    'a payment of XRP, which the published payouts explain or not',
    entry({ sent: { destination: 'rSomebody', destinationTag: null, delivered: '1000000' } }),
    LAUNCH,
  ],
  ['what happened before the launch', entry({ ledgerIndex: 10 }), LAUNCH],
  ['what happened to a sale that was never launched', entry({}), null],
])('%s is not', (_, one, launch) => {
  expect(named(one, launch)).toEqual([]);
});
