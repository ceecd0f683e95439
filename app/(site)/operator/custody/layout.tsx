import type { ReactNode } from 'react';
import { env } from '#lib/base/env.ts';
import { OwnWalletProvider } from '../signing/own-wallet.tsx';

/** Keeps the connected wallet while what is planned changes, and with it the page's address. */
export default function CustodyLayout({ children }: { children: ReactNode }) {
  return <OwnWalletProvider networkId={env().XRPL_NETWORK_ID}>{children}</OwnWalletProvider>;
}
