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

test('a client of another project, or without a token, is turned away', async () => {
  for (const query of ['projectId=other&auth=a.b.c', `projectId=${PROJECT_ID}`]) {
    const socket = new WebSocket(`${apps.relayUrl}/?${query}`);
    const code = await new Promise<number>((resolve) => {
      socket.onclose = (event) => resolve(event.code);
    });
    expect(code).toBe(3000);
  }
});
