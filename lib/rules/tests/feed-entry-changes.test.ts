import { describe, expect, test } from 'vitest';
import { toFeedEntry } from '../feed-entry.ts';

const US = 'rhfCvwR1dJVsifwbv1TqQ1Nv2UM86vP3cs';
const THEM = 'rKGYzL5k2YEKDvmSgnyAh13HoEJHaoZ1JK';
const OTHER = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const AMM = 'rE54zDvgnghAoPopCgvtiqWNq3dU5y836S';

const TF_PARTIAL_PAYMENT = 131_072;
const TF_INNER_BATCH = 0x4000_0000;
const TOKENS = { currency: 'USD', issuer: OTHER, value: '5' };
const INDEX = 'B33FDD5CF3445E1A7F2BE9B06336BEBD73A5E3EE885D3EF93F7E3E2992E46F1A';

/** An account's node as the metadata formats of xrpl.org show it. */
const root = (account: string, before: string | null, after: string) => ({
  ModifiedNode: {
    FinalFields: { Account: account, Balance: after, Flags: 0, OwnerCount: 1, Sequence: 7 },
    LedgerEntryType: 'AccountRoot',
    LedgerIndex: INDEX,
    PreviousFields: before === null ? { Sequence: 6 } : { Balance: before, Sequence: 6 },
    PreviousTxnID: 'F5AC7A7F4A3D6F4C1E7C1B1A0F5E9F2B6B7E9D8C1A2B3C4D5E6F708192A3B4C5',
    PreviousTxnLgrSeq: 7,
  },
});
const changed = (type: string, fields: object) => ({
  ModifiedNode: { FinalFields: { Flags: 0, ...fields }, LedgerEntryType: type, LedgerIndex: INDEX, PreviousFields: {} },
});

const line = (tx: object, AffectedNodes: unknown[], meta: object = {}) => ({
  close_time_iso: '2026-11-21T02:13:12Z',
  hash: 'B095A8C470A471BF779BFA187A67912F85EBFF06B0E84B1163FCC6EE835C185A',
  ledger_hash: '90A6DFD2A539CC623C8D005E16FD322519B9FDC43E8317A2D0EDDD333D678730',
  ledger_index: 8,
  meta: { AffectedNodes, TransactionIndex: 0, TransactionResult: 'tesSUCCESS', ...meta },
  tx_json: { Account: THEM, Fee: '12', Flags: 0, Sequence: 5, date: 848542392, ledger_index: 8, ...tx },
  validated: true,
});
const read = (...of: Parameters<typeof line>) => toFeedEntry(US, line(...of));

/** Five XRP arrive. */
const paidToUs = root(US, '20000000', '25000000');

describe('what the account takes back of its own came from nobody:', () => {
  test.each([
    [
      'it withdraws from an AMM',
      line({ TransactionType: 'AMMWithdraw', Account: US, Amount: '5000000', Asset: { currency: 'XRP' } }, [
        root(US, '20000000', '24999988'),
        root(AMM, '90000000', '85000000'),
      ]),
      4_999_988n,
    ],
  ])('%s', (_what, raw, changeDrops) => {
    expect(toFeedEntry(US, raw)).toMatchObject({ kind: 'other', counterparty: null, changeDrops });
  });
});

describe('the change of the balance', () => {
  test('is the whole of it for what the account sends, its fee named apart', () => {
    const nodes = [root(US, '20000000', '14999988'), root(THEM, '1000000', '6000000')];
    const tx = { TransactionType: 'Payment', Account: US, Destination: THEM, DeliverMax: '5000000' };
    expect(read(tx, nodes, { delivered_amount: '5000000' })).toMatchObject({
      kind: 'other',
      counterparty: null,
      changeDrops: -5_000_012n,
      feeDrops: 12n,
    });
  });

  test('is the fee alone for what failed with a tec', () => {
    const tx = { TransactionType: 'Payment', Account: US, Destination: THEM, DeliverMax: '99000000' };
    expect(read(tx, [root(US, '20000000', '19999988')], { TransactionResult: 'tecUNFUNDED_PAYMENT' })).toMatchObject({
      kind: 'other',
      counterparty: null,
      changeDrops: -12n,
      feeDrops: 12n,
    });
  });

  test('is nothing for a payment to the account that failed', () => {
    const tx = { TransactionType: 'Payment', Destination: US, DeliverMax: '99000000' };
    expect(read(tx, [root(THEM, '20000000', '19999988')], { TransactionResult: 'tecDST_TAG_NEEDED' })).toMatchObject({
      kind: 'other',
      counterparty: null,
      changeDrops: 0n,
    });
  });

  test('is what a partial payment really brought, whatever it promised', () => {
    const tx = {
      TransactionType: 'Payment',
      Destination: US,
      DeliverMax: '1000000000',
      SendMax: TOKENS,
      Flags: TF_PARTIAL_PAYMENT,
    };
    expect(read(tx, [paidToUs], { DeliveredAmount: '5000000', delivered_amount: '5000000' })).toMatchObject({
      kind: 'payment',
      deliveredDrops: 5_000_000n,
      changeDrops: 5_000_000n,
    });
  });

  test('shows what a payment did to the account beside what it delivered', () => {
    const tx = { TransactionType: 'Payment', Destination: US, DeliverMax: '6000000', SendMax: TOKENS };
    // The path went through an offer of the account, which gave one XRP for it.
    expect(read(tx, [paidToUs], { delivered_amount: '6000000' })).toMatchObject({
      kind: 'payment',
      deliveredDrops: 6_000_000n,
      changeDrops: 5_000_000n,
    });
  });

  test.each([
    ['tokens', TOKENS],
    ['an MPT', { mpt_issuance_id: '00000001F4CC8A5B1E0F5A5A1B1F4B8E0C5B1F4B8E0C5B1F', value: '5' }],
  ])('is nothing when %s arrive', (_what, amount) => {
    const tx = { TransactionType: 'Payment', Destination: US, DeliverMax: amount };
    const nodes = [changed('RippleState', { Balance: TOKENS }), root(US, null, '20000000')];
    expect(read(tx, nodes, { delivered_amount: amount })).toMatchObject({
      kind: 'other',
      counterparty: null,
      changeDrops: 0n,
      feeDrops: 0n,
    });
  });

  test('is the first balance of an account that the transaction made, and the last one of an account that it removed', () => {
    const made = {
      CreatedNode: {
        LedgerEntryType: 'AccountRoot',
        LedgerIndex: INDEX,
        NewFields: { Account: US, Balance: '5000000', Sequence: 8 },
      },
    };
    const tx = { TransactionType: 'Payment', Destination: US, DeliverMax: '5000000' };
    expect(read(tx, [made], { delivered_amount: '5000000' })).toMatchObject({ changeDrops: 5_000_000n });
    const removed = {
      DeletedNode: {
        FinalFields: { Account: US, Balance: '0' },
        LedgerEntryType: 'AccountRoot',
        LedgerIndex: INDEX,
        PreviousFields: { Balance: '5200000' },
      },
    };
    const leaving = { TransactionType: 'AccountDelete', Account: US, Destination: THEM, Fee: '200000' };
    expect(read(leaving, [removed])).toMatchObject({ changeDrops: -5_200_000n, feeDrops: 200_000n });
  });

  test('of a Batch is its fee on the outer line, and what each inner one did on its own', () => {
    const outer = { TransactionType: 'Batch', Account: US, Fee: '40', RawTransactions: [{}, {}] };
    expect(read(outer, [root(US, '20000000', '19999960')])).toMatchObject({ changeDrops: -40n, feeDrops: 40n });
    const inner = { TransactionType: 'Payment', Fee: '0', Flags: TF_INNER_BATCH, SigningPubKey: '' };
    const out = { ...inner, Account: US, Destination: THEM, DeliverMax: '5000000' };
    expect(
      read(out, [root(US, '20000000', '15000000')], { delivered_amount: '5000000', ParentBatchID: INDEX }),
    ).toMatchObject({ kind: 'other', changeDrops: -5_000_000n, feeDrops: 0n });
    const back = { ...inner, Destination: US, DeliverMax: '5000000' };
    expect(read(back, [paidToUs], { delivered_amount: '5000000', ParentBatchID: INDEX })).toMatchObject({
      kind: 'payment',
      deliveredDrops: 5_000_000n,
    });
  });

  test('has no fee of the account where another signs and pays with its permission', () => {
    const tx = { TransactionType: 'Payment', Account: US, Delegate: OTHER, Destination: THEM, DeliverMax: '5000000' };
    expect(read(tx, [root(US, '20000000', '15000000')], { delivered_amount: '5000000' })).toMatchObject({
      changeDrops: -5_000_000n,
      feeDrops: 0n,
    });
  });
});

describe('metadata that cannot be read', () => {
  test('is refused where it concerns the account, and passed over where it does not', () => {
    const tx = { TransactionType: 'OfferCreate', TakerGets: '1', TakerPays: TOKENS };
    expect(() => read(tx, [root(US, '20000000', '5 XRP')])).toThrow('Balance');
    expect(() => read(tx, [root(US, '-1', '5')])).toThrow('Balance');
    const strange = [null, 7, {}, { ModifiedNode: 7 }, { ModifiedNode: { LedgerEntryType: 'AccountRoot' } }];
    expect(read(tx, [...strange, root(THEM, 'x', 'y')])).toMatchObject({ changeDrops: 0n });
    expect(() => toFeedEntry(US, { ...line(tx, []), meta: { TransactionIndex: 0, TransactionResult: 'x' } })).toThrow(
      'AffectedNodes',
    );
  });

  test('a fee of the account that is no number is refused', () => {
    expect(() => read({ TransactionType: 'AccountSet', Account: US, Fee: undefined }, [])).toThrow();
  });
});
