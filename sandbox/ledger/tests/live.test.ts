import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client, type LedgerStream, type TransactionStream, Wallet } from 'xrpl';
import { startLedger } from '../index.ts';
import { pay, type Rig, startRig } from './support.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ intervalMs: 100 });
});
afterAll(() => rig.stop());

/** Resolves with the next event of that name that matches. */
async function next<T>(client: Client, event: string, matches: (value: T) => boolean): Promise<T> {
  for (;;) {
    // once() gives what was emitted, whose type the client knows only by name.
    const [value] = (await once(client as never, event)) as [T];
    if (matches(value)) return value;
  }
}

const faucet = () => ({
  faucetHost: `127.0.0.1:${rig.ledger.port}`,
  faucetPath: '/accounts',
  faucetProtocol: 'http' as const,
});

test('fundWallet creates an account with what was asked', async () => {
  const { wallet, balance } = await rig.client.fundWallet(null, { ...faucet(), amount: '250' });
  expect(balance).toBe(250);
  expect(await rig.client.getXrpBalance(wallet.address)).toBe(250);
});

test('submitAndWait returns the validated transaction', async () => {
  const to = Wallet.generate();
  const { result } = await rig.client.submitAndWait(pay(rig.genesis.address, to.address, '20000000'), {
    wallet: rig.genesis,
    autofill: true,
  });
  expect(result.validated).toBe(true);
  expect(result.meta).toMatchObject({ TransactionResult: 'tesSUCCESS', delivered_amount: '20000000' });
});

describe('subscribe', () => {
  test('ledgerClosed comes for every ledger, empty ones too, in unbroken order', async () => {
    const listener = new Client(rig.ledger.wsUrl);
    await listener.connect();
    const indexes: number[] = [];
    const enough = new Promise<void>((resolve) => {
      listener.on('ledgerClosed', (ledger: LedgerStream) => {
        indexes.push(ledger.ledger_index);
        if (indexes.length === 3) resolve();
      });
    });
    await listener.request({ command: 'subscribe', streams: ['ledger'] });
    await enough;
    const [first = 0] = indexes;
    expect(indexes.slice(0, 3)).toEqual([first, first + 1, first + 2]);
    await listener.disconnect();
  });

  test('an account stream pushes the validated payment after its ledger', async () => {
    const to = Wallet.generate();
    const listener = new Client(rig.ledger.wsUrl);
    await listener.connect();
    const order: string[] = [];
    listener.on('ledgerClosed', ({ ledger_index }) => order.push(`ledger ${ledger_index}`));
    listener.on('transaction', ({ ledger_index }) => order.push(`transaction ${ledger_index}`));
    await listener.request({ command: 'subscribe', streams: ['ledger'], accounts: [to.address] });
    const pushed = next<TransactionStream>(listener, 'transaction', ({ validated }) => validated === true);
    const signed = rig.genesis.sign(await rig.client.autofill(pay(rig.genesis.address, to.address, '3000000')));
    await rig.client.request({ command: 'submit', tx_blob: signed.tx_blob });
    const message = await pushed;
    expect(message.hash).toBe(signed.hash);
    expect(message.meta).toMatchObject({ delivered_amount: '3000000' });
    const at = order.indexOf(`transaction ${message.ledger_index}`);
    expect(order[at - 1]).toBe(`ledger ${message.ledger_index}`);
    await listener.disconnect();
  });
});

test('a network with a high ID demands it in every transaction, and xrpl.js puts it there', async () => {
  const other = await startRig({ networkId: 21_337 });
  try {
    const to = Wallet.generate();
    const filled = await other.client.autofill(pay(other.genesis.address, to.address, '10000000'));
    expect(filled.NetworkID).toBe(21_337);
    const { NetworkID: _omitted, ...without } = filled;
    const submit = async (tx: typeof without) =>
      (await other.client.request({ command: 'submit', tx_blob: other.genesis.sign(tx).tx_blob })).result.engine_result;
    expect(await submit(without)).toBe('telREQUIRES_NETWORK_ID');
    expect(await submit(filled)).toBe('tesSUCCESS');
  } finally {
    await other.stop();
  }
});

test('closing frees the port at once', async () => {
  const first = await startLedger({ intervalMs: 50 });
  await first.close();
  const second = await startLedger({ intervalMs: 0, port: first.port });
  expect(second.port).toBe(first.port);
  await second.close();
});

test('requests that make no sense are answered with errors, and the server lives on', async () => {
  const requests = [
    { command: 'no_such_command' },
    { command: 'account_info', account: 5 },
    { command: 'account_tx', account: rig.genesis.address, marker: 'x' },
    { command: 'ledger', ledger_index: 99_999_999 },
    { command: 'submit', tx_blob: 'DEADBEEF' },
    { command: 'submit_multisigned', tx_json: { Account: 1 } },
    { command: 'simulate', tx_json: { TransactionType: 'Payment' } },
    { command: 'ledger_entry', ripple_state: { accounts: [1, 2], currency: 'USD' } },
  ];
  for (const request of requests) {
    await expect(rig.client.request(request as never)).rejects.toMatchObject({ data: { status: 'error' } });
  }
  expect((await rig.client.request({ command: 'ping' })).type).toBe('response');
});

test('JSON-RPC answers on the same port, errors included', async () => {
  const post = async (method: string, params: object) => {
    const response = await fetch(rig.ledger.rpcUrl, {
      method: 'POST',
      body: JSON.stringify({ method, params: [params] }),
    });
    return { status: response.status, body: (await response.json()) as { result: object } };
  };
  expect(await post('ledger_closed', {})).toMatchObject({ status: 200, body: { result: { status: 'success' } } });
  const unknown = await post('account_info', { account: Wallet.generate().address, api_version: 2 });
  expect(unknown).toMatchObject({ status: 200, body: { result: { status: 'error', error: 'actNotFound' } } });
});
