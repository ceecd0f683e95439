import { formatUnits, parseUnits } from '@tranche/rules/amounts.ts';
import { env } from '#lib/base/env.ts';
import { holderSetup } from '#lib/sales/projects/holder-readiness.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { tokenUnit } from '../../_ui/amounts.tsx';
import { buttonClass } from '../../_ui/button.tsx';
import { Code } from '../../_ui/code.tsx';
import { CopyableValue } from '../../_ui/copyable-value.tsx';
import { currencyName } from '../../_ui/format.ts';
import { Icon } from '../../_ui/icon.tsx';
import { isMainNet, signLink } from './wallet-links.ts';

/** The whole supply is always room enough. */
export const supplyOf = ({ tiers, token: { decimals } }: ProjectResource): string =>
  formatUnits(
    tiers.reduce((sum, tier) => sum + (parseUnits(tier.total_tokens, decimals) ?? 0n), 0n),
    decimals,
  );

/** The currency as wallets take it: by its name, or whole in hexadecimal where it spells none. */
const walletCurrency = (code: string): string => (currencyName(code).endsWith('…') ? code : currencyName(code));

/** What a wallet has to do before it can hold the token. */
export const setupTitle = (token: ProjectResource['token']): string =>
  token.kind === 'iou' ? `Set a trust line for ${tokenUnit(token)}` : 'Authorise the token';

/** The same within a sentence. */
export const setupStep = (token: ProjectResource['token']): string =>
  token.kind === 'iou' ? `set a trust line for ${tokenUnit(token)}` : 'authorise the token in your wallet';

/** What makes a wallet able to hold the token: in words, as the transaction itself, and as a link to sign it. */
export function WalletSetup({ project }: { project: ProjectResource }) {
  const { token } = project;
  const transaction = holderSetup(token, supplyOf(project));
  return (
    <div className="space-y-4">
      <p className="text-sm text-soft">
        Your wallet must be ready to hold {token.kind === 'iou' ? tokenUnit(token) : 'this token'}, or what you bought
        waits. It does not expire: it is paid within half an hour after the wallet is ready. After {project.claim_days}{' '}
        days an operator is told. In most wallets: add a token, then enter{' '}
        {token.kind === 'iou' ? 'this currency and issuer' : 'this issuance'}. It sets aside a small reserve of XRP,
        which you get back when you remove it.
      </p>
      {token.kind === 'iou' ? (
        <div className="grid gap-3 sm:grid-cols-[auto_minmax(0,1fr)]">
          <CopyableValue label="Currency" value={walletCurrency(token.currency)} />
          <CopyableValue label="Issuer" value={token.issuer} />
        </div>
      ) : (
        <CopyableValue label="Issuance ID" value={token.issuance_id} />
      )}
      <details className="group">
        <summary className="link inline-flex text-sm">The transaction to sign</summary>
        <div className="mt-3">
          <Code text={JSON.stringify(transaction, null, 2)} label="the transaction" />
        </div>
      </details>
      {isMainNet(env().XRPL_NETWORK_ID) && token.kind === 'iou' && (
        <a className={buttonClass('plain')} href={signLink(transaction)} rel="noreferrer">
          Sign in Xaman <Icon name="out" className="size-3.5" />
        </a>
      )}
    </div>
  );
}
