'use client';

import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { Button } from '../../_ui/button.tsx';
import { Notice } from '../../_ui/notice.tsx';
import { resultOf } from './actions.ts';
import { loadWallets, useOwnWallet } from './own-wallet.tsx';

/** A signed transaction is in a ledger within seconds. */
const LOOKS = 30;
const LOOK_EVERY_MS = 2_000;

const UNKNOWN = 'The ledger does not show it yet. Look into your wallet whether it was sent before you sign it again.';

const TROUBLE = 'Something failed on the way. Look into your wallet whether it was sent before you sign it again.';

type State =
  | { kind: 'idle' }
  | { kind: 'wallet' }
  | { kind: 'ledger'; hash: string }
  | { kind: 'done'; hash: string }
  | { kind: 'refused'; says: string };

/** Has the wallet of one of these accounts sign and send a step's transaction, and follows it until the ledger has decided. */
export function SignStep({ transaction, by, mayAct }: { transaction: object; by: readonly string[]; mayAct: boolean }) {
  const router = useRouter();
  const { connection } = useOwnWallet();
  const [state, setState] = useState<State>({ kind: 'idle' });
  const region = useRef<HTMLDivElement>(null);
  if (!mayAct) return <p className="text-sm text-soft">Your token is read-only: an operator does this.</p>;
  if (connection === null) {
    return (
      <p className="text-sm text-soft">
        Connect a wallet above, or sign the transaction below in a wallet of yours elsewhere.
      </p>
    );
  }
  if (!by.includes(connection.address)) {
    return (
      <Notice tone="warn" title="Your wallet is on another account">
        It must sign as <span className="font-mono text-xs break-all">{by.join(' or ')}</span>. Switch the account in
        your wallet, reload this page and connect again.
      </Notice>
    );
  }
  const { wallet } = connection;
  async function follow(hash: string): Promise<State> {
    for (let looks = 0; looks < LOOKS; looks += 1) {
      const result = await resultOf(hash).catch(() => null);
      if (result === 'tesSUCCESS') return { kind: 'done', hash };
      if (result !== null) return { kind: 'refused', says: `The ledger refused it: ${result}. Nothing was changed.` };
      await new Promise((wake) => setTimeout(wake, LOOK_EVERY_MS));
    }
    return { kind: 'refused', says: UNKNOWN };
  }
  async function sign() {
    setState({ kind: 'wallet' });
    // The button goes dead: the keyboard stays at this step.
    region.current?.focus({ preventScroll: true });
    try {
      const hash = await wallet.submit({ transaction });
      setState({ kind: 'ledger', hash });
      setState(await follow(hash));
      router.refresh();
    } catch (error) {
      const { WalletRefusal } = await loadWallets();
      setState({ kind: 'refused', says: error instanceof WalletRefusal ? error.message : TROUBLE });
    }
  }
  const isBusy = state.kind === 'wallet' || state.kind === 'ledger' || state.kind === 'done';
  return (
    <div ref={region} tabIndex={-1} className="space-y-3 outline-none">
      <Button look="primary" onClick={sign} disabled={isBusy}>
        {state.kind === 'wallet'
          ? 'Waiting for your wallet…'
          : isBusy
            ? 'Sent. Waiting for the ledger…'
            : `Sign with ${wallet.name}`}
      </Button>
      {state.kind === 'refused' && (
        <Notice tone="bad" isAlert>
          {state.says}
        </Notice>
      )}
    </div>
  );
}
