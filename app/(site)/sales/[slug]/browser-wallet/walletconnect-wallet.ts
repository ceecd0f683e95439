import type { WalletConnectMessage, WalletConnectRequest } from './walletconnect-messages.ts';
import { type Asking, DECLINED, hashOf, type Wallet, WalletRefusal } from './wallets.ts';

export interface WalletConnectSettings {
  projectId: string;
  relayUrl: string;
}

const SAYS = {
  pairing: 'Waiting for a wallet to connect. The code is good for five minutes.',
  signing: 'Sent to your wallet: open it, and sign or decline it there.',
  offline: 'No connection to WalletConnect just now. It goes on by itself when you are online.',
} as const;
const ENDS = {
  declined: DECLINED,
  expired: 'It was not answered in time. Look into your wallet whether anything was sent before you try again.',
  ended: 'Your wallet has ended the connection. Look into it whether anything was sent, then connect again.',
  failed: 'WalletConnect failed. Look into your wallet whether anything was sent before you try again.',
} as const;

/** An account as WalletConnect names it, `xrpl:0:r…`; throws what does not belong to the chain. */
function addressOf(account: string, chain: string): string {
  if (account.startsWith(`${chain}:`)) return account.slice(chain.length + 1);
  throw new WalletRefusal('Your wallet is on another network than this sale. Switch it there, then connect again.');
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/**
 * A wallet that is reached over WalletConnect. The library runs in a worker: it is not in the page that shows where to pay,
 * and the policy of the page lets nothing more through than without it.
 */
export function walletConnectWallet({ projectId, relayUrl }: WalletConnectSettings, networkId: number): Wallet {
  const chain = `xrpl:${networkId}`;
  let worker: Worker | null = null;

  /** Sends a request and waits for the answer to it; throws what is none. */
  function ask<T>(
    request: WalletConnectRequest,
    { show, signal }: Asking,
    accept: (message: WalletConnectMessage) => T | undefined,
    waiting: { link: string | null; says: string },
  ): Promise<T> {
    const current = worker;
    if (current === null) throw new WalletRefusal(ENDS.ended);
    return new Promise<T>((resolve, reject) => {
      let shown = waiting;
      const settle = (end: () => void) => {
        current.onmessage = null;
        current.onerror = null;
        signal.removeEventListener('abort', onAbort);
        show(null);
        end();
      };
      const onAbort = () =>
        settle(() => {
          close();
          reject(
            new WalletRefusal('You took it back. Nothing is sent unless you had signed it: your wallet shows it.'),
          );
        });
      signal.addEventListener('abort', onAbort);
      current.onerror = () => settle(() => reject(new WalletRefusal(ENDS.failed)));
      current.onmessage = ({ data }: MessageEvent<WalletConnectMessage>) => {
        switch (data.kind) {
          case 'pairing':
            shown = { link: data.uri, says: SAYS.pairing };
            return show(shown);
          case 'offline':
            return show({ ...shown, says: SAYS.offline });
          case 'online':
            return show(shown);
          case 'declined':
          case 'expired':
          case 'ended':
          case 'failed':
            return settle(() => {
              if (data.kind !== 'declined') close();
              reject(new WalletRefusal(ENDS[data.kind]));
            });
          default: {
            const answer = accept(data);
            if (answer !== undefined) settle(() => resolve(answer));
          }
        }
      };
      if (request.kind !== 'connect') show(shown);
      current.postMessage(request);
    });
  }

  /** The worker ends the session and then itself. */
  function close() {
    worker?.postMessage({ kind: 'end' } satisfies WalletConnectRequest);
    worker = null;
  }

  return {
    name: 'WalletConnect',
    async connect(asking) {
      close();
      worker = new Worker(new URL('./walletconnect-worker.ts', import.meta.url), { type: 'module' });
      const { origin } = window.location;
      const account = await ask(
        { kind: 'connect', projectId, relayUrl, chain, name: document.title, url: origin },
        asking,
        (message) => (message.kind === 'connected' ? message.account : undefined),
        { link: null, says: SAYS.pairing },
      );
      return { address: addressOf(account, chain), network: null };
    },
    async submit({ transaction }, asking) {
      const answer = await ask(
        { kind: 'sign', transaction },
        asking,
        (message) => (message.kind === 'signed' ? { of: message.answer } : undefined),
        { link: null, says: SAYS.signing },
      );
      return hashOf(field(field(answer.of, 'tx_json'), 'hash') ?? field(answer.of, 'hash'));
    },
    close,
  };
}
