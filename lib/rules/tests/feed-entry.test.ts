import { describe, expect, test } from 'vitest';
import { encodeAssignment } from '../custody.ts';
import { type OtherEntry, rawFeedEntry, toFeedEntry } from '../feed-entry.ts';
import { quickTest } from '../quick-test.ts';

const US = 'rhfCvwR1dJVsifwbv1TqQ1Nv2UM86vP3cs';
const SENDER = 'rKGYzL5k2YEKDvmSgnyAh13HoEJHaoZ1JK';

/** A payment as xrpld 3.2.0 lists it (`account_tx`, API version 2), shortened to what is read. */
function recorded(over: { meta?: object; tx?: object; entry?: object } = {}) {
  return {
    close_time_iso: '2026-11-21T02:13:12Z',
    hash: 'B095A8C470A471BF779BFA187A67912F85EBFF06B0E84B1163FCC6EE835C185A',
    ledger_hash: '90A6DFD2A539CC623C8D005E16FD322519B9FDC43E8317A2D0EDDD333D678730',
    ledger_index: 8,
    meta: {
      AffectedNodes: [
        {
          ModifiedNode: {
            FinalFields: { Account: US, Balance: '1001234567', Flags: 0, OwnerCount: 0, Sequence: 5 },
            LedgerEntryType: 'AccountRoot',
            LedgerIndex: 'B33FDD5CF3445E1A7F2BE9B06336BEBD73A5E3EE885D3EF93F7E3E2992E46F1A',
            PreviousFields: { Balance: '1000000000' },
          },
        },
      ],
      TransactionIndex: 0,
      TransactionResult: 'tesSUCCESS',
      delivered_amount: '1234567',
      ...over.meta,
    },
    tx_json: {
      Account: SENDER,
      DeliverMax: '1234567',
      Destination: US,
      DestinationTag: 4294967295,
      Fee: '10',
      Flags: 0,
      LastLedgerSequence: 28,
      Memos: [
        { Memo: { MemoData: '68C3A96C6C6F20E29C93', MemoFormat: '75746638', MemoType: '746578742F706C61696E' } },
        { Memo: { MemoData: 'DEADBEEF' } },
      ],
      Sequence: 5,
      SourceTag: 0,
      TransactionType: 'Payment',
      date: 848542392,
      ledger_index: 8,
      ...over.tx,
    },
    validated: true,
    ...over.entry,
  };
}

describe('a line of the feed', () => {
  test('a recorded payment needs no more than the quick test', () => {
    expect(quickTest(rawFeedEntry, { otherFields: 'ignored' })(recorded())).toBe(true);
  });

  test('a recorded payment is read to the drop, with its tags, place and close time', () => {
    expect(toFeedEntry(US, recorded())).toEqual({
      kind: 'payment',
      hash: 'B095A8C470A471BF779BFA187A67912F85EBFF06B0E84B1163FCC6EE835C185A',
      ledgerIndex: 8,
      transactionIndex: 0,
      closedAtMs: Date.parse('2026-11-21T02:13:12Z'),
      changeDrops: 1234567n,
      feeDrops: 0n,
      sender: SENDER,
      destinationTag: 4294967295,
      sourceTag: 0,
      deliveredDrops: 1234567n,
    });
  });

  test('all the XRP there is keeps every drop', () => {
    expect(toFeedEntry(US, recorded({ meta: { delivered_amount: '99999999999999999' } }))).toMatchObject({
      deliveredDrops: 99999999999999999n,
    });
  });

  test('only what was delivered counts, never what the sender wrote', () => {
    const partial = recorded({
      meta: { delivered_amount: '5' },
      tx: { DeliverMax: '1000000000', Amount: '1000000000', Flags: 131072 },
    });
    expect(toFeedEntry(US, partial)).toMatchObject({ kind: 'payment', deliveredDrops: 5n });
  });

  test.each([
    ['tokens were delivered', { meta: { delivered_amount: { currency: 'USD', issuer: SENDER, value: '5' } } }],
    ['MPTs were delivered', { meta: { delivered_amount: { mpt_issuance_id: '00', value: '5' } } }],
    ['the server does not know the amount', { meta: { delivered_amount: 'unavailable' } }],
    ['the amount is missing', { meta: { delivered_amount: undefined } }],
    ['nothing was delivered', { meta: { delivered_amount: '0' } }],
    ['it failed', { meta: { TransactionResult: 'tecPATH_DRY' } }],
    ['it went to somebody else', { tx: { Destination: SENDER, Account: US } }],
    ['the account paid itself', { tx: { Account: US } }],
    ['it is no Payment', { tx: { TransactionType: 'CheckCash' } }],
  ])('is no payment when %s', (_why, over) => {
    expect(toFeedEntry(US, recorded(over)).kind).toBe('other');
  });

  test('an entry that is not validated is refused, not passed over', () => {
    expect(() => toFeedEntry(US, recorded({ entry: { validated: false } }))).toThrow('validated');
  });

  const accountSet = (tx: object, meta: object = {}) =>
    recorded({
      meta: { delivered_amount: undefined, ...meta },
      tx: { TransactionType: 'AccountSet', Account: US, ...tx },
    });

  test('the account’s own AccountSet without flags gives its memos as text, in order', () => {
    expect(toFeedEntry(US, accountSet({}))).toMatchObject({ kind: 'self', memos: ['héllo ✓', expect.any(String)] });
    expect(toFeedEntry(US, accountSet({ Flags: 0x8000_0000 })).kind).toBe('self');
  });

  test.each([
    ['it sets a flag', accountSet({ SetFlag: 8 })],
    ['it clears a flag', accountSet({ ClearFlag: 1 })],
    ['it carries transaction flags', accountSet({ Flags: 0x0001_0000 })],
    ['somebody else sent it', accountSet({ Account: SENDER })],
    ['a delegate sent it', accountSet({ Delegate: SENDER })],
    ['it failed', accountSet({}, { TransactionResult: 'tecINSUFFICIENT_RESERVE' })],
    ['it has no memo', accountSet({ Memos: undefined })],
  ])('an AccountSet carries no action when %s', (_why, raw) => {
    expect(toFeedEntry(US, raw)).toMatchObject({ kind: 'other', transactionType: 'AccountSet' });
  });

  describe('what the account itself has sent', () => {
    const ASSIGNED = [`01${'A'.repeat(16)}`, `03${'B'.repeat(16)}`];
    const ticket = (TicketSequence: number, Account = US) => ({
      CreatedNode: { LedgerEntryType: 'Ticket', NewFields: { Account, TicketSequence } },
    });
    const ticketCreate = (meta: object = {}) =>
      accountSet(
        { TransactionType: 'TicketCreate', Memos: [encodeAssignment(ASSIGNED)], Sequence: 7 },
        { AffectedNodes: [ticket(9), ticket(8), ticket(5, SENDER)], ...meta },
      );
    const ownOf = (raw: ReturnType<typeof recorded>) => {
      const { Amount, DeliverMax, Destination, DestinationTag, ...tx } = raw.tx_json as Record<string, unknown>;
      return (toFeedEntry(US, { ...raw, tx_json: tx }) as OtherEntry).own;
    };

    test('names its signers, its ticket, and the tickets that it created with what each is for', () => {
      const signed = accountSet({ Sequence: 0, TicketSequence: 4, Signers: [{ Signer: { Account: SENDER } }] });
      expect(ownOf(signed)).toEqual({
        transactionType: 'AccountSet',
        succeeded: true,
        ticket: 4,
        signers: [SENDER],
        delegate: null,
        ticketsCreated: [],
        assigned: [],
        setsNothing: true,
      });
      expect(ownOf(ticketCreate())).toMatchObject({ ticket: null, ticketsCreated: [8, 9], assigned: ASSIGNED });
      expect(ownOf(accountSet({ Delegate: SENDER }))).toMatchObject({ delegate: SENDER });
    });

    test('uses its ticket up also when it fails, and creates none then', () => {
      const failed = { TransactionResult: 'tecDIR_FULL', AffectedNodes: [] };
      expect(ownOf(ticketCreate(failed))).toMatchObject({ succeeded: false, ticketsCreated: [], assigned: [] });
      expect(ownOf(accountSet({ TicketSequence: 4, Memos: undefined }, failed))).toMatchObject({
        succeeded: false,
        ticket: 4,
      });
    });

    test.each([
      ['a flag', { SetFlag: 4 }],
      ['a domain', { Domain: '00' }],
      ['a field that no list knows yet', { Something: 1 }],
    ])('sets something when it sets %s', (_what, tx) => {
      expect(ownOf(accountSet(tx))).toMatchObject({ setsNothing: false });
    });

    test('is nobody else’s transaction', () => {
      expect(ownOf(accountSet({ Account: SENDER }))).toBeUndefined();
    });
  });
});
