'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '../../../_ui/button.tsx';
import type { PurchaseProps } from './purchase.tsx';

const Purchase = dynamic(() => import('./purchase.tsx').then(({ Purchase: purchase }) => purchase), {
  ssr: false,
  loading: () => <p className="text-sm text-soft">Looking for wallets in this browser…</p>,
});

/** Pays from a wallet in this browser; what that takes is loaded when somebody wants it. */
export function BrowserWallet(props: PurchaseProps) {
  const [isWanted, setWanted] = useState(false);
  if (isWanted) return <Purchase {...props} />;
  return (
    <Button look="primary" className="w-full noscript:hidden" onClick={() => setWanted(true)}>
      Pay with a browser wallet
    </Button>
  );
}
