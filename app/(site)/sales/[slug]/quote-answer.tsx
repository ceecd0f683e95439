import { reasonText } from '#lib/base/reason-text.ts';
import type { QuoteResource } from '#lib/sales/investments/quote.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
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
export function QuoteAnswer({ project, quote }: { project: ProjectResource; quote: QuoteResource }) {
  const admission = ADMISSION[quote.admission];
  return (
    <div className="mt-5">
      <Notice tone={quote.accepted ? 'good' : 'warn'} title="The server’s answer">
        <div className="space-y-1">
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
        </div>
      </Notice>
    </div>
  );
}
