/** What the page asks of the worker that holds WalletConnect. */
export type WalletConnectRequest =
  | {
      kind: 'connect';
      projectId: string;
      relayUrl: string;
      /** CAIP-2, as the wallets name it: `xrpl:0`. */
      chain: string;
      name: string;
      url: string;
    }
  | { kind: 'sign'; transaction: object }
  | { kind: 'end' };

/** What the worker says. */
export type WalletConnectMessage =
  /** For the wallet to scan or open. */
  | { kind: 'pairing'; uri: string }
  | { kind: 'connected'; account: string }
  /** What the wallet answered, unread. */
  | { kind: 'signed'; answer: unknown }
  /** The wallet's owner has said no. */
  | { kind: 'declined' }
  /** The pairing or the request was not answered in its time. */
  | { kind: 'expired' }
  /** The relay cannot be reached. It goes on by itself when it can. */
  | { kind: 'offline' }
  | { kind: 'online' }
  /** The wallet has ended the session. */
  | { kind: 'ended' }
  | { kind: 'failed' };
