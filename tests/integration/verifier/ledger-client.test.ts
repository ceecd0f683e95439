import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { openLedger } from '@tranche/verifier/ledger-client.ts';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { type SandboxLedger, startLedger } from 'xrpl-sandbox/index.ts';

const NOBODY = 'ws://127.0.0.1:9';
const NO_ADDRESS = 'nobody';

let ledger: SandboxLedger;
let other: SandboxLedger;
let client: ReturnType<typeof openLedger>;

beforeAll(async () => {
  ledger = await startLedger({ intervalMs: 0 });
  other = await startLedger({ peerOf: ledger });
  ledger.accept();
});
afterEach(() => client.close());
afterAll(async () => {
  await other.close();
  await ledger.close();
});

it('goes on with the next server where one cannot be reached', async () => {
  client = openLedger({ urls: [NOBODY, ledger.wsUrl], networkId: 0 });
  expect(await client.closedAtMs((await client.serverState()).validatedIndex)).toBeGreaterThan(0);
});

it('goes on with the next server where one lacks the ledgers', async () => {
  client = openLedger({ urls: [other.wsUrl], networkId: 0 });
  const { validatedIndex } = await client.serverState();
  client.close();
  ledger.faults.set({ missingLedgers: [{ from: 1, to: validatedIndex }] });
  client = openLedger({ urls: [ledger.wsUrl, other.wsUrl], networkId: 0 });
  expect(await client.closedAtMs(validatedIndex)).toBeGreaterThan(0);
  ledger.faults.clear();
});

it('goes on with the next server where one answers in another form, and asks that one again later', async () => {
  const odd = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  odd.on('connection', (socket) =>
    socket.on('message', (message) => {
      const { id } = JSON.parse(String(message)) as { id: number };
      socket.send(JSON.stringify({ id, status: 'success', type: 'response', result: {} }));
    }),
  );
  await once(odd, 'listening');
  const url = `ws://127.0.0.1:${(odd.address() as AddressInfo).port}`;
  try {
    client = openLedger({ urls: [url, ledger.wsUrl], networkId: 0 });
    expect((await client.serverState()).validatedIndex).toBeGreaterThan(1);
    client.close();
    client = openLedger({ urls: [url], networkId: 0 });
    await expect(client.serverState()).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(client.serverState()).rejects.toMatchObject({ code: 'service_unavailable' });
  } finally {
    client.close();
    odd.close();
  }
});

it('opens a new connection after the last one has ended', async () => {
  client = openLedger({ urls: [ledger.wsUrl], networkId: 0 });
  await client.serverState();
  client.close();
  expect((await client.serverState()).validatedIndex).toBeGreaterThan(1);
});

it('takes no server of another network', async () => {
  client = openLedger({ urls: [ledger.wsUrl], networkId: 7 });
  await expect(client.serverState()).rejects.toMatchObject({
    code: 'ledger_unavailable',
    detail: 'The ledger server reports network 0; the sale is on 7',
  });
});

it('asks no server twice what it refuses', async () => {
  client = openLedger({ urls: [ledger.wsUrl, NOBODY], networkId: 0 });
  const { validatedIndex } = await client.serverState();
  const request = { afterLedger: validatedIndex - 1, afterHash: null, throughLedger: validatedIndex, maxEntries: 10 };
  await expect(client.readFeed({ ...request, account: NO_ADDRESS })).rejects.toMatchObject({
    code: 'service_unavailable',
  });
});

it('tells that no server answers', async () => {
  client = openLedger({ urls: [NOBODY], networkId: 0 });
  await expect(client.serverState()).rejects.toMatchObject({ code: 'ledger_unavailable' });
});
