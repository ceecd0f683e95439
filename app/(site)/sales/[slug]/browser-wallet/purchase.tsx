'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '../../../_ui/button.tsx';
import { Icon } from '../../../_ui/icon.tsx';
import { Notice } from '../../../_ui/notice.tsx';
import { type PurchasePlan, planPurchase } from './plan-purchase.ts';
import { type BrowserWallet, installedWallets, networkFault, WALLET_HOMES, WalletRefusal } from './wallets.ts';

export interface PurchaseProps {
  projectId: string;
  slug: string;
  /** Decimal XRP. */
  amountXrp: string;
  /** What makes a wallet able to hold the token, as a command: "Set a trust line for DMO". */
  setupTitle: string;
  /** The token's short name. */
  unit: string;
  networkId: number;
}

type Plan = PurchasePlan & { kind: 'plan' };
type Signing = 'setup' | 'payment';

/** A signed setup is in a ledger within seconds; a wallet that waits longer is told where it stands. */
const LOOKS = 20;
const LOOK_EVERY_MS = 2_000;

const TROUBLE = 'Something failed on the way. Look into your wallet whether it was sent before you try again.';
const wordsOf = (error: unknown): string => (error instanceof WalletRefusal ? error.message : TROUBLE);

/** From a wallet in this browser to a payment, in at most two signatures, with the state of each. */
export function Purchase({ projectId, slug, amountXrp, setupTitle, unit, networkId }: PurchaseProps) {
  const router = useRouter();
  const [wallets, setWallets] = useState<BrowserWallet[] | null>(null);
  const [connected, setConnected] = useState<{ wallet: BrowserWallet; address: string } | null>(null);
  const [plan, setPlan] = useState<Plan | null>(null);
  const [busy, setBusy] = useState<'connect' | Signing | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [paidHash, setPaidHash] = useState<string | null>(null);
  const region = useRef<HTMLElement>(null);

  const look = useCallback(() => {
    setWallets(null);
    installedWallets().then(setWallets, () => setWallets([]));
  }, []);
  useEffect(() => {
    // The button that was pressed is gone.
    region.current?.focus({ preventScroll: true });
    look();
  }, [look]);

  /** One thing at a time; what fails is said, and can be tried again. */
  async function attempt(what: 'connect' | Signing, run: () => Promise<void>) {
    setBusy(what);
    setFault(null);
    try {
      await run();
    } catch (error) {
      setFault(wordsOf(error));
    } finally {
      setBusy(null);
      region.current?.focus({ preventScroll: true });
    }
  }

  async function planFor(wallet: string): Promise<Plan> {
    const answer = await planPurchase({ projectId, amountXrp, wallet });
    if (answer.kind === 'refused') throw new WalletRefusal(answer.why);
    setPlan(answer);
    return answer;
  }

  const connect = (wallet: BrowserWallet) =>
    attempt('connect', async () => {
      const account = await wallet.connect();
      const wrong = networkFault(account, networkId);
      if (wrong !== null) throw new WalletRefusal(wrong);
      await planFor(account.address);
      setConnected({ wallet, address: account.address });
    });

  const setUp = (wallet: BrowserWallet, address: string, transaction: object) =>
    attempt('setup', async () => {
      await wallet.submit(transaction);
      for (let looks = 0; looks < LOOKS; looks += 1) {
        if ((await planFor(address)).setup === null) return;
        await new Promise((wake) => setTimeout(wake, LOOK_EVERY_MS));
      }
      throw new WalletRefusal(
        'The ledger does not show it yet. Look into your wallet whether it failed, then try again.',
      );
    });

  const pay = (wallet: BrowserWallet, address: string) =>
    attempt('payment', async () => {
      // As the sale stands now: a tier may have filled since the amount was read.
      const { payment, setup } = await planFor(address);
      if (setup !== null) throw new WalletRefusal(`Your wallet cannot hold ${unit} any more: do the first step again.`);
      const hash = await wallet.submit(payment);
      setPaidHash(hash);
      router.push(`/sales/${slug}?${new URLSearchParams({ amount: amountXrp, watch: hash })}#watch`);
    });

  return (
    <section ref={region} tabIndex={-1} aria-label="Browser wallet" className="space-y-3 outline-none">
      {connected === null ? (
        <Choice wallets={wallets} isBusy={busy !== null} onChoose={connect} onLookAgain={look} />
      ) : (
        plan !== null && (
          <>
            <p className="text-sm text-soft">
              {connected.wallet.name}: <span className="font-mono text-xs break-all">{connected.address}</span>
            </p>
            <ol className="space-y-3">
              <Signature
                number={1}
                title={setupTitle}
                isDone={plan.setup === null}
                action={
                  plan.setup !== null && (
                    <Button
                      look="primary"
                      disabled={busy !== null}
                      onClick={() => plan.setup !== null && setUp(connected.wallet, connected.address, plan.setup)}
                    >
                      {busy === 'setup' ? 'Waiting for your wallet and the ledger…' : 'Sign it'}
                    </Button>
                  )
                }
              />
              <Signature
                number={2}
                title={`Pay ${amountXrp} XRP for ${plan.buys} ${unit}${plan.refunded === null ? '' : `; ${plan.refunded} XRP would be refunded`}`}
                isDone={paidHash !== null}
                action={
                  paidHash === null ? (
                    <Button
                      look="primary"
                      disabled={busy !== null || plan.setup !== null}
                      onClick={() => pay(connected.wallet, connected.address)}
                    >
                      {busy === 'payment' ? 'Waiting for your wallet…' : 'Sign the payment'}
                    </Button>
                  ) : (
                    <p className="text-xs text-soft">Sent. It is followed under “Watch your payment”.</p>
                  )
                }
              />
            </ol>
            {plan.warning !== null && <Notice tone="warn" title={plan.warning} />}
          </>
        )
      )}
      {fault !== null && <Notice tone="bad" title={fault} isAlert />}
    </section>
  );
}

function Choice({
  wallets,
  isBusy,
  onChoose,
  onLookAgain,
}: {
  wallets: BrowserWallet[] | null;
  isBusy: boolean;
  onChoose: (wallet: BrowserWallet) => void;
  onLookAgain: () => void;
}) {
  if (wallets === null) return <p className="text-sm text-soft">Looking for wallets in this browser…</p>;
  if (wallets.length === 0) {
    return (
      <Notice title="No wallet answered in this browser">
        <p>
          {WALLET_HOMES.map(({ name, home }, index) => (
            <span key={name}>
              {index > 0 && ' and '}
              <a className="link" href={home} rel="noreferrer">
                {name}
              </a>
            </span>
          ))}{' '}
          work here. Install one and open it, or pay by the QR code or by hand, as below.
        </p>
        <Button className="mt-3" onClick={onLookAgain}>
          Look again
        </Button>
      </Notice>
    );
  }
  return (
    <div className="flex flex-wrap gap-3">
      {wallets.map((wallet) => (
        <Button key={wallet.name} look="primary" disabled={isBusy} onClick={() => onChoose(wallet)}>
          {isBusy ? 'Waiting for your wallet…' : `Connect ${wallet.name}`}
        </Button>
      ))}
    </div>
  );
}

function Signature({
  number,
  title,
  isDone,
  action,
}: {
  number: number;
  title: string;
  isDone: boolean;
  action: ReactNode;
}) {
  return (
    <li className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-3 text-sm">
      <span
        className={`flex size-7 items-center justify-center rounded-full ${isDone ? 'bg-good-soft text-good' : 'bg-sunken text-soft'}`}
      >
        {isDone ? <Icon name="check" label="done" /> : number}
      </span>
      <div className="min-w-0 space-y-2 pt-1">
        <p>{title}</p>
        {action}
      </div>
    </li>
  );
}
