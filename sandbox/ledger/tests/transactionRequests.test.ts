import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Wallet } from 'xrpl';
import { GENESIS_ADDRESS, type SandboxLedger, startLedger } from '../index.ts';

let ledger: SandboxLedger;
beforeAll(async () => {
  ledger = await startLedger({ intervalMs: 0 });
});
afterAll(() => ledger.close());

type Fields = Record<string, unknown>;

async function ask(method: string, params: Fields): Promise<Fields> {
  const body = JSON.stringify({ method, params: [params] });
  const response = await fetch(ledger.rpcUrl, { method: 'POST', body });
  return ((await response.json()) as { result: Fields }).result;
}

const Account = GENESIS_ADDRESS;
const secret = 'masterpassphrase';
const accountSet = { TransactionType: 'AccountSet', Account };
const payment = { TransactionType: 'Payment', Account, Destination: Wallet.generate().address };

const sign = (tx_json: unknown, more: Fields = {}) => ask('sign', { secret, tx_json, ...more });
const refused = (error_message: string) => ({ error: 'invalidParams', error_code: 31, error_message });

describe('tx_json is read field by field, and the first that is wrong is named', () => {
  test.each<[Fields, string]>([
    [{ Foo: 1 }, "Field 'tx_json.Foo' is unknown."],
    [{ TransactionType: 'Nonsense' }, "Field 'tx_json.TransactionType' has invalid data."],
    [{ SetFlag: 'x' }, "Field 'tx_json.SetFlag' has invalid data."],
    [{ SetFlag: -1 }, "Field 'tx_json.SetFlag' has invalid data."],
    [{ SetFlag: 1.5 }, "Field 'tx_json.SetFlag' has bad type."],
    [{ TickSize: 256 }, "Field 'tx_json.TickSize' is out of range."],
    [{ TickSize: 'x' }, "Field 'tx_json.TickSize' has bad type."],
    [{ Domain: 5 }, "Field 'tx_json.Domain' has bad type."],
    [{ Domain: 'xyz' }, "Field 'tx_json.Domain' has invalid data."],
    [{ EmailHash: 'AB' }, "Field 'tx_json.EmailHash' has invalid data."],
    [{ NFTokenMinter: 'x' }, "Field 'tx_json.NFTokenMinter' has invalid data."],
    [{ Memos: 5 }, "Field 'tx_json.Memos' is not a JSON array."],
    [{ Memos: [5] }, "Field 'tx_json.Memos[0]' must be an object with a single key/object value."],
    [
      { Memos: [{ Memo: { Foo: 1 } }] },
      "Error at 'tx_json.Memos.[0].Memo'. Field 'tx_json.Memos.[0].Memo.Foo' is unknown.",
    ],
    [{ Fee: '1.5' }, "Field 'tx_json.Fee' has invalid data."],
    [{ Destination: Account }, "Field 'Destination' found in disallowed location."],
  ])('%j', async (fields, message) => {
    expect(await sign({ ...accountSet, ...fields })).toMatchObject(refused(message));
  });

  test('numbers may stand as text, and amounts as value, currency and issuer', async () => {
    const { tx_json } = await sign({ ...payment, Flags: '0', DestinationTag: '7', Amount: `1e2/USD/${Account}` });
    expect(tx_json).toMatchObject({
      Flags: 0,
      DestinationTag: 7,
      Amount: { currency: 'USD', issuer: Account, value: '100' },
    });
    expect((await sign({ ...payment, Amount: 25 })).tx_json).toMatchObject({ Amount: '25' });
  });
});

describe('sign completes what is missing, in the order in which the server asks', () => {
  test.each<[string, Fields, Fields]>([
    ['no transaction', {}, refused("Missing field 'tx_json'.")],
    ['no object', { tx_json: 5 }, refused("Invalid field 'tx_json', not object.")],
    ['no type', { tx_json: {} }, refused("Missing field 'tx_json.TransactionType'.")],
    ['no sender', { tx_json: { TransactionType: 'AccountSet' } }, { error: 'srcActMissing', error_code: 66 }],
    ['a malformed sender', { tx_json: { ...accountSet, Account: 'x' } }, { error: 'srcActMalformed', error_code: 65 }],
    ['an unknown sender', { tx_json: { ...accountSet, Account: payment.Destination } }, { error: 'srcActNotFound' }],
    ['no amount', { tx_json: payment }, refused("Missing field 'tx_json.Amount'.")],
    [
      'two amounts',
      { tx_json: { ...payment, Amount: '1', DeliverMax: '2' } },
      refused("Cannot specify differing 'Amount' and 'DeliverMax'"),
    ],
    ['signers', { tx_json: { ...accountSet, Signers: [] } }, { error: 'alreadyMultisig', error_code: 36 }],
    ['another key', { tx_json: accountSet, secret: 'x' }, { error: 'badSecret', error_code: 43 }],
    ['no sequence offline', { tx_json: accountSet, offline: true }, refused("Missing field 'tx_json.Sequence'.")],
    ['a wrong limit of the fee', { tx_json: accountSet, fee_mult_max: 'x' }, { error: 'highFee', error_code: 11 }],
    ['too low a limit of the fee', { tx_json: accountSet, fee_mult_max: 0 }, { error: 'highFee', error_code: 11 }],
  ])('%s', async (_what, request, answer) => {
    expect(await ask('sign', { secret, ...request })).toMatchObject(answer);
  });
});

test('a signature for the counterparty goes into an object of its own, of whatever key', async () => {
  const loan = { TransactionType: 'LoanSet', Account, LoanBrokerID: 'A'.repeat(64), PrincipalRequested: '100' };
  const own = { ...loan, SigningPubKey: `ED${'0'.repeat(64)}`, TxnSignature: 'AB' };
  const signed = await sign(own, { secret: 'x', signature_target: 'CounterpartySignature' });
  expect(signed.tx_json).toMatchObject({
    ...own,
    CounterpartySignature: { SigningPubKey: expect.any(String), TxnSignature: expect.any(String) },
  });
  expect(await sign(own, { signature_target: 'Other' })).toMatchObject(refused('Other'));
});

test('sign_for adds a signature, and submit_multisigned takes them in any order', async () => {
  const first = Wallet.generate();
  const tx_json = { ...accountSet, Sequence: 1, Fee: '30' };
  const signed = await ask('sign_for', { account: first.address, seed: first.seed, key_type: 'ed25519', tx_json });
  expect(signed.tx_json).toMatchObject({ SigningPubKey: '', Signers: [{ Signer: { Account: first.address } }] });
  expect(await ask('submit_multisigned', { tx_json: signed.tx_json })).toMatchObject({
    engine_result: 'tefNOT_MULTI_SIGNING',
  });
  expect(await ask('sign_for', { tx_json })).toMatchObject(refused("Missing field 'account'."));
  const unset = { account: first.address, tx_json: accountSet };
  expect(await ask('sign_for', unset)).toMatchObject(refused("Missing field 'tx_json.Sequence'."));
});

describe('simulate', () => {
  test.each<[Fields, Fields]>([
    [{}, refused('Neither `tx_blob` nor `tx_json` included.')],
    [{ tx_blob: 'AB', tx_json: {} }, refused('Can only include one of `tx_blob` and `tx_json`.')],
    [{ tx_blob: 'zz' }, refused("Invalid field 'tx_blob'.")],
    [{ tx_json: 5 }, refused("Invalid field 'tx_json', not object.")],
    [{ tx_json: { Account } }, refused("Missing field 'tx.TransactionType'.")],
    [{ tx_json: accountSet, secret: 'x' }, refused("Invalid field 'secret'.")],
    [{ tx_json: accountSet, binary: 1 }, refused("Invalid field 'binary'.")],
    [{ tx_json: { ...accountSet, Signers: 5 } }, refused("Invalid field 'tx.Signers'.")],
    [{ tx_json: { ...accountSet, TxnSignature: 'AB' } }, { error: 'transactionSigned', error_code: 96 }],
    [{ tx_json: { ...accountSet, Account: 'x' } }, { error: 'srcActMalformed' }],
    [{ tx_json: accountSet }, { engine_result: 'tesSUCCESS', applied: false }],
  ])('%j', async (request, answer) => {
    expect(await ask('simulate', request)).toMatchObject(answer);
  });
});

test('wallet_propose derives what every server derives from a passphrase', async () => {
  expect(await ask('wallet_propose', { passphrase: secret })).toMatchObject({
    account_id: GENESIS_ADDRESS,
    master_key: 'I IRE BOND BOW TRIO LAID SEAT GOAL HEN IBIS IBIS DARE',
    master_seed: 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb',
    warning: expect.stringContaining('low entropy'),
  });
  expect(await ask('wallet_propose', { seed: 'x' })).toMatchObject({ error: 'badSeed', error_code: 44 });
  const two = await ask('wallet_propose', { seed: 'x', passphrase: 'y' });
  expect(two).toMatchObject(refused('Exactly one of the following must be specified: passphrase, seed or seed_hex'));
});

test('commands of version 1 alone are unknown in version 2', async () => {
  for (const method of ['tx_history', 'ledger_header']) {
    expect(await ask(method, { start: 0 })).toMatchObject({ status: 'success' });
    expect(await ask(method, { start: 0, api_version: 2 })).toMatchObject({ error: 'unknownCmd' });
  }
});
