import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { GENESIS_ADDRESS, startLedger } from '../index.ts';
import { bookChangesOf } from '../rpc/bookChanges.ts';
import { fundedWallets, pay, type Rig, send, settle, startRig, threeWallets } from './support.ts';

type Message = Record<string, unknown>;

let rig: Rig;
let socket: WebSocket;
let pushed: Message[];

beforeEach(async () => {
  rig = await startRig();
  socket = new WebSocket(rig.ledger.wsUrl);
  pushed = [];
  await once(socket, 'open');
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Message;
    if (message.type !== 'response') pushed.push(message);
  });
});
afterEach(async () => {
  socket.terminate();
  await rig.stop();
});

/** The answer to a request; whatever was pushed before it has been read by then. */
function ask(request: Message): Promise<Message> {
  const id = Math.random();
  return new Promise((resolve) => {
    const listener = (data: Buffer): void => {
      const message = JSON.parse(data.toString()) as Message;
      if (message.id !== id) return;
      socket.off('message', listener);
      resolve(message);
    };
    socket.on('message', listener);
    socket.send(JSON.stringify({ id, ...request }));
  });
}

const refused = (error: string, error_code: number) => ({ status: 'error', error, error_code });

describe('subscribe and unsubscribe with odd arguments', () => {
  test.each<[Message, object]>([
    [{ streams: 'ledger' }, refused('invalidParams', 31)],
    [{ streams: [5] }, refused('malformedStream', 71)],
    [{ streams: ['nonsense'] }, refused('malformedStream', 71)],
    [{ accounts: GENESIS_ADDRESS }, refused('invalidParams', 31)],
    [{ accounts: [] }, refused('actMalformed', 35)],
    [{ accounts: [5] }, refused('actMalformed', 35)],
    [{ accounts_proposed: ['x'] }, refused('actMalformed', 35)],
    [{ rt_accounts: ['x'] }, refused('actMalformed', 35)],
    [{ account_history_tx_stream: {} }, refused('invalidParams', 31)],
    [{ account_history_tx_stream: { account: 'x' } }, refused('invalidParams', 31)],
    [{ account_history_tx_stream: 5 }, refused('internal', 73)],
    [{ books: 'x' }, refused('invalidParams', 31)],
    [{ url: 'http://127.0.0.1:1/' }, refused('notSupported', 75)],
    [{}, { status: 'success', result: {} }],
  ])('%j', async (request, answer) => {
    for (const command of ['subscribe', 'unsubscribe']) {
      expect(await ask({ command, ...request })).toMatchObject(answer);
    }
  });

  test('every stream that the server knows can be asked for, and all but book_changes be left', async () => {
    for (const stream of [
      'book_changes',
      'consensus',
      'ledger',
      'manifests',
      'peer_status',
      'rt_transactions',
      'server',
      'transactions',
      'transactions_proposed',
      'validations',
    ]) {
      expect(await ask({ command: 'subscribe', streams: [stream] })).toMatchObject({ status: 'success' });
      const left = stream === 'book_changes' ? refused('malformedStream', 71) : { status: 'success' };
      expect(await ask({ command: 'unsubscribe', streams: [stream] })).toMatchObject(left);
    }
  });

  test('what stands before a wrong name is subscribed all the same', async () => {
    expect(await ask({ command: 'subscribe', streams: ['ledger', 'nonsense'] })).toMatchObject({ status: 'error' });
    rig.ledger.accept();
    await ask({ command: 'ping' });
    expect(pushed).toMatchObject([{ type: 'ledgerClosed' }]);
  });

  test('over JSON-RPC there is nobody to push to', async () => {
    const body = '{"method":"subscribe","params":[{"streams":["ledger"]}]}';
    const answer = await (await fetch(rig.ledger.rpcUrl, { method: 'POST', body })).json();
    expect(answer).toMatchObject({ result: { error: 'invalidParams' } });
  });
});

test('each ledger that closes goes through the phases of consensus', async () => {
  await ask({ command: 'subscribe', streams: ['consensus', 'ledger'] });
  rig.ledger.accept();
  rig.ledger.accept();
  await ask({ command: 'ping' });
  const each = [
    { type: 'consensusPhase', consensus: 'establish' },
    { type: 'consensusPhase', consensus: 'accepted' },
    expect.objectContaining({ type: 'ledgerClosed' }),
    { type: 'consensusPhase', consensus: 'open' },
  ];
  expect(pushed).toEqual([...each, ...each]);
});

test('the server tells what it asks for at the first transaction, and then only when that changes', async () => {
  const [wallet] = await fundedWallets(rig, 1);
  if (!wallet) throw new Error('a wallet was asked for');
  await ask({ command: 'subscribe', streams: ['server'] });
  await settle(rig, rig.genesis, pay(rig.genesis.address, wallet.address, '1000000'));
  await settle(rig, rig.genesis, pay(rig.genesis.address, wallet.address, '2000000'));
  const usual = {
    base_fee: 10,
    load_base: 256,
    load_factor: 256,
    load_factor_fee_escalation: 256,
    load_factor_fee_queue: 256,
    load_factor_fee_reference: 256,
    load_factor_server: 256,
    server_status: 'full',
    type: 'serverStatus',
  };
  await ask({ command: 'ping' });
  expect(pushed).toEqual([usual]);

  rig.ledger.faults.set({ loadFactor: 3 });
  rig.ledger.accept();
  await ask({ command: 'ping' });
  expect(pushed).toEqual([usual, { ...usual, load_factor: 768, load_factor_server: 768 }]);
});

test('a strict server is as silent about consensus as a real standalone one', async () => {
  const strict = await startLedger({ strict: true, intervalMs: 0 });
  try {
    const other = new WebSocket(strict.wsUrl);
    const received: Message[] = [];
    await once(other, 'open');
    other.on('message', (data: Buffer) => received.push(JSON.parse(data.toString()) as Message));
    other.send(JSON.stringify({ id: 1, command: 'subscribe', streams: ['consensus'] }));
    await vi.waitFor(() => expect(received).toHaveLength(1));
    strict.accept();
    other.send(JSON.stringify({ id: 2, command: 'ping' }));
    await vi.waitFor(() => expect(received.at(-1)).toMatchObject({ id: 2 }));
    expect(received).toHaveLength(2);
    other.terminate();
  } finally {
    await strict.close();
  }
});

test('the history of an account comes backwards, and what is new forwards, each numbered', async () => {
  const [wallet] = await fundedWallets(rig, 1);
  if (!wallet) throw new Error('a wallet was asked for');
  await settle(rig, rig.genesis, pay(rig.genesis.address, wallet.address, '1000000'));
  await send(rig, rig.genesis, pay(rig.genesis.address, wallet.address, '2000000'));
  await send(rig, rig.genesis, pay(rig.genesis.address, wallet.address, '3000000'));
  rig.ledger.accept();
  const account_history_tx_stream = { account: wallet.address };
  const request = { command: 'subscribe', account_history_tx_stream, api_version: 2 };
  expect(await ask(request)).toMatchObject({ result: { warning: expect.stringContaining('experimental') } });
  expect(await ask(request)).toMatchObject(refused('invalidParams', 31));
  await vi.waitFor(() => expect(pushed).toHaveLength(4));
  await settle(rig, rig.genesis, pay(rig.genesis.address, wallet.address, '4000000'));
  await ask({ command: 'ping' });

  const amounts = pushed.map(({ tx_json }) => (tx_json as Message).DeliverMax);
  expect(amounts).toEqual(['3000000', '2000000', '1000000', '1000000000', '4000000']);
  expect(pushed.map((message) => message.account_history_tx_index)).toEqual([-1, -2, -3, -4, 0]);
  const boundaries = pushed.map((message) => message.account_history_boundary ?? false);
  expect(boundaries).toEqual([false, true, true, true, true]);
  expect(pushed.map((message) => message.account_history_tx_first ?? false)).toEqual([
    false,
    false,
    false,
    true,
    false,
  ]);

  await ask({ command: 'unsubscribe', account_history_tx_stream });
  await settle(rig, rig.genesis, pay(rig.genesis.address, wallet.address, '5000000'));
  await ask({ command: 'ping' });
  expect(pushed).toHaveLength(5);
});

test('book_changes tell of prices and volumes as a command and as a stream', async () => {
  const [issuer, seller, buyer] = await threeWallets(rig);
  const usd = (value: string) => ({ currency: 'USD', issuer: issuer.address, value });
  await settle(rig, issuer, { TransactionType: 'AccountSet', Account: issuer.address, SetFlag: 8 });
  await settle(rig, buyer, { TransactionType: 'TrustSet', Account: buyer.address, LimitAmount: usd('1000') });
  await settle(rig, issuer, pay(issuer.address, buyer.address, usd('100')));
  await settle(rig, seller, {
    TransactionType: 'OfferCreate',
    Account: seller.address,
    TakerGets: '10000000',
    TakerPays: usd('20'),
  });
  await ask({ command: 'subscribe', streams: ['book_changes'] });
  const taken = await settle(rig, buyer, {
    TransactionType: 'OfferCreate',
    Account: buyer.address,
    TakerGets: usd('10'),
    TakerPays: '5000000',
  });
  const change = {
    currency_a: 'XRP_drops',
    currency_b: `${issuer.address}/USD`,
    volume_a: '5000000',
    volume_b: '10',
    open: '500000',
    close: '500000',
    high: '500000',
    low: '500000',
  };
  const answer = await ask({ command: 'book_changes', ledger_index: taken.ledgerIndex });
  expect(answer).toMatchObject({ result: { type: 'bookChanges', changes: [change], validated: true } });
  const { result } = await ask({
    command: 'ledger',
    ledger_index: taken.ledgerIndex,
    transactions: true,
    expand: true,
    owner_funds: true,
  });
  expect(result).toMatchObject({ ledger: { transactions: [{ hash: taken.hash, owner_funds: '90' }] } });
  expect(pushed).toMatchObject([{ type: 'bookChanges', changes: [change], ledger_index: taken.ledgerIndex }]);
});

test('book_changes count the transactions of a ledger by their hashes, and a pair once, in whatever domain', () => {
  const issuer = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
  const usd = (value: string) => ({ currency: 'USD', issuer, value });
  const taken = (hash: string, drops: string, value: string, DomainID?: string) => ({
    tx: { hash, fields: { TransactionType: 'Payment' } },
    meta: {
      AffectedNodes: [
        {
          DeletedNode: {
            LedgerEntryType: 'Offer',
            FinalFields: { TakerGets: '0', TakerPays: usd('0'), ...(DomainID ? { DomainID } : {}) },
            PreviousFields: { TakerGets: drops, TakerPays: usd(value) },
          },
        },
      ],
    },
  });
  // In the order in which they were applied.
  const applied = [taken('B', '2', '1'), taken('C', '3', '1', 'D'.repeat(64)), taken('A', '1', '1')];
  expect(bookChangesOf(applied as never)).toMatchObject([
    { open: '1', close: '3', volume_a: '6', volume_b: '3', domain: 'D'.repeat(64) },
  ]);
});

test('a price in book_changes is rounded as the server divides amounts', () => {
  const issuer = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
  const [eur, usd] = ['EUR', 'USD'].map((currency) => (value: string) => ({ currency, issuer, value }));
  const node = {
    LedgerEntryType: 'Offer',
    FinalFields: { TakerGets: eur?.('0'), TakerPays: usd?.('0') },
    PreviousFields: { TakerGets: eur?.('33730.3144870539'), TakerPays: usd?.('839785') },
  };
  const entry = { tx: { hash: 'A', fields: {} }, meta: { AffectedNodes: [{ DeletedNode: node }] } };
  expect(bookChangesOf([entry] as never)).toMatchObject([{ open: '0.04016541672815531' }]);
});
