import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Client, type Wallet } from 'xrpl';
import { type SandboxLedger, startLedger } from '../index.ts';
import { fundedWallets, pay, type Rig, send, settle, startRig } from './support.ts';

let rig: Rig;
let sender: Wallet;
beforeEach(async () => {
  rig = await startRig();
  sender = (await fundedWallets(rig, 1))[0]!;
});
afterEach(() => rig.stop());

const closes = (count: number): void => {
  for (let i = 0; i < count; i++) rig.ledger.accept();
};
const completeLedgers = async (client: Client) =>
  (await client.request({ command: 'server_info' })).result.info.complete_ledgers;

test('a server that lags shows an older validated ledger and announces later ones only as it catches up', async () => {
  const announced: number[] = [];
  rig.client.on('ledgerClosed', ({ ledger_index }) => announced.push(ledger_index));
  await rig.client.request({ command: 'subscribe', streams: ['ledger'] });
  const { hash } = await settle(rig, sender, pay(sender.address, rig.genesis.address, '1'));
  const last = rig.ledger.accept();
  await rig.client.request({ command: 'ping' });
  announced.length = 0;

  rig.ledger.faults.set({ lagLedgers: 3 });
  expect(await rig.client.getLedgerIndex()).toBe(last - 3);
  const { info } = (await rig.client.request({ command: 'server_info' })).result;
  expect(info.validated_ledger?.seq).toBe(last - 3);
  expect((await rig.client.request({ command: 'tx', transaction: hash })).result.validated).toBe(false);
  await expect(
    rig.client.request({ command: 'account_tx', account: sender.address, ledger_index_max: last }),
  ).rejects.toMatchObject({ data: { error: 'lgrIdxMalformed' } });
  closes(2);
  await rig.client.request({ command: 'ping' });
  expect(announced).toEqual([]);

  const caughtUp = once(rig.client as never, 'ledgerClosed');
  rig.ledger.faults.clear();
  await caughtUp;
  await rig.client.request({ command: 'ping' });
  expect(announced).toEqual([last + 1, last + 2]);
  expect((await rig.client.request({ command: 'tx', transaction: hash })).result.validated).toBe(true);
});

test('a gap in history fragments complete_ledgers, and what is in it cannot be had', async () => {
  const { hash, ledgerIndex } = await settle(rig, sender, pay(sender.address, rig.genesis.address, '1'));
  closes(5);
  rig.ledger.faults.set({ missingLedgers: [{ from: ledgerIndex, to: ledgerIndex + 1 }] });
  expect(await completeLedgers(rig.client)).toBe(`2-${ledgerIndex - 1},${ledgerIndex + 2}-${ledgerIndex + 5}`);
  await expect(rig.client.request({ command: 'ledger', ledger_index: ledgerIndex })).rejects.toMatchObject({
    data: { error: 'lgrNotFound' },
  });
  await expect(
    rig.client.request({ command: 'tx', transaction: hash, min_ledger: ledgerIndex, max_ledger: ledgerIndex + 3 }),
  ).rejects.toMatchObject({ data: { error: 'txnNotFound', searched_all: false } });
  const { result } = await rig.client.request({
    command: 'account_tx',
    account: sender.address,
    ledger_index_min: 2,
    api_version: 1,
  });
  expect(result).toMatchObject({ ledger_index_min: ledgerIndex + 2, transactions: [] });
});

test('a narrowed account_tx leaves payments out, and only the range it names tells', async () => {
  const first = await settle(rig, sender, pay(sender.address, rig.genesis.address, '1'));
  const second = await settle(rig, sender, pay(sender.address, rig.genesis.address, '2'));
  const range = { ledger_index_min: first.ledgerIndex, ledger_index_max: second.ledgerIndex };
  const ask = async () =>
    (await rig.client.request({ command: 'account_tx', account: sender.address, ...range })).result;
  expect((await ask()).transactions).toHaveLength(2);

  rig.ledger.faults.set({ narrowAccountTx: { dropOldest: 1, dropNewest: 0 } });
  const late = await ask();
  expect(late.transactions.map(({ hash }) => hash)).toEqual([second.hash]);
  expect(late.ledger_index_min).toBe(first.ledgerIndex + 1);

  rig.ledger.faults.set({ narrowAccountTx: { dropOldest: 0, dropNewest: 1 } });
  const early = await ask();
  expect(early.transactions.map(({ hash }) => hash)).toEqual([first.hash]);
  expect(early.ledger_index_max).toBe(second.ledgerIndex - 1);
});

test('a socket dropped in mid-page fails that request; the client reconnects and can read on', async () => {
  for (let i = 0; i < 5; i++) await settle(rig, sender, pay(sender.address, rig.genesis.address, String(i + 1)));
  rig.ledger.faults.set({ dropSocketOnPage: 2 });
  const page = (marker?: unknown) =>
    rig.client.request({
      command: 'account_tx',
      account: sender.address,
      limit: 2,
      ...(marker === undefined ? {} : { marker }),
    });
  const first = await page();
  const second = await page(first.result.marker);
  const reconnected = once(rig.client as never, 'connected');
  await expect(page(second.result.marker)).rejects.toThrow();
  await reconnected;
  const third = await page(second.result.marker);
  expect(third.result.transactions).toHaveLength(2);
});

test('a lost submit is answered like any other, and no ledger ever has it', async () => {
  rig.ledger.faults.set({ loseSubmits: 1 });
  const sent = await send(rig, sender, pay(sender.address, rig.genesis.address, '5'));
  expect(sent.result).toBe('tesSUCCESS');
  closes(3);
  await expect(rig.client.request({ command: 'tx', transaction: sent.hash })).rejects.toMatchObject({
    data: { error: 'txnNotFound' },
  });
  const again = await rig.client.request({ command: 'submit', tx_blob: sent.tx_blob });
  expect(again.result.engine_result).toBe('tesSUCCESS');
});

test('a submit whose answer is lost fails at the client and is validated all the same', async () => {
  const { tx_blob, hash } = sender.sign(await rig.client.autofill(pay(sender.address, rig.genesis.address, '6')));
  rig.ledger.faults.set({ loseSubmitAnswers: 1 });
  const reconnected = once(rig.client as never, 'connected');
  await expect(rig.client.request({ command: 'submit', tx_blob })).rejects.toThrow();
  await reconnected;
  rig.ledger.accept();
  const { result } = await rig.client.request({ command: 'tx', transaction: hash });
  expect(result.validated).toBe(true);
});

test('a slow server lets a client with less patience time out', async () => {
  const hasty = new Client(rig.ledger.wsUrl, { timeout: 50 });
  await hasty.connect();
  rig.ledger.faults.set({ answerDelayMs: 30_000 });
  await expect(hasty.request({ command: 'fee' })).rejects.toThrow(/Timeout/);
  rig.ledger.faults.clear();
  expect((await hasty.request({ command: 'fee' })).type).toBe('response');
  await hasty.disconnect();
});

test('a loaded server asks for more: autofill pays it, and the usual fee is refused', async () => {
  rig.ledger.faults.set({ loadFactor: 50 });
  const filled = await rig.client.autofill(pay(sender.address, rig.genesis.address, '7'));
  expect(filled.Fee).toBe('600');
  const submit = async (Fee: string) =>
    (await rig.client.request({ command: 'submit', tx_blob: sender.sign({ ...filled, Fee }).tx_blob })).result;
  expect((await submit('10')).engine_result).toBe('telINSUF_FEE_P');
  expect((await submit('600')).engine_result).toBe('tesSUCCESS');
});

async function withPeer(options: { networkId?: number; heldFrom?: number }, use: (client: Client) => Promise<void>) {
  const peer: SandboxLedger = await startLedger({ peerOf: rig.ledger, ...options });
  const client = new Client(peer.wsUrl);
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.disconnect();
    await peer.close();
  }
}

test('a second server with less history knows the same ledgers, but not the old ones', async () => {
  const old = await settle(rig, sender, pay(sender.address, rig.genesis.address, '8'));
  closes(2);
  await withPeer({ heldFrom: old.ledgerIndex + 1 }, async (client) => {
    expect(await completeLedgers(client)).toBe(`${old.ledgerIndex + 1}-${old.ledgerIndex + 2}`);
    await expect(client.request({ command: 'tx', transaction: old.hash })).rejects.toMatchObject({
      data: { error: 'txnNotFound' },
    });
    await expect(
      client.request({ command: 'account_tx', account: sender.address, ledger_index_min: old.ledgerIndex }),
    ).rejects.toMatchObject({ data: { error: 'lgrIdxMalformed' } });
    const recent = await settle(rig, sender, pay(sender.address, rig.genesis.address, '9'));
    expect((await client.request({ command: 'tx', transaction: recent.hash })).result.validated).toBe(true);
  });
});

test('a second server of another network says so and refuses what is meant for the first', async () => {
  await withPeer({ networkId: 21_337 }, async (client) => {
    expect(client.networkID).toBe(21_337);
    const filled = await rig.client.autofill(pay(sender.address, rig.genesis.address, '10'));
    const { result } = await client.request({ command: 'submit', tx_blob: sender.sign(filled).tx_blob });
    expect(result.engine_result).toBe('telREQUIRES_NETWORK_ID');
  });
});

test('markers expire, and a marker of another server is none', async () => {
  for (let i = 0; i < 3; i++) await settle(rig, sender, pay(sender.address, rig.genesis.address, String(i + 1)));
  const page = (client: Client, marker?: unknown) =>
    client.request({
      command: 'account_tx',
      account: sender.address,
      limit: 2,
      ...(marker === undefined ? {} : { marker }),
    });
  const { marker } = (await page(rig.client)).result;
  await withPeer({}, async (client) => {
    await expect(page(client, marker)).rejects.toMatchObject({ data: { error: 'invalidParams' } });
  });
  expect((await page(rig.client, marker)).result.transactions).toHaveLength(2);
  await rig.client.request({ command: 'sandbox_faults', expire_markers: true } as never);
  await expect(page(rig.client, marker)).rejects.toMatchObject({ data: { error: 'invalidParams' } });
});

test('faults can be set and cleared by command', async () => {
  const set = (request: object) => rig.client.request({ command: 'sandbox_faults', ...request } as never);
  const answer = { result: { faults: { lag_ledgers: 2, load_factor: 1, missing_ledgers: [[4, 5]] } } };
  expect(await set({ lag_ledgers: 2, missing_ledgers: [[4, 5]] })).toMatchObject(answer);
  expect(rig.ledger.faults.current.lagLedgers).toBe(2);
  expect(await set({ clear: true })).toMatchObject({ result: { faults: { lag_ledgers: 0, missing_ledgers: [] } } });
  await expect(set({ lag_ledgers: -1 })).rejects.toMatchObject({ data: { error: 'invalidParams' } });
});
