'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Button, buttonClass } from '../../../_ui/button.tsx';
import { Icon } from '../../../_ui/icon.tsx';
import { Notice } from '../../../_ui/notice.tsx';
import { QrCode } from '../../../_ui/qr-code.tsx';
import { planPurchase } from './plan-purchase.ts';
import type { Plan } from './purchase-plan.ts';
import { type WalletConnectSettings, walletConnectWallet } from './walletconnect-wallet.ts';
import {
  type AskedElsewhere,
  type Asking,
  installedWallets,
  networkFault,
  type Order,
  WALLET_HOMES,
  type Wallet,
  WalletRefusal,
} from './wallets.ts';
import { xamanWallet } from './xaman-wallet.ts';

export type Way = 'browser' | 'xaman' | 'walletconnect';

export interface PurchaseProps {
  way: Way;
  projectId: string;
  slug: string;
  /** Decimal XRP. */
  amountXrp: string;
  /** The account that its owner has named for the quote; null when none was named. */
  knownWallet: string | null;
  /** What makes a wallet able to hold the token, as a command: "Set a trust line for DMO". */
  setupTitle: string;
  /** The token's short name. */
  unit: string;
  networkId: number;
  walletConnect: WalletConnectSettings | null;
  /** Back to the choice of ways. */
  onLeave: () => void;
}

type Signing = Order['step'];

/** A signed setup is in a ledger within seconds; a wallet that waits longer is told where it stands. */
const LOOKS = 20;
const LOOK_EVERY_MS = 2_000;

const TROUBLE = 'Something failed on the way. Look into your wallet whether it was sent before you try again.';
const wordsOf = (error: unknown): string => (error instanceof WalletRefusal ? error.message : TROUBLE);

/** From a wallet that this page can ask to a payment, in at most two signatures, with the state of each. */
export function Purchase(props: PurchaseProps) {
  const { way, projectId, slug, amountXrp, knownWallet, setupTitle, unit, networkId, walletConnect, onLeave } = props;
  const router = useRouter();
  const [wallets, setWallets] = useState<Wallet[] | null>(null);
  const [connected, setConnected] = useState<{ wallet: Wallet; address: string } | null>(null);
  const [plan, setPlan] = useState<Plan | null>(null);
  const [busy, setBusy] = useState<'connect' | Signing | null>(null);
  const [asked, setAsked] = useState<AskedElsewhere | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [paidHash, setPaidHash] = useState<string | null>(null);
  const region = useRef<HTMLElement>(null);
  /** What is under way, to be taken back by its owner, or when the page goes on without it. */
  const underway = useRef<AbortController | null>(null);
  const inUse = useRef<Wallet | null>(null);
  const begun = useRef(false);

  const look = useCallback(() => {
    setWallets(null);
    installedWallets().then(setWallets, () => setWallets([]));
  }, []);
  useEffect(() => {
    // The button that was pressed is gone.
    region.current?.focus({ preventScroll: true });
    return () => {
      begun.current = false;
      underway.current?.abort();
      inUse.current?.close?.();
    };
  }, []);

  /** One thing at a time; what fails is said, and can be tried again. */
  const attempt = useCallback(async (what: 'connect' | Signing, run: (asking: Asking) => Promise<void>) => {
    const controller = new AbortController();
    underway.current = controller;
    setBusy(what);
    setFault(null);
    try {
      await run({ show: setAsked, signal: controller.signal });
    } catch (error) {
      if (underway.current === controller) setFault(wordsOf(error));
    } finally {
      // Something else may have begun since this was taken back.
      if (underway.current === controller) {
        setAsked(null);
        setBusy(null);
        region.current?.focus({ preventScroll: true });
      }
    }
  }, []);

  const planFor = useCallback(
    async (wallet: string): Promise<Plan> => {
      const answer = await planPurchase({ projectId, amountXrp, wallet });
      if (answer.kind === 'refused') throw new WalletRefusal(answer.why);
      setPlan(answer);
      return answer;
    },
    [projectId, amountXrp],
  );

  const connect = useCallback(
    (wallet: Wallet) => {
      inUse.current?.close?.();
      inUse.current = wallet;
      return attempt('connect', async (asking) => {
        const account = await wallet.connect(asking);
        const wrong = networkFault(account, networkId);
        if (wrong !== null) throw new WalletRefusal(wrong);
        await planFor(account.address);
        setConnected({ wallet, address: account.address });
      });
    },
    [attempt, planFor, networkId],
  );

  /** A wallet on another device; one that its owner wants to choose anew is not told the account that was known. */
  const remote = useCallback(
    (known: string | null): Wallet | null => {
      if (way === 'xaman') return xamanWallet({ projectId, amountXrp }, known);
      if (way === 'walletconnect' && walletConnect !== null) return walletConnectWallet(walletConnect, networkId);
      return null;
    },
    [way, projectId, amountXrp, walletConnect, networkId],
  );
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const wallet = remote(knownWallet);
    if (wallet === null) look();
    else void connect(wallet);
  }, [remote, connect, look, knownWallet]);

  const startAgain = () => {
    setConnected(null);
    setPlan(null);
    const wallet = remote(null);
    if (wallet !== null) void connect(wallet);
  };

  const setUp = (wallet: Wallet, address: string) =>
    attempt('setup', async (asking) => {
      // As the sale stands now: nobody needs room for what cannot be bought any more.
      const { setup } = await planFor(address);
      if (setup === null) return;
      await wallet.submit({ step: 'setup', transaction: setup }, asking);
      setAsked(null);
      for (let looks = 0; looks < LOOKS; looks += 1) {
        if ((await planFor(address)).setup === null) return;
        await new Promise((wake) => setTimeout(wake, LOOK_EVERY_MS));
      }
      throw new WalletRefusal(
        'The ledger does not show it yet. Look into your wallet whether it failed, then try again.',
      );
    });

  const pay = (wallet: Wallet, address: string) =>
    attempt('payment', async (asking) => {
      // As the sale stands now: a tier may have filled since the amount was read.
      const { payment, setup } = await planFor(address);
      if (setup !== null) throw new WalletRefusal(`Your wallet cannot hold ${unit} any more: do the first step again.`);
      const hash = await wallet.submit({ step: 'payment', transaction: payment }, asking);
      setPaidHash(hash);
      // Nothing more is asked of it.
      wallet.close?.();
      router.push(`/sales/${slug}?${new URLSearchParams({ amount: amountXrp, watch: hash })}#watch`);
    });

  return (
    <section ref={region} tabIndex={-1} aria-label={NAMES[way]} className="space-y-3 outline-none">
      {connected === null && way === 'browser' && (
        <Choice wallets={wallets} isBusy={busy !== null} onChoose={connect} onLookAgain={look} />
      )}
      {connected === null && way !== 'browser' && busy === null && (
        <Button look="primary" onClick={startAgain}>
          Try again
        </Button>
      )}
      {connected === null && way !== 'browser' && busy !== null && asked === null && (
        <p className="text-sm text-soft">Asking {NAMES[way]}…</p>
      )}
      {busy === 'connect' && asked !== null && (
        <Elsewhere name={NAMES[way]} asked={asked} onCancel={() => underway.current?.abort()} />
      )}
      {connected !== null && plan !== null && (
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
                    onClick={() => setUp(connected.wallet, connected.address)}
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
          {busy !== null && asked !== null && (
            <Elsewhere name={connected.wallet.name} asked={asked} onCancel={() => underway.current?.abort()} />
          )}
          {plan.warning !== null && <Notice tone="warn" title={plan.warning} />}
        </>
      )}
      {fault !== null && <Notice tone="bad" title={fault} isAlert />}
      {busy === null && paidHash === null && (
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {connected !== null && way !== 'browser' && (
            <button type="button" className="link" onClick={startAgain}>
              Use another account
            </button>
          )}
          <button type="button" className="link" onClick={onLeave}>
            Pay in another way
          </button>
        </p>
      )}
    </section>
  );
}

const NAMES: Record<Way, string> = { browser: 'Browser wallet', xaman: 'Xaman', walletconnect: 'WalletConnect' };

/** What is to be opened on a phone: scanned from a desk, followed on the phone itself. */
function Elsewhere({ name, asked, onCancel }: { name: string; asked: AskedElsewhere; onCancel: () => void }) {
  const { link, says } = asked;
  return (
    <div className="space-y-3 rounded-xl border border-line p-4">
      {link !== null && (
        <>
          <a
            className={buttonClass('primary', 'w-full pointer-fine:hidden')}
            href={link}
            rel="noreferrer"
            target={link.startsWith('http') ? '_blank' : undefined}
          >
            Open in {name === 'Xaman' ? name : 'a WalletConnect wallet'}
          </a>
          <div className="flex flex-wrap items-center gap-4 pointer-coarse:hidden">
            <QrCode text={link} label={`The request for ${name} as a QR code`} />
            <p className="min-w-0 flex-1 basis-32 text-xs text-soft">
              Scan this with {name === 'Xaman' ? 'Xaman' : 'a wallet that speaks WalletConnect'} on your phone.
            </p>
          </div>
        </>
      )}
      <p role="status" className="text-sm">
        {says}
      </p>
      <Button onClick={onCancel}>Cancel</Button>
    </div>
  );
}

function Choice({
  wallets,
  isBusy,
  onChoose,
  onLookAgain,
}: {
  wallets: Wallet[] | null;
  isBusy: boolean;
  onChoose: (wallet: Wallet) => void;
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
