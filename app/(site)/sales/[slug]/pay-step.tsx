import { env } from '#lib/base/env.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { xamanSettings } from '#lib/xaman/platform.ts';
import { networkName } from '../../_data/network-name.ts';
import { tokenUnit } from '../../_ui/amounts.tsx';
import { buttonClass } from '../../_ui/button.tsx';
import { CopyableValue } from '../../_ui/copyable-value.tsx';
import { formatAmount, plainAmount } from '../../_ui/format.ts';
import { Icon } from '../../_ui/icon.tsx';
import { QrCode } from '../../_ui/qr-code.tsx';
import { BrowserWallet } from './browser-wallet/browser-wallet.tsx';
import { isMainNet, paymentUri, walletLink } from './wallet-links.ts';
import { setupStep, setupTitle } from './wallet-setup.tsx';

/** Where to pay an amount, in every form a wallet takes it, and how it is followed from there. */
export function PayStep({
  project,
  amountXrp,
  wallet,
}: {
  project: ProjectResource;
  amountXrp: string;
  /** The wallet that the amount was checked for, which is then watched; null where none was given. */
  wallet: string | null;
}) {
  const amount = plainAmount(amountXrp);
  const { XRPL_NETWORK_ID: networkId, WALLETCONNECT_PROJECT_ID, WALLETCONNECT_RELAY_URL } = env();
  const asksXaman = xamanSettings() !== null;
  return (
    <section aria-label="Pay" className="mt-6 space-y-4 border-t border-line pt-5">
      <h3 className="text-lg font-semibold">Pay {formatAmount(amountXrp)} XRP</h3>
      <ul className="list-disc space-y-1 pl-5 text-sm text-warn">
        {!isMainNet(networkId) && (
          <li>This is {networkName(networkId)}: switch your wallet to it, and send no real XRP.</li>
        )}
        <li>Pay from your own wallet, never from an exchange: tokens and refunds go to the account that paid.</li>
        <li>
          Before or after you pay,{' '}
          <a className="underline" href="#receive">
            {setupStep(project.token)}
          </a>
          . Your tokens wait for it.
        </li>
      </ul>
      <BrowserWallet
        key={amount}
        projectId={project.id}
        slug={project.slug}
        amountXrp={amount}
        knownWallet={wallet}
        setupTitle={setupTitle(project.token)}
        unit={tokenUnit(project.token)}
        networkId={networkId}
        xaman={asksXaman}
        walletConnect={
          WALLETCONNECT_PROJECT_ID === undefined
            ? null
            : { projectId: WALLETCONNECT_PROJECT_ID, relayUrl: WALLETCONNECT_RELAY_URL }
        }
      />
      <p className="flex flex-wrap gap-3 empty:hidden">
        <a
          className={buttonClass('primary', 'w-full pointer-fine:hidden')}
          href={paymentUri(project, amount, networkId)}
        >
          Open in your wallet
        </a>
        {isMainNet(networkId) && !asksXaman && (
          <a className={buttonClass('plain')} href={walletLink(project, amount)} rel="noreferrer">
            Open in Xaman <Icon name="out" className="size-3.5" />
          </a>
        )}
      </p>
      <div className="flex flex-wrap items-center gap-4">
        <QrCode
          text={paymentUri(project, amount, networkId)}
          label="Address, destination tag and amount as a QR code"
        />
        <p className="min-w-0 flex-1 basis-32 text-xs text-soft">
          Your wallet is on another device? Scan this. It holds the address, the tag and the amount.
        </p>
      </div>
      <div className="space-y-3">
        <p className="text-sm text-soft">Or enter it by hand. The address and the tag are both required.</p>
        <CopyableValue label="Amount in XRP" value={amount} />
        <CopyableValue label="Address" value={project.deposit_address} />
        <CopyableValue label="Destination tag" value={String(project.destination_tag)} />
      </div>
      <p className="border-t border-line pt-3 text-sm">
        <a className="link" href={wallet === null ? '#watch' : `/sales/${project.slug}?watch=${wallet}#watch`}>
          I have paid: watch it arrive
        </a>
      </p>
    </section>
  );
}
