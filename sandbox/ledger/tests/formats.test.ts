import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { fundedWallets, type Rig, startRig, submitRaw } from './support.ts';

let rig: Rig;
let sender: Wallet;
let other: Wallet;
beforeAll(async () => {
  rig = await startRig();
  [sender, other] = (await fundedWallets(rig, 2)) as [Wallet, Wallet];
});
afterAll(() => rig.stop());

const submitted = (fields: Record<string, unknown>) => submitRaw(rig, sender, fields);

describe('a transaction has the fields of its type and no others', () => {
  test('a field that belongs to another type is refused', async () => {
    expect(await submitted({ TransactionType: 'AccountSet', Destination: other.address })).toBe(
      "Field 'Destination' found in disallowed location.",
    );
  });

  test('a field that is missing is named, the type’s own before those of all', async () => {
    expect(await submitted({ TransactionType: 'Payment', Destination: other.address })).toBe(
      "Field 'Amount' is required but missing.",
    );
    expect(await submitted({ TransactionType: 'TicketCreate', Fee: undefined })).toBe(
      "Field 'TicketCount' is required but missing.",
    );
  });

  test('an object inside has the fields of its own format', async () => {
    const entry = { SignerEntry: { Account: other.address } };
    expect(await submitted({ TransactionType: 'SignerListSet', SignerQuorum: 1, SignerEntries: [entry] })).toBe(
      "Field 'SignerWeight' is required but missing.",
    );
    const odd = { SignerEntry: { Account: other.address, SignerWeight: 1, Destination: other.address } };
    expect(await submitted({ TransactionType: 'SignerListSet', SignerQuorum: 1, SignerEntries: [odd] })).toBe(
      "Field 'Destination' found in disallowed location.",
    );
  });

  test('a list holds what it is a list of', async () => {
    const entries = [{ Memo: { MemoData: 'AB' } }];
    expect(await submitted({ TransactionType: 'SignerListSet', SignerQuorum: 1, SignerEntries: entries })).toBe(
      "Field 'Memo' found in disallowed location.",
    );
  });

  test('an empty list of paths must be left out', async () => {
    expect(await submitted({ TransactionType: 'Payment', Destination: other.address, Amount: '1', Paths: [] })).toBe(
      "Field 'Paths' may not be explicitly set to default.",
    );
  });

  test('of several things wrong the first in the format’s order is named', async () => {
    expect(await submitted({ TransactionType: 'Payment', Amount: '1', Paths: [], InvoiceID: undefined })).toBe(
      "Field 'Destination' is required but missing.",
    );
    const destination = { Destination: other.address };
    expect(
      await submitted({ TransactionType: 'Payment', Amount: '1', Paths: [], ...destination, Fee: undefined }),
    ).toBe("Field 'Paths' may not be explicitly set to default.");
  });

  test('fields and types of later releases are unknown', async () => {
    expect(await submitted({ TransactionType: 'AccountSet', Sponsor: other.address })).toBe('Unknown field');
    expect(await submitted({ TransactionType: 'SponsorshipTransfer' })).toMatch(/^Invalid transaction type \d+$/);
  });
});

describe('a server refuses by itself what it would not pass on', () => {
  const memo = (fields: Record<string, string>) => ({ TransactionType: 'AccountSet', Memos: [{ Memo: fields }] });

  test('memos take at most 1 kB', async () => {
    // The memo's own frame takes five bytes of it.
    expect(await submitted(memo({ MemoData: 'AB'.repeat(1019) }))).toBe('tesSUCCESS');
    expect(await submitted(memo({ MemoData: 'AB'.repeat(1020) }))).toBe(
      'fails local checks: The memo exceeds the maximum allowed size.',
    );
  });

  test('type and format of a memo hold what may stand in a URL; its data anything', async () => {
    const url = Buffer.from("a-Z0_~:/?#[]@!$&'()*+,;=%.").toString('hex').toUpperCase();
    expect(await submitted(memo({ MemoType: url, MemoData: '00FF' }))).toBe('tesSUCCESS');
    expect(await submitted(memo({ MemoFormat: '2020' }))).toBe(
      'fails local checks: The MemoType and MemoFormat fields may only contain characters that are allowed in URLs under RFC 3986.',
    );
  });

  test('a transaction that failed its checks is refused again without being read again', async () => {
    const fields = { ...memo({ MemoType: '00' }), Sequence: 5 };
    expect(await submitted(fields)).toMatch(/under RFC 3986\.$/);
    expect(await submitted(fields)).toBe('fails local checks: Transaction failed local checks.');
  });

  test('pseudo-transactions are nobody’s to submit', async () => {
    expect(await submitted({ TransactionType: 'SetFee', BaseFee: '10' })).toBe(
      'fails local checks: Cannot submit pseudo transactions.',
    );
  });
});

test('what no amendment has enabled is refused before the engine looks further', async () => {
  expect(await submitted({ TransactionType: 'AccountSet', Delegate: other.address, Flags: 1 })).toBe('temDISABLED');
  expect(await submitted({ TransactionType: 'Batch', Flags: 0x10000, RawTransactions: [] })).toBe('temDISABLED');
});

test('flags a type does not know, and fees and accounts that cannot be, are refused', async () => {
  expect(await submitted({ TransactionType: 'AccountSet', Flags: 1 })).toBe('temINVALID_FLAG');
  const inIssued = { currency: 'USD', issuer: other.address, value: '1' };
  expect(await submitted({ TransactionType: 'AccountSet', Fee: inIssued })).toBe('temBAD_FEE');
});

test('a transaction names a ticket or a sequence, and the account is asked first', async () => {
  expect(await submitted({ TransactionType: 'AccountSet', TicketSequence: 1 })).toBe('temSEQ_AND_TICKET');
});

test('a key that may not sign is refused before the fee is looked at', async () => {
  const fields = { TransactionType: 'AccountSet', Account: other.address, Fee: '1' };
  const { result } = await rig.client.request({ command: 'account_info', account: other.address });
  expect(await submitted({ ...fields, Sequence: result.account_data.Sequence })).toBe('tefBAD_AUTH');
});
