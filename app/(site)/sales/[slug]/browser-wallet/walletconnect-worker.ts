import { SignClient } from '@walletconnect/sign-client';
import type { WalletConnectMessage, WalletConnectRequest } from './walletconnect-messages.ts';

type Connect = WalletConnectRequest & { kind: 'connect' };

const say = (message: WalletConnectMessage): void => globalThis.postMessage(message);

/** The least that WalletConnect takes, and as long as a pairing is good for. */
const SIGN_SECONDS = 300;
/** `USER_DISCONNECTED` of WalletConnect, from either side. */
const DISCONNECTED = 6000;
const LEFT = { code: DISCONNECTED, message: 'The purchase has ended.' };

/** Lasts as long as the worker: nothing of a session is kept in the browser. */
function memory() {
  const items = new Map<string, unknown>();
  return {
    getKeys: async () => [...items.keys()],
    getEntries: async <T>() => [...items.entries()] as [string, T][],
    getItem: async <T>(key: string) => items.get(key) as T | undefined,
    setItem: async <T>(key: string, value: T) => void items.set(key, value),
    removeItem: async (key: string) => void items.delete(key),
  };
}

type Client = InstanceType<typeof SignClient>;

interface Session {
  client: Client;
  topic: string;
  chain: string;
}

let client: Client | undefined;
let session: Session | undefined;

async function connect({ projectId, relayUrl, chain, name, url }: Connect): Promise<void> {
  // The library prints its notes at every log level; a buyer has no use for them.
  for (const method of ['debug', 'info', 'log', 'trace', 'warn'] as const) console[method] = () => {};
  client = await SignClient.init({
    projectId,
    relayUrl,
    // It would ask another host: nothing but the relay is spoken to.
    telemetryEnabled: false,
    storage: memory(),
    metadata: { name, description: 'A token sale on the XRP Ledger', url, icons: [`${url}/icon.svg`] },
  });
  const current = client;
  const isOffline = { told: false };
  current.core.relayer.on('relayer_disconnect', () => {
    isOffline.told = true;
    say({ kind: 'offline' });
  });
  current.core.relayer.on('relayer_connect', () => {
    if (isOffline.told) say({ kind: 'online' });
    isOffline.told = false;
  });
  const { uri, approval } = await current.connect({
    optionalNamespaces: { xrpl: { chains: [chain], methods: ['xrpl_signTransaction'], events: [] } },
  });
  if (uri !== undefined) say({ kind: 'pairing', uri });
  const { topic, namespaces } = await approval();
  session = { client: current, topic, chain };
  current.on('session_delete', () => {
    session = undefined;
    say({ kind: 'ended' });
  });
  say({ kind: 'connected', account: namespaces.xrpl?.accounts[0] ?? '' });
}

/** docs.reown.com, "XRPL" of the RPC reference: the wallet fills in what is left out, and submits. */
async function sign(transaction: object): Promise<void> {
  if (session === undefined) return say({ kind: 'ended' });
  const answer = await session.client.request({
    topic: session.topic,
    chainId: session.chain,
    expiry: SIGN_SECONDS,
    request: { method: 'xrpl_signTransaction', params: { tx_json: transaction, autofill: true, submit: true } },
  });
  say({ kind: 'signed', answer });
}

async function end(): Promise<void> {
  try {
    if (session !== undefined) await session.client.disconnect({ topic: session.topic, reason: LEFT });
    await client?.core.relayer.transportClose();
  } finally {
    globalThis.close();
  }
}

/** Codes by which a wallet says that its owner declined: of a pairing, of a request, and of EIP-1193. */
const DECLINED: ReadonlySet<unknown> = new Set([4001, 5000, 5001, 5002]);

function outcomeOf(error: unknown): WalletConnectMessage {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const text = String(message ?? '').toLowerCase();
  if (code === DISCONNECTED) return { kind: 'ended' };
  if (DECLINED.has(code) || /reject|declin|denied/.test(text)) return { kind: 'declined' };
  return { kind: text.includes('expired') ? 'expired' : 'failed' };
}

globalThis.onmessage = ({ data }: MessageEvent<WalletConnectRequest>) => {
  const work = data.kind === 'connect' ? connect(data) : data.kind === 'sign' ? sign(data.transaction) : end();
  work.catch((error: unknown) => {
    const outcome = outcomeOf(error);
    // A request fails before the session is told to be over: the page would end again what the wallet has ended.
    if (outcome.kind === 'ended') session = undefined;
    say(outcome);
  });
};
