import Link from 'next/link';
import { CopyButton } from './copy.tsx';
import { shortened } from './format.ts';
import { LinkPending } from './link-pending.tsx';

/** A wallet, with its page here. */
export const WalletLink = ({ address }: { address: string }) => (
  <span className="inline-flex items-center gap-1 font-mono text-xs">
    <Link href={`/wallets/${address}`} prefetch={false} className="link" title={address}>
      {shortened(address)}
      <LinkPending />
    </Link>
    <CopyButton text={address} label="address" isSmall />
  </span>
);
