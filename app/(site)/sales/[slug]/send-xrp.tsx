import { env } from '#lib/base/env.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import type { SaleState } from '../../_data/sale-state.ts';
import { buttonClass } from '../../_ui/button.tsx';
import { CopyableValue } from '../../_ui/copyable-value.tsx';
import { Icon } from '../../_ui/icon.tsx';
import { Notice } from '../../_ui/notice.tsx';
import { QrCode } from '../../_ui/qr-code.tsx';
import { Rules } from './rules.tsx';
import { isMainNet, paymentUri, walletLink } from './wallet-links.ts';

const NOT_YET: Partial<Record<SaleState['key'], string>> = {
  draft: 'This is a preview: a payment now would be refunded.',
  upcoming: 'Not open yet: a payment before the start is refunded.',
  between_tiers: 'Not open yet: a payment before the next tier starts is refunded.',
  paused: 'Paused: a payment while the sale is paused is refunded.',
};

/** Where to send XRP, in every form a wallet takes it, and what becomes of a payment that does not fit. */
export function SendXrp({ project, state }: { project: ProjectResource; state: SaleState }) {
  const notYet = NOT_YET[state.key];
  return (
    <div className="space-y-4">
      {notYet !== undefined && <Notice tone="warn" title={notYet} />}
      <p className="text-sm text-soft">
        Send to this address <strong className="font-semibold text-ink">with this destination tag</strong>. Both are
        required: a payment without the tag belongs to no sale and is sent back.
      </p>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div className="space-y-3">
          <CopyableValue label="Address" value={project.deposit_address} />
          <CopyableValue label="Destination tag" value={String(project.destination_tag)} />
          <p className="flex items-center gap-2 text-sm font-medium text-warn">
            <Icon name="warn" /> Both required
          </p>
        </div>
        <div className="justify-self-center">
          <QrCode text={paymentUri(project)} label="Address and destination tag as a QR code" />
          <p className="mt-2 max-w-40 text-center text-xs text-soft">
            Holds the address and the tag; you choose the amount
          </p>
        </div>
      </div>
      {state.key === 'live' && (
        <p className="flex flex-wrap gap-3">
          <a className={buttonClass('primary')} href={paymentUri(project)}>
            Open in your wallet
          </a>
          {isMainNet(env().XRPL_NETWORK_ID) && (
            <a className={buttonClass('plain')} href={walletLink(project)} rel="noreferrer">
              Open in Xaman <Icon name="out" className="size-3.5" />
            </a>
          )}
        </p>
      )}
      <Rules project={project} />
      <Notice tone="warn" title="Never pay from an exchange">
        The tokens are sent to the account that paid. An exchange’s account is not yours: the tokens, or a refund, would
        be the exchange’s.
      </Notice>
    </div>
  );
}
