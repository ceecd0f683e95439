'use client';

import { createContext, type ReactNode, useContext, useState } from 'react';
import { Button } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { Notice } from '../../_ui/notice.tsx';
import type { BrowserWallet } from '../../sales/[slug]/browser-wallet/wallets.ts';

/** What talks to wallets is loaded when somebody wants one. */
export const loadWallets = () => import('../../sales/[slug]/browser-wallet/wallets.ts');

interface Connection {
  wallet: BrowserWallet;
  address: string;
}

interface OwnWallet {
  connection: Connection | null;
  /** Null before anybody has looked. */
  wallets: readonly BrowserWallet[] | null;
  isBusy: boolean;
  fault: string | null;
  look(): Promise<void>;
  connect(wallet: BrowserWallet): Promise<void>;
}

const Context = createContext<OwnWallet | null>(null);

export function useOwnWallet(): OwnWallet {
  const shared = useContext(Context);
  if (shared === null) throw new Error('Outside of the pages that sign with a wallet');
  return shared;
}

/** The wallet in this browser that signs for an account of its owner, connected once for all steps. */
export function OwnWalletProvider({ networkId, children }: { networkId: number; children: ReactNode }) {
  const [connection, setConnection] = useState<Connection | null>(null);
  const [wallets, setWallets] = useState<readonly BrowserWallet[] | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  async function attempt(run: (loaded: Awaited<ReturnType<typeof loadWallets>>) => Promise<void>) {
    setBusy(true);
    setFault(null);
    try {
      const loaded = await loadWallets();
      try {
        await run(loaded);
      } catch (error) {
        setFault(error instanceof loaded.WalletRefusal ? error.message : 'The wallet did not answer as expected.');
      }
    } catch {
      setFault('What speaks with wallets could not be loaded. Try again.');
    } finally {
      setBusy(false);
    }
  }
  const look = () => attempt(async ({ installedWallets }) => setWallets(await installedWallets()));
  const connect = (wallet: BrowserWallet) =>
    attempt(async ({ networkFault, WalletRefusal }) => {
      const account = await wallet.connect();
      const wrong = networkFault(account, networkId);
      if (wrong !== null) throw new WalletRefusal(wrong.replace('this sale is', 'this site is'));
      setConnection({ wallet, address: account.address });
    });
  return <Context value={{ connection, wallets, isBusy, fault, look, connect }}>{children}</Context>;
}

/** The card that connects the wallet; the key stays in it. `whose` as in "The issuer’s". */
export function ConnectWallet({ whose, signs }: { whose: string; signs: string }) {
  const { connection, wallets, isBusy, fault, look, connect } = useOwnWallet();
  return (
    <Card
      title={`${whose} wallet`}
      lead={`It signs ${signs} here in your browser. Its key never reaches this site, and you see each transaction first.`}
    >
      {connection !== null ? (
        <p className="text-sm" role="status">
          Connected: {connection.wallet.name}{' '}
          <span className="font-mono text-xs break-all text-soft">{connection.address}</span>
        </p>
      ) : wallets === null ? (
        <Button onClick={look} disabled={isBusy}>
          {isBusy ? 'Looking for wallets…' : 'Connect a browser wallet'}
        </Button>
      ) : wallets.length === 0 ? (
        <div className="space-y-3">
          <p role="status" className="text-sm text-soft">
            No wallet answered in this browser. Install GemWallet or Crossmark, or sign each transaction elsewhere:
            every step shows it as JSON.
          </p>
          <Button onClick={look} disabled={isBusy}>
            {isBusy ? 'Looking for wallets…' : 'Look again'}
          </Button>
        </div>
      ) : (
        <div className="flex flex-wrap gap-3">
          {wallets.map((wallet) => (
            <Button key={wallet.name} look="primary" disabled={isBusy} onClick={() => connect(wallet)}>
              {isBusy ? 'Waiting for your wallet…' : `Connect ${wallet.name}`}
            </Button>
          ))}
        </div>
      )}
      {fault !== null && (
        <div className="mt-3">
          <Notice tone="bad" isAlert>
            {fault}
          </Notice>
        </div>
      )}
    </Card>
  );
}
