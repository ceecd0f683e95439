import { hasAccountFlag } from '#lib/xrpl/account.ts';
import { setAccountFlag } from '#lib/xrpl/token-transactions.ts';
import type { AccountState } from '#lib/xrpl/types.ts';
import { Badge } from '../../_ui/badge.tsx';
import { Card } from '../../_ui/card.tsx';
import { WalletSigns } from '../signing/wallet-signs.tsx';

const OPTIONS = [
  {
    flag: 'requireAuthorization',
    title: 'Require authorisation (RequireAuth)',
    says: 'Only wallets that you authorise one by one can hold the token. What others buy waits until you have. It can only be set before the first trust line.',
  },
  {
    flag: 'noFreeze',
    title: 'Give up freezing (NoFreeze)',
    says: 'You can never freeze a holder again, which buyers see on the sale page. It cannot be undone.',
  },
] as const;

/** What an issuer may decide about its powers; a sale needs none of it. */
export function IssuerOptions({
  issuer,
  networkId,
  mayAct,
}: {
  issuer: AccountState;
  networkId: number;
  mayAct: boolean;
}) {
  return (
    <Card
      title="The issuer’s powers (optional)"
      lead="Decide before the first trust line. The sale page shows buyers what the issuer can still do."
    >
      <ul className="divide-y divide-line">
        {OPTIONS.map(({ flag, title, says }) => {
          const isSet = hasAccountFlag(issuer, flag);
          return (
            <li key={flag} className="space-y-2 py-4 first:pt-0 last:pb-0">
              <div className="flex flex-wrap items-center justify-between gap-3">
                <h3 className="text-sm font-medium">{title}</h3>
                <Badge tone={isSet ? 'good' : 'neutral'}>{isSet ? 'set' : 'not set'}</Badge>
              </div>
              <p className="text-sm text-soft">{says}</p>
              {!isSet && (
                <details>
                  <summary className="link inline-flex text-sm">Set it</summary>
                  <div className="mt-3 space-y-3">
                    <WalletSigns
                      transaction={setAccountFlag(issuer.address, flag)}
                      by={[issuer.address]}
                      networkId={networkId}
                      mayAct={mayAct}
                    />
                  </div>
                </details>
              )}
            </li>
          );
        })}
        <li className="space-y-2 py-4 last:pb-0">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h3 className="text-sm font-medium">Transfer fee (TransferRate)</h3>
            <Badge>{issuer.transferRate === 1_000_000_000 ? 'none' : 'set'}</Badge>
          </div>
          <p className="text-sm text-soft">
            Leave it at none: the distributor would pay it on top of every payout, and the sale could not be launched.
          </p>
        </li>
      </ul>
    </Card>
  );
}
