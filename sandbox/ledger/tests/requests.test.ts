import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Wallet } from 'xrpl';
import { GENESIS_ADDRESS, type SandboxLedger, startLedger } from '../index.ts';

let ledger: SandboxLedger;
beforeAll(async () => {
  ledger = await startLedger({ intervalMs: 0 });
});
afterAll(() => ledger.close());

const NOBODY = Wallet.generate().address;
const NO_HASH = 'A'.repeat(64);
const account = GENESIS_ADDRESS;

type Request = Record<string, unknown>;

/** The answer to a request as it stands, without a client that mends it first. */
async function ask({ command, ...params }: Request): Promise<Record<string, unknown>> {
  const body = JSON.stringify({ method: command, params: [params] });
  const response = await fetch(ledger.rpcUrl, { method: 'POST', body });
  return ((await response.json()) as { result: Record<string, unknown> }).result;
}

const invalidParams = (message: string) => ({ error: 'invalidParams', error_code: 31, error_message: message });

describe('the ledger of a request', () => {
  test.each<[Request, object]>([
    [{ ledger_index: -1 }, invalidParams("Invalid field 'ledger_index', not string or number.")],
    [{ ledger_index: 1.5 }, invalidParams("Invalid field 'ledger_index', not string or number.")],
    [{ ledger_index: true }, invalidParams("Invalid field 'ledger_index', not string or number.")],
    [{ ledger_index: null }, invalidParams("Invalid field 'ledger_index', not string or number.")],
    [{ ledger_index: '4294967296' }, invalidParams("Invalid field 'ledger_index', not string or number.")],
    [{ ledger: {} }, invalidParams("Invalid field 'ledger', not string or number.")],
    [{ ledger: 'Z'.repeat(64) }, invalidParams("Invalid field 'ledger', not hex string.")],
    [{ ledger_hash: 'AB' }, invalidParams("Invalid field 'ledger_hash', not hex string.")],
    [{ ledger_hash: '0' }, { error: 'lgrNotFound', error_code: 21, error_message: 'ledgerNotFound' }],
    [{ ledger: 'closed' }, { ledger_index: 2, validated: true }],
    [{ ledger: 2 }, { ledger_index: 2, validated: true }],
    [{ ledger_index: '+2' }, { ledger_index: 2, validated: true }],
    [{ ledger_index: '' }, { ledger_current_index: 3, validated: false }],
    [
      { ledger_index: 2, ledger_hash: NO_HASH },
      invalidParams("Exactly one of 'ledger_hash' or 'ledger_index' can be specified."),
    ],
    [
      { ledger: 2, ledger_hash: NO_HASH },
      invalidParams("Exactly one of 'ledger', 'ledger_hash', or 'ledger_index' can be specified."),
    ],
  ])('%j', async (selector, answer) => {
    expect(await ask({ command: 'account_lines', account, ...selector })).toMatchObject(answer);
  });
});

describe('the account of a request is asked for before the ledger, and looked for in it', () => {
  test.each(['account_info', 'account_currencies', 'account_lines', 'account_nfts', 'account_objects'])(
    '%s',
    async (command) => {
      const bad = { command, ledger_index: 'bad' };
      expect(await ask(bad)).toMatchObject(invalidParams("Missing field 'account'."));
      expect(await ask({ ...bad, account: 5 })).toMatchObject(invalidParams("Invalid field 'account'."));
      expect(await ask({ command, account: 'bad' })).toMatchObject({ error: 'actMalformed', error_code: 35 });
      expect(await ask({ command, account: NOBODY })).toMatchObject({ error: 'actNotFound', error_code: 19 });
    },
  );

  test('account_info and account_currencies take it as ident, too', async () => {
    expect(await ask({ command: 'account_info', ident: account })).toHaveProperty('account_data');
    expect(await ask({ command: 'account_currencies', ident: 5 })).toMatchObject(
      invalidParams("Invalid field 'ident'."),
    );
  });
});

test.each<[string, unknown, object]>([
  ['account_lines', -1, invalidParams("Invalid field 'limit', not unsigned integer.")],
  ['account_lines', '10', invalidParams("Invalid field 'limit', not unsigned integer.")],
  ['account_lines', 0, invalidParams("Invalid field 'limit'.")],
  ['account_lines', null, { lines: [] }],
  ['account_tx', 5000, { limit: 5000 }],
  ['ledger_data', 'x', invalidParams("Invalid field 'limit', not integer.")],
  ['ledger_data', 0, { state: [] }],
])('%s with limit %j', async (command, limit, answer) => {
  expect(await ask({ command, account, limit })).toMatchObject(answer);
});

describe('ledger_entry', () => {
  const refused = (error: string, message: string) => ({ error, error_code: 31, error_message: message });
  const seq = { owner: account, seq: 1 };

  test.each<[Request, object]>([
    [{ account_root: 'bad' }, refused('malformedAddress', "Invalid field 'account_root', not AccountID.")],
    [{ did: 5 }, refused('malformedAddress', "Invalid field 'did', not AccountID.")],
    [{ check: 'x' }, refused('malformedRequest', "Invalid field 'check', not hex string.")],
    [{ escrow: 'x' }, refused('malformedRequest', "Invalid field 'escrow', not hex string or object.")],
    [{ escrow: { seq: 1 } }, refused('malformedRequest', "Missing field 'owner'.")],
    [{ escrow: { ...seq, owner: 'x' } }, refused('malformedOwner', "Invalid field 'owner', not AccountID.")],
    [{ escrow: { ...seq, seq: -1 } }, refused('malformedSeq', "Invalid field 'seq', not number.")],
    [{ vault: { ...seq, seq: 'x' } }, refused('malformedRequest', "Invalid field 'seq', not number.")],
    [{ loan: { loan_broker_id: 'x' } }, refused('malformedBroker', "Invalid field 'loan_broker_id', not Hash256.")],
    [
      { oracle: { account, oracle_document_id: {} } },
      refused('malformedDocumentID', "Invalid field 'oracle_document_id', not number."),
    ],
    [{ amm: { asset: {} } }, refused('malformedRequest', "Missing field 'asset2'.")],
    [{ amm: { asset: {}, asset2: {} } }, refused('malformedRequest', "Invalid field 'asset', not Asset.")],
    [
      { directory: { owner: account, sub_index: 'x' } },
      refused('malformedRequest', "Invalid field 'sub_index', not number."),
    ],
    [{ fee: false }, refused('invalidParams', "Invalid field 'fee', not true.")],
    [{ fee: true, index: NO_HASH }, refused('invalidParams', 'Too many fields provided.')],
    [{ hashes: -1 }, { error: 'internal', error_code: 73 }],
    [{ hashes: -1, api_version: 2 }, refused('invalidParams', 'Invalid parameters.')],
    [{ nonsense: 1 }, { error: 'unknownOption', ledger_current_index: 3, validated: false }],
    [{ nonsense: 1, api_version: 2 }, refused('invalidParams', 'No ledger_entry params provided.')],
    [{ index: '0' }, { error: 'entryNotFound', error_code: 98 }],
  ])('%j is refused', async (request, answer) => {
    expect(await ask({ command: 'ledger_entry', ...request })).toMatchObject(answer);
  });

  test('an entry of another type than the one asked for is not shown', async () => {
    const { index } = await ask({ command: 'ledger_entry', account_root: account });
    expect(await ask({ command: 'ledger_entry', check: index })).toMatchObject({
      error: 'unexpectedLedgerType',
      index,
    });
    expect(await ask({ command: 'ledger_entry', index })).toMatchObject({ node: { Account: account } });
  });

  test('fee, hashes and amendments are found by true', async () => {
    for (const name of ['fee', 'hashes', 'amendments']) {
      expect(await ask({ command: 'ledger_entry', [name]: true })).toHaveProperty('node');
    }
  });
});

describe('tx', () => {
  test.each<[Request, object]>([
    [{}, invalidParams('Invalid parameters.')],
    [{ transaction: NO_HASH, ctid: 'C000000200000000' }, invalidParams('Invalid parameters.')],
    [{ transaction: 5 }, { error: 'notImpl' }],
    [{ ctid: 'x' }, invalidParams('Invalid parameters.')],
    [{ ctid: 'C000000200000005' }, { error: 'wrongNetwork', error_code: 4 }],
    [{ transaction: NO_HASH, min_ledger: 1 }, { error: 'txnNotFound' }],
    [
      { transaction: NO_HASH, min_ledger: 'a', max_ledger: 2 },
      { error: 'invalidLgrRange', error_code: 79 },
    ],
    [
      { transaction: NO_HASH, min_ledger: 1, max_ledger: 1002 },
      { error: 'excessiveLgrRange', error_code: 78 },
    ],
  ])('%j', async (request, answer) => {
    expect(await ask({ command: 'tx', ...request })).toMatchObject(answer);
  });
});

describe('account_tx', () => {
  test.each<[Request, object]>([
    [{ ledger_index_min: 'a' }, { error: 'internal', error_code: 73 }],
    [
      { ledger_index_min: 3, ledger_index_max: 2 },
      { error: 'lgrIdxsInvalid', error_code: 57 },
    ],
    [
      { ledger_index_min: 3, ledger_index_max: 2, api_version: 2 },
      { error: 'invalidLgrRange', error_code: 79 },
    ],
    [
      { ledger_index_max: 9, api_version: 2 },
      { error: 'lgrIdxMalformed', error_code: 58 },
    ],
    [{ ledger_index_max: 9 }, { ledger_index_max: 2 }],
    [{ ledger_index: 'current' }, { error: 'lgrNotValidated', error_code: 22 }],
    [{ ledger_index: 'x' }, invalidParams('ledger_index string malformed')],
    [{ ledger_hash: 5 }, invalidParams('ledgerHashNotString')],
    [{ forward: 'x', api_version: 2 }, invalidParams("Invalid field 'forward'.")],
  ])('%j', async (request, answer) => {
    expect(await ask({ command: 'account_tx', account, ...request })).toMatchObject(answer);
  });
});

test('ledger shows its state to a local caller, and its queue only while it is open', async () => {
  const { ledger: shown } = await ask({ command: 'ledger', ledger_index: 'validated', accounts: true });
  expect(shown).toHaveProperty('accountState', expect.arrayContaining([expect.stringMatching(/^[0-9A-F]{64}$/)]));
  const queue = await ask({ command: 'ledger', ledger_index: 'validated', queue: true });
  expect(queue).toMatchObject(invalidParams('Invalid parameters.'));
});

test('account_objects knows types by their short and by their full names, in any case', async () => {
  for (const type of ['escrow', 'Escrow', 'ESCROW', 'RippleState', 'state']) {
    expect(await ask({ command: 'account_objects', account, type })).toMatchObject({ account_objects: [] });
  }
  for (const type of ['Amendments', 'State', 'toString']) {
    expect(await ask({ command: 'account_objects', account, type })).toMatchObject(
      invalidParams("Invalid field 'type'."),
    );
  }
});
