import { SignClient } from '@walletconnect/sign-client';
import { openPhone, type Phone } from '#sandbox/wallet-apps/phone.ts';
import { manifest } from './browser.ts';

/** A wallet on a phone that speaks WalletConnect by its own library, with an account of the sandbox's ledger. */
export interface PhoneWallet {
  address(): Promise<string>;
  /** Takes up what the page shows as a code. */
  scan(uri: string): Promise<void>;
  /** What its owner answers from now on; `wait` leaves it unanswered. */
  answers: 'agree' | 'decline' | 'wait';
  /** What it was asked to sign, in order. */
  asked: { method: string; chainId: string; transaction: Record<string, unknown> }[];
  sessions(): number;
  /** Ends its sessions, listens on them until that is done, and counts the messages that came. */
  endSessions(meanwhile: () => Promise<void>): Promise<number>;
  close(): Promise<void>;
}

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

const USER_REJECTED = { code: 5000, message: 'User rejected.' };
let opened = 0;

export async function openPhoneWallet(chain: string): Promise<PhoneWallet> {
  const { wallet_apps: apps, ledger_rpc: rpcUrl, faucet_url: faucetUrl } = manifest;
  if (apps === null || rpcUrl === null || faucetUrl === null) throw new Error('The sandbox has no wallets');
  const phone: Phone = openPhone({ rpcUrl, faucetUrl });
  opened += 1;
  const client = await SignClient.init({
    projectId: apps.project_id,
    relayUrl: apps.relay_url,
    telemetryEnabled: false,
    logger: 'silent',
    storage: memory(),
    // The library keeps one client a process, but for this.
    customStoragePrefix: `phone-${opened}`,
    metadata: { name: 'Phone', description: '', url: 'https://wallet.example', icons: [] },
  });
  const wallet: PhoneWallet = {
    address: () => phone.address(),
    scan: (uri) => client.pair({ uri }).then(() => undefined),
    answers: 'agree',
    asked: [],
    sessions: () => client.session.length,
    endSessions: async (meanwhile) => {
      const { relayer } = client.core;
      const unsubscribe = relayer.unsubscribe.bind(relayer);
      const done = Promise.withResolvers<void>();
      relayer.unsubscribe = (topic) => done.promise.then(() => unsubscribe(topic));
      const topics = client.session.getAll().map(({ topic }) => topic);
      let heard = 0;
      relayer.on('relayer_message', ({ topic }: { topic: string }) => {
        if (topics.includes(topic)) heard += 1;
      });
      const reason = { code: 6000, message: 'User disconnected.' };
      const ended = topics.map((topic) => client.disconnect({ topic, reason }));
      await meanwhile();
      done.resolve();
      await Promise.all(ended);
      relayer.unsubscribe = unsubscribe;
      return heard;
    },
    close: () => client.core.relayer.transportClose(),
  };
  client.on('session_proposal', async ({ id, params }) => {
    if (wallet.answers === 'wait') return;
    if (wallet.answers === 'decline') {
      await client.reject({ id, reason: USER_REJECTED });
      return;
    }
    const { methods = [], events = [] } = params.optionalNamespaces.xrpl ?? {};
    const accounts = [`${chain}:${await phone.address()}`];
    const { acknowledged } = await client.approve({
      id,
      namespaces: { xrpl: { chains: [chain], methods, events, accounts } },
    });
    await acknowledged();
  });
  client.on('session_request', async ({ id, topic, params: { request, chainId } }) => {
    const { method, params } = request;
    wallet.asked.push({ method, chainId, transaction: params.tx_json });
    if (wallet.answers === 'wait') return;
    if (wallet.answers === 'decline') {
      await client.respond({ topic, response: { id, jsonrpc: '2.0', error: USER_REJECTED } });
      return;
    }
    const { hash } = await phone.submit(params.tx_json);
    await client.respond({
      topic,
      response: { id, jsonrpc: '2.0', result: { tx_json: { ...params.tx_json, hash } } },
    });
  });
  return wallet;
}
