'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '../../../_ui/button.tsx';
import type { PurchaseProps, Way } from './purchase.tsx';

const Purchase = dynamic(() => import('./purchase.tsx').then(({ Purchase: purchase }) => purchase), {
  ssr: false,
  loading: () => <p className="text-sm text-soft">One moment…</p>,
});

/** The ways that this deployment offers, beside the extensions of the visitor's own browser. */
export interface Offered {
  xaman: boolean;
  /** What it takes to reach WalletConnect; null where it is not set up. */
  walletConnect: PurchaseProps['walletConnect'];
}

const TITLES: Record<Way, string> = {
  xaman: 'Pay with Xaman',
  walletconnect: 'Pay with WalletConnect',
  browser: 'Pay with a browser wallet',
};

/** Pays from a wallet that this page asks for its signatures; what that takes is loaded when somebody wants it. */
export function BrowserWallet({ xaman, walletConnect, ...props }: Omit<PurchaseProps, 'way' | 'onLeave'> & Offered) {
  const [way, setWay] = useState<Way | null>(null);
  if (way !== null) {
    return <Purchase {...props} walletConnect={walletConnect} way={way} onLeave={() => setWay(null)} />;
  }
  const offered: Way[] = [
    ...(xaman ? (['xaman'] as const) : []),
    ...(walletConnect === null ? [] : (['walletconnect'] as const)),
    'browser',
  ];
  return (
    <div className={`flex flex-wrap gap-3 noscript:hidden ${offered.length === 1 ? 'pointer-coarse:hidden' : ''}`}>
      {offered.map((one) => (
        <Button
          key={one}
          look="primary"
          // A phone has no extensions.
          className={`min-w-fit flex-1 ${one === 'browser' ? 'pointer-coarse:hidden' : ''}`}
          onClick={() => setWay(one)}
        >
          {TITLES[one]}
        </Button>
      ))}
    </div>
  );
}
