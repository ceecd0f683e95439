import { Code } from '../../_ui/code.tsx';
import { isMainNet, signLink } from '../../sales/[slug]/wallet-links.ts';
import { SignStep } from './sign-step.tsx';

/** The network's number goes into transactions from here on (xrpl.org, NetworkID). */
const NETWORK_ID_FROM = 1_025;

/** A transaction of an account whose key one of `by` has: signed in its wallet here, or taken elsewhere as it stands. */
export function WalletSigns({
  transaction: draft,
  by,
  networkId,
  mayAct,
  label = 'transaction',
}: {
  transaction: object;
  by: readonly string[];
  networkId: number;
  mayAct: boolean;
  /** One of its own where a page shows several. */
  label?: string;
}) {
  const transaction = { ...draft, ...(networkId >= NETWORK_ID_FROM && { NetworkID: networkId }) };
  return (
    <>
      <Code text={JSON.stringify(transaction, null, 2)} label={label} />
      <SignStep transaction={transaction} by={by} mayAct={mayAct} />
      <p className="text-xs text-soft">
        {isMainNet(networkId) && (
          <>
            <a className="link" href={signLink(transaction)} rel="noreferrer">
              Sign it in Xaman
            </a>{' '}
            ·{' '}
          </>
        )}
        Any wallet that takes a transaction as JSON can sign it; it fills in fee and sequence. This page notices.
      </p>
    </>
  );
}
