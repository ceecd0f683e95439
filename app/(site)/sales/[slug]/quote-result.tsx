import { MAX_DROPS, parseDecimal, XRP_DECIMALS } from '@tranche/rules/amounts.ts';
import type { ReactNode } from 'react';
import { type QuoteResource, quoteAmount } from '#lib/sales/investments/quote.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { parseAccountAddress } from '#lib/xrpl/address.ts';
import { pageCtx } from '../../_data/page-ctx.ts';
import { reasonText } from '../../_data/reason-text.ts';
import { Tokens, Xrp } from '../../_ui/amounts.tsx';
import { formatCount } from '../../_ui/format.ts';
import { Notice } from '../../_ui/notice.tsx';

const ADMISSION: Record<QuoteResource['admission'], string | null> = {
  not_required: null,
  admitted: 'This wallet is on the list.',
  not_admitted: 'This wallet is not on the list: its payment into a listed tier would be refunded.',
  assumed: 'Only if the wallet is on the list: give its address to check.',
};

/** What the server answers for an amount, and for a wallet where one is given. */
export async function QuoteResult({
  project,
  amount,
  wallet,
}: {
  project: ProjectResource;
  amount: string;
  wallet: string;
}) {
  const drops = parseDecimal(amount.replaceAll(',', ''), XRP_DECIMALS);
  if (drops === null || drops <= 0n || drops > MAX_DROPS) return null;
  const parsed = wallet === '' ? null : parseAccountAddress(wallet);
  if (parsed !== null && 'fault' in parsed) return <Below tone="bad">The wallet {parsed.fault}.</Below>;
  const quote = await quoteAmount(await pageCtx(), {
    id: project.id,
    amount_xrp: drops,
    wallet_address: parsed?.address,
  });
  const admission = ADMISSION[quote.admission];
  return (
    <Below tone={quote.accepted ? 'good' : 'warn'}>
      {quote.accepted ? (
        <p>
          Now it would buy <Tokens value={quote.total_tokens} token={project.token} />
          {quote.refunded_xrp !== '0.000000' && (
            <>
              ; <Xrp value={quote.refunded_xrp} /> would be refunded
              {quote.reason !== null && `, because ${reasonText(quote.reason)}`}
            </>
          )}
          .
        </p>
      ) : (
        <p>It would be refunded in full{quote.reason !== null && `, because ${reasonText(quote.reason)}`}.</p>
      )}
      {admission !== null && <p>{admission}</p>}
      {quote.wallet_address !== null && quote.limits.remaining_xrp !== null && (
        <p>
          This wallet may still invest <Xrp value={quote.limits.remaining_xrp} />.
        </p>
      )}
      {quote.halted && <p>The account is halted: what is paid now is decided later, by its ledger position.</p>}
      <p className="text-xs">Every payment up to ledger {formatCount(quote.ledger_index)} is counted.</p>
    </Below>
  );
}

const Below = ({ tone, children }: { tone: 'good' | 'warn' | 'bad'; children: ReactNode }) => (
  <div className="mt-4">
    <Notice tone={tone} title="The server’s answer">
      <div className="space-y-1">{children}</div>
    </Notice>
  </div>
);
