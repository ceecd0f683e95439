import { expect, test } from 'vitest';
import { type CreatedEscrow, countEscrow, promisedUnits, readCreated } from '../locks.ts';

const HASH = 'A'.repeat(64);
const ISSUANCE = '0'.repeat(48);
const IOU = { kind: 'iou', currency: 'DMO', issuer: 'rIssuer', decimals: 2 } as const;
const MPT = { kind: 'mpt', issuance_id: ISSUANCE, decimals: 2 } as const;
const UNTIL = '2027-01-01T00:00:00.000Z';
const lock = { receiver: 'rTeam', until: UNTIL };
const escrow: CreatedEscrow = {
  ledgerIndex: 7,
  escrowId: 'E'.repeat(64),
  sequence: 41,
  owner: 'rOwner',
  destination: 'rTeam',
  amount: { currency: 'DMO', issuer: 'rIssuer', value: '12.345' },
  finishAfterMs: Date.parse(UNTIL),
  hasCondition: false,
  cancelAfterMs: null,
};

test('an escrow counts with whole units of its token, however the ledger writes them', () => {
  expect(countEscrow(lock, IOU, escrow)).toEqual({ units: 1234n });
  const large = { currency: 'DMO', issuer: 'rIssuer', value: '1000000000000000e-4' };
  expect(countEscrow(lock, IOU, { ...escrow, amount: large })).toEqual({ units: 10_000_000_000_000n });
  const mpt = { mpt_issuance_id: ISSUANCE, value: '500' };
  expect(countEscrow(lock, MPT, { ...escrow, amount: mpt })).toEqual({ units: 500n });
});

test.each<[string, Partial<CreatedEscrow>]>([
  ['XRP', { amount: '12345' }],
  ['another issuer', { amount: { currency: 'DMO', issuer: 'rOther', value: '12' } }],
  ['another code', { amount: { currency: 'DM0', issuer: 'rIssuer', value: '12' } }],
  ['an MPT', { amount: { mpt_issuance_id: ISSUANCE, value: '12' } }],
  ['another destination', { destination: 'rOther' }],
  ['no FinishAfter', { finishAfterMs: null }],
  ['a FinishAfter a second too early', { finishAfterMs: Date.parse(UNTIL) - 1000 }],
])('an escrow of %s counts for nothing', (_, over) => {
  expect(countEscrow(lock, IOU, { ...escrow, ...over })).toHaveProperty('fault');
});

test('a lock promises whole units of its token', () => {
  expect(promisedUnits({ amount: '12.340000' }, IOU)).toBe(1234n);
});

const answer = {
  hash: HASH,
  validated: true,
  ledger_index: 7,
  meta: {
    TransactionResult: 'tesSUCCESS',
    AffectedNodes: [
      { ModifiedNode: { LedgerEntryType: 'AccountRoot', LedgerIndex: '1' } },
      { CreatedNode: { LedgerEntryType: 'Escrow', LedgerIndex: escrow.escrowId } },
    ],
  },
  tx_json: {
    TransactionType: 'EscrowCreate',
    Account: 'rOwner',
    Destination: 'rTeam',
    Amount: escrow.amount,
    FinishAfter: 852_076_800,
    Sequence: 41,
  },
};

test('an escrow is read from the transaction that created it, and from nothing else', () => {
  expect(readCreated(answer, HASH)).toEqual(escrow);
  const byTicket = { ...answer, tx_json: { ...answer.tx_json, Sequence: 0, TicketSequence: 44 } };
  expect(readCreated(byTicket, HASH)).toEqual({ ...escrow, sequence: 44 });
  const lapsing = { ...answer, tx_json: { ...answer.tx_json, CancelAfter: 852_076_801, Condition: 'A0' } };
  expect(readCreated(lapsing, HASH)).toEqual({
    ...escrow,
    hasCondition: true,
    cancelAfterMs: Date.parse(UNTIL) + 1_000,
  });
  for (const other of [
    { ...answer, hash: 'B'.repeat(64) },
    { ...answer, validated: false },
    { ...answer, meta: { ...answer.meta, TransactionResult: 'tecUNFUNDED' } },
    { ...answer, tx_json: { ...answer.tx_json, TransactionType: 'EscrowFinish' } },
  ]) {
    expect(readCreated(other, HASH)).toBeNull();
  }
});
