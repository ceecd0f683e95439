import { SignClient } from '@walletconnect/sign-client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startWalletApps, type WalletApps } from '#sandbox/wallet-apps/index.ts';

const PROJECT_ID = '0123456789abcdef0123456789abcdef';
const CHAIN = 'xrpl:1000';
const ACCOUNT = `${CHAIN}:rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh`;
const WAIT = { timeout: 15_000 };

let apps: WalletApps;
const clients: InstanceType<typeof SignClient>[] = [];

async function open(name: string) {
  const client = await SignClient.init({
    projectId: PROJECT_ID,
    relayUrl: apps.relayUrl,
    telemetryEnabled: false,
    logger: 'silent',
    customStoragePrefix: name,
    metadata: { name, description: '', url: 'https://sandbox.example', icons: [] },
  });
  clients.push(client);
  return client;
}

beforeAll(async () => {
  apps = await startWalletApps({
    port: 0,
    host: '127.0.0.1',
    xaman: { apiKey: 'key', apiSecret: 'secret', network: 'SANDBOX' },
    walletConnect: { projectId: PROJECT_ID },
    ledger: { rpcUrl: 'http://127.0.0.1:9', faucetUrl: 'http://127.0.0.1:9' },
  });
});
afterAll(async () => {
  for (const client of clients) await client.core.relayer.transportClose();
  await apps?.close();
});

test('WalletConnect’s own library pairs, asks, answers and ends a session over the stand-in, also after it broke off', async () => {
  const site = await open('site');
  const wallet = await open('wallet');
  wallet.on('session_proposal', async ({ id, params }) => {
    const { methods = [], events = [] } = params.optionalNamespaces.xrpl ?? {};
    await wallet.approve({ id, namespaces: { xrpl: { chains: [CHAIN], methods, events, accounts: [ACCOUNT] } } });
  });
  wallet.on('session_request', async ({ id, topic, params }) => {
    await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: params.request.params } });
  });
  const { uri, approval } = await site.connect({
    optionalNamespaces: { xrpl: { chains: [CHAIN], methods: ['xrpl_signTransaction'], events: [] } },
  });
  await wallet.pair({ uri: uri ?? '' });
  const { topic, namespaces } = await approval();
  expect(namespaces.xrpl?.accounts).toEqual([ACCOUNT]);
  const ask = (n: number) =>
    site.request({ topic, chainId: CHAIN, request: { method: 'xrpl_signTransaction', params: { n } } });
  expect(await ask(1)).toEqual({ n: 1 });
  apps.relay.drop();
  await vi.waitFor(() => expect(apps.relay.clients).toBe(2), WAIT);
  expect(await ask(2)).toEqual({ n: 2 });
  await vi.waitFor(() => expect(wallet.session.length).toBe(1), WAIT);
  await site.disconnect({ topic, reason: { code: 6000, message: 'over' } });
  await vi.waitFor(() => expect(wallet.session.length).toBe(0), WAIT);
});

test('a proposal from before the site’s connection broke still reaches the wallet, and not the site', async () => {
  const site = await open('early');
  const { uri, approval } = await site.connect({
    optionalNamespaces: { xrpl: { chains: [CHAIN], methods: ['xrpl_signTransaction'], events: [] } },
  });
  const others = apps.relay.clients - 1;
  const back = Promise.withResolvers<void>();
  site.core.relayer.subscriber.once('subscription_resubscribed', back.resolve);
  apps.relay.drop();
  await back.promise;
  await vi.waitFor(() => expect(apps.relay.clients).toBe(others + 1), WAIT);
  const wallet = await open('late');
  wallet.on('session_proposal', ({ id }) =>
    wallet.approve({ id, namespaces: { xrpl: { chains: [CHAIN], methods: [], events: [], accounts: [ACCOUNT] } } }),
  );
  await wallet.pair({ uri: uri ?? '' });
  expect((await approval()).namespaces.xrpl?.accounts).toEqual([ACCOUNT]);
});

test('a message waits until it was acknowledged, over as many connections as that takes', async () => {
  const topic = 'ab'.repeat(32);
  const speaker = await speak('speaker');
  const first = await speak('listener');
  await first.ask('irn_subscribe', { topic });
  await speaker.ask('irn_publish', { topic, message: 'hello', ttl: 300, tag: 1 });
  expect(await first.heard()).toMatchObject({ params: { data: { message: 'hello' } } });
  first.socket.close();
  const second = await speak('listener');
  await second.ask('irn_subscribe', { topic });
  const again = await second.heard();
  expect(again).toMatchObject({ params: { data: { message: 'hello' } } });
  second.socket.send(JSON.stringify({ id: again.id, jsonrpc: '2.0', result: true }));
  await second.ask('irn_unsubscribe', { topic });
  const third = await speak('listener');
  await third.ask('irn_subscribe', { topic });
  expect(await third.ask('irn_fetchMessages', { topic })).toEqual({ messages: [], hasMore: false });
  expect(third.count()).toBe(0);
  for (const { socket } of [speaker, second, third]) socket.close();
});

/** A client that says what the protocol has, without the library. */
async function speak(name: string) {
  const payload = Buffer.from(JSON.stringify({ iss: name })).toString('base64url');
  const socket = new WebSocket(`${apps.relayUrl}/?projectId=${PROJECT_ID}&auth=e30.${payload}.e30`);
  const answers = new Map<number, unknown>();
  const messages: { id: number; method: string }[] = [];
  socket.onmessage = ({ data }) => {
    const said = JSON.parse(data);
    if (said.method === undefined) answers.set(said.id, said.result);
    else messages.push(said);
  };
  await new Promise((resolve) => {
    socket.onopen = resolve;
  });
  let asked = 0;
  return {
    socket,
    count: () => messages.length,
    heard: () => vi.waitUntil(() => messages[0], WAIT),
    async ask(method: string, params: object) {
      asked += 1;
      const id = asked;
      socket.send(JSON.stringify({ id, jsonrpc: '2.0', method, params }));
      await vi.waitUntil(() => answers.has(id), WAIT);
      return answers.get(id);
    },
  };
}

test('a client of another project, or without a token, is turned away', async () => {
  for (const query of ['projectId=other&auth=a.b.c', `projectId=${PROJECT_ID}`]) {
    const socket = new WebSocket(`${apps.relayUrl}/?${query}`);
    const code = await new Promise<number>((resolve) => {
      socket.onclose = (event) => resolve(event.code);
    });
    expect(code).toBe(3000);
  }
});
