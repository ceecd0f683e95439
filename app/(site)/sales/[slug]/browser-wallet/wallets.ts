/** What its owner does on another device, or in another app: shown as a QR code and as a link. */
export interface AskedElsewhere {
  /** An address that the wallet app opens; null when the app has the request already. */
  link: string | null;
  /** Where it stands, as a sentence. */
  says: string;
}

export interface Asking {
  show(asked: AskedElsewhere | null): void;
  /** Aborted when its owner no longer wants it, or has left. */
  signal: AbortSignal;
}

/** A signature of a purchase, with the transaction as the server made it. */
export interface Order {
  step: 'setup' | 'payment';
  transaction: object;
}

/** A wallet that signs what a page asks for, once its owner agrees. */
export interface Wallet {
  name: string;
  /** The account that its owner lets this page see. Throws `WalletRefusal`. */
  connect(asking: Asking): Promise<WalletAccount>;
  /** Has it signed and submitted; resolves to the transaction's hash. Throws `WalletRefusal`. */
  submit(order: Order, asking: Asking): Promise<string>;
  /** Ends what holds it to this page. */
  close?(): void;
}

/** A wallet that lives in the browser as an extension. */
export interface BrowserWallet extends Wallet {
  /** Where one gets it. */
  home: string;
  isInstalled(): Promise<boolean>;
  connect(): Promise<WalletAccount>;
  submit(order: Pick<Order, 'transaction'>): Promise<string>;
}

/**
 * `network`: as the wallet names it, in lower case; the well-known ones are `mainnet`, `testnet` and `devnet`. null when the
 * wallet was asked for an account of the sale's own network.
 */
export interface WalletAccount {
  address: string;
  network: string | null;
}

/** What a wallet did not do, in words for its owner. */
export class WalletRefusal extends Error {}

export const DECLINED = 'You declined it in your wallet. Nothing was sent.';
const HASH = /^[0-9A-F]{64}$/;
/** How long an installed wallet may take to say so; it adds itself to the page while that loads. */
const ANSWER_MS = 1_000;

type Message = Record<string, unknown>;

/** Posts to the extensions of this page and waits for the answer that `accept` picks out; for ever, as a person decides. */
function converse<T>(request: Message, accept: (data: Message) => T | undefined, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const listen = ({ source, data }: MessageEvent) => {
      if (source !== window || typeof data !== 'object' || data === null) return;
      const answer = accept(data);
      if (answer === undefined) return;
      window.removeEventListener('message', listen);
      resolve(answer);
    };
    window.addEventListener('message', listen);
    signal?.addEventListener('abort', () => {
      window.removeEventListener('message', listen);
      reject(signal.reason);
    });
    window.postMessage(request, window.location.origin);
  });
}

const record = (value: unknown): Message => (typeof value === 'object' && value !== null ? (value as Message) : {});

function text(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new WalletRefusal(`Your wallet answered without ${what}. Update it, or pay by the QR code.`);
}

export function hashOf(value: unknown): string {
  const hash = (typeof value === 'string' ? value : '').toUpperCase();
  if (HASH.test(hash)) return hash;
  throw new WalletRefusal('Your wallet named no transaction. Look into it whether one was sent before you try again.');
}

/** A request of GemWallet's message API, version 3 (`@gemwallet/api` 3.8). The answer repeats its number as `messagedId`. */
async function askGemWallet(type: string, payload?: object, signal?: AbortSignal): Promise<Message> {
  const messageId = Date.now() + Math.random();
  const request = { source: 'GEM_WALLET_MSG_REQUEST', app: 'gem-wallet', messageId, type, payload };
  return converse(
    request,
    (data) => (data.source === 'GEM_WALLET_MSG_RESPONSE' && data.messagedId === messageId ? data : undefined),
    signal,
  );
}

/** The result of an answer: none where its owner declined. */
async function gemWalletResult(type: string, payload?: object): Promise<Message> {
  const { result, error } = await askGemWallet(type, payload);
  if (error !== undefined && error !== null) {
    throw new WalletRefusal(`GemWallet: ${text(record(error).message, 'a reason')}`);
  }
  if (result === undefined || result === null) throw new WalletRefusal(DECLINED);
  return record(result);
}

const gemWallet: BrowserWallet = {
  name: 'GemWallet',
  home: 'https://gemwallet.app',
  async isInstalled() {
    try {
      const { isInstalled } = await askGemWallet('REQUEST_IS_INSTALLED/V3', undefined, AbortSignal.timeout(ANSWER_MS));
      return isInstalled === true;
    } catch {
      return false;
    }
  },
  async connect() {
    const { address } = await gemWalletResult('REQUEST_GET_ADDRESS/V3', {
      url: window.location.origin,
      title: document.title,
      favicon: null,
    });
    const { chain, network } = await gemWalletResult('REQUEST_GET_NETWORK/V3');
    const isOtherChain = typeof chain === 'string' && chain !== 'XRPL';
    return {
      address: text(address, 'an address'),
      network: `${isOtherChain ? `${chain} ` : ''}${text(network, 'its network')}`.toLowerCase(),
    };
  },
  async submit({ transaction }) {
    return hashOf((await gemWalletResult('REQUEST_SUBMIT_TRANSACTION/V3', { transaction })).hash);
  },
};

/** A command of Crossmark's messages (`@crossmarkio/sdk` 0.4); the answer's `response` repeats its id. */
async function askCrossmark(command: string, data?: object): Promise<Message> {
  const id = crypto.randomUUID();
  const answer = await converse({ app: 'crossmark', type: 'request', id, command, data }, (message) => {
    const response = record(message.response);
    return response.type === 'response' && response.id === id ? record(response.data) : undefined;
  });
  const { isRejected, isExpired, isError, isFail } = record(answer.meta);
  if (isRejected === true) throw new WalletRefusal(DECLINED);
  if (isExpired === true) throw new WalletRefusal('The request expired in your wallet. Nothing was sent: try again.');
  if (isError === true || isFail === true) {
    throw new WalletRefusal(
      'Crossmark could not do this. Look into it whether anything was sent before you try again.',
    );
  }
  return answer;
}

declare global {
  interface Window {
    xrpl?: { isCrossmark?: boolean };
  }
}

const crossmark: BrowserWallet = {
  name: 'Crossmark',
  home: 'https://crossmark.io',
  async isInstalled() {
    const until = Date.now() + ANSWER_MS;
    while (window.xrpl?.isCrossmark !== true && Date.now() < until) await new Promise((wake) => setTimeout(wake, 100));
    return window.xrpl?.isCrossmark === true;
  },
  async connect() {
    const { address } = await askCrossmark('sign', { tx: { TransactionType: 'SignIn' } });
    const { label, type } = record((await askCrossmark('network')).network);
    const isOtherChain = typeof label === 'string' && label.toLowerCase() !== 'xrp ledger';
    return {
      address: text(address, 'an address'),
      network: `${isOtherChain ? `${label} ` : ''}${text(type, 'its network')}`.toLowerCase(),
    };
  },
  async submit({ transaction }) {
    const { resp } = await askCrossmark('sign-and-submit', { tx: transaction });
    const { result } = record(resp);
    return hashOf(record(result).hash ?? record(record(result).tx_json).hash);
  },
};

const WALLETS: readonly BrowserWallet[] = [gemWallet, crossmark];

export const WALLET_HOMES = WALLETS.map(({ name, home }) => ({ name, home }));

/** Those that answer on this page, within about a second. */
export async function installedWallets(): Promise<BrowserWallet[]> {
  const installed = await Promise.all(WALLETS.map((wallet) => wallet.isInstalled()));
  return WALLETS.filter((_, index) => installed[index]);
}

const NETWORKS: Readonly<Record<number, string>> = { 0: 'mainnet', 1: 'testnet', 2: 'devnet' };

/** Why a wallet's network is not that of the sale; null when it is, or when neither is one of the well-known networks. */
export function networkFault({ network }: WalletAccount, networkId: number): string | null {
  const wanted = NETWORKS[networkId];
  if (network === null || wanted === network) return null;
  if (wanted === undefined && !Object.values(NETWORKS).includes(network)) return null;
  return `Your wallet is on ${network}, and this sale is on ${wanted ?? `the network ${networkId}`}. Switch the network in your wallet, then connect again.`;
}
