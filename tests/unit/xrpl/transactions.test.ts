import { LedgerFault } from '@tranche/verifier/errors.ts';
import { expect, test } from 'vitest';
import { lookUpAll, provesAbsence } from '#lib/xrpl/transactions.ts';

const info = {
  info: { complete_ledgers: '2-200', validated_ledger: { seq: 200, hash: 'A'.repeat(64) } },
};

/** A server whose answers to `tx` are given by the hash asked for. */
const answering = (answers: Record<string, () => unknown>) => ({
  url: 'test',
  request: async (command: object) => ('transaction' in command ? answers[String(command.transaction)]?.() : info),
});
const refuse = (code: string) => () => {
  throw new LedgerFault(code, '');
};

test('an answer that is refused or cannot be read proves nothing, and keeps no other from being found', async () => {
  const server = answering({
    odd: () => ({ validated: 'perhaps' }),
    refused: refuse('invalidParams'),
    absent: refuse('txnNotFound'),
  });
  const lookUps = await lookUpAll(server, ['odd', 'refused', 'absent']);
  expect(lookUps.map((lookUp) => lookUp.state === 'not_validated' && provesAbsence(lookUp.history, 100, 120))).toEqual([
    false,
    false,
    true,
  ]);
});

test('a server that is too busy to look up is no answer at all', async () => {
  await expect(lookUpAll(answering({ busy: refuse('tooBusy') }), ['busy'])).rejects.toThrow('tooBusy');
});

const entry = (hash: string) => ({
  hash,
  validated: true,
  ledger_index: 150,
  meta: { TransactionResult: 'tesSUCCESS' },
  tx_json: { date: 0 },
});

test('many transactions of one account are found in its history, and the others asked for one by one', async () => {
  const hashes = Array.from({ length: 60 }, (_, index) => `HASH${index}`);
  const asked: object[] = [];
  const pages = [
    { marker: { page: 2 }, transactions: ['of another', ...hashes.slice(30)].map(entry) },
    { transactions: hashes.slice(10, 30).map(entry) },
  ];
  const server = {
    url: 'test',
    request: async (command: { command: string }) => {
      asked.push(command);
      if (command.command === 'account_tx') return pages.shift();
      return command.command === 'tx' ? refuse('txnNotFound')() : info;
    },
  };
  const lookUps = await lookUpAll(server, hashes, { account: 'rPayer', afterLedger: 149 });
  expect(lookUps.map(({ state }) => state)).toEqual([
    ...Array(10).fill('not_validated'),
    ...Array(50).fill('validated'),
  ]);
  expect(asked).toHaveLength(1 + 2 + 10);
  expect(asked[1]).toMatchObject({ account: 'rPayer', ledger_index_min: 150, ledger_index_max: 200, limit: 200 });
});

test('all that may be under way at once is asked for in one page, with the request of tickets behind it', async () => {
  const hashes = Array.from({ length: 200 }, (_, index) => `HASH${index}`);
  const asked: { command: string; limit?: number }[] = [];
  const server = {
    url: 'test',
    request: async (command: { command: string; limit?: number }) => {
      asked.push(command);
      if (command.command !== 'account_tx') return info;
      const newestFirst = ['of the tickets', ...hashes.toReversed()].map(entry);
      return { marker: { page: 2 }, transactions: newestFirst.slice(0, command.limit) };
    },
  };
  const lookUps = await lookUpAll(server, hashes, { account: 'rPayer', afterLedger: 149 });
  expect(lookUps.every(({ state }) => state === 'validated')).toBe(true);
  expect(asked.map(({ command }) => command)).toEqual(['server_info', 'account_tx']);
});

test('of transactions older than what a server holds without a gap, the newer ones are still found in one answer', async () => {
  const hashes = Array.from({ length: 30 }, (_, index) => `HASH${index}`);
  const asked: object[] = [];
  const server = {
    url: 'test',
    request: async (command: { command: string }) => {
      asked.push(command);
      if (command.command === 'server_info') return { info: { ...info.info, complete_ledgers: '2-100,140-200' } };
      if (command.command === 'tx') return refuse('txnNotFound')();
      return { transactions: hashes.slice(1).map(entry) };
    },
  };
  const lookUps = await lookUpAll(server, hashes, { account: 'rPayer', afterLedger: 120 });
  expect(lookUps.map(({ state }) => state)).toEqual(['not_validated', ...Array(29).fill('validated')]);
  expect(asked).toHaveLength(1 + 1 + 1);
  expect(asked[1]).toMatchObject({ ledger_index_min: 140, ledger_index_max: 200 });
});

test.each([
  ['the server lacks those ledgers', refuse('lgrIdxMalformed')],
  ['the server is too busy to list them', refuse('slowDown')],
  ['its answer cannot be read', () => ({ transactions: [{ hash: 'HASH0', validated: false }] })],
])('each transaction is asked for where %s', async (_what, history) => {
  const hashes = Array.from({ length: 20 }, (_, index) => `HASH${index}`);
  const server = {
    url: 'test',
    request: async (command: { command: string }) => {
      if (command.command === 'account_tx') return history();
      return command.command === 'tx' ? { validated: false } : info;
    },
  };
  const lookUps = await lookUpAll(server, hashes, { account: 'rPayer', afterLedger: 100 });
  expect(lookUps).toEqual(hashes.map(() => expect.objectContaining({ state: 'not_validated' })));
});
