import { Suspense } from 'react';
import { reasonText } from '#lib/base/reason-text.ts';
import type { QuoteResource } from '#lib/sales/investments/quote.ts';
import type { HolderReadiness } from '#lib/sales/projects/holder-readiness.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { pageCtx } from '../../_data/page-ctx.ts';
import { readReadiness } from '../../_data/read-readiness.ts';
import { Tokens, Xrp } from '../../_ui/amounts.tsx';
import { credentialName } from '../../_ui/credential-name.ts';
import { formatCount } from '../../_ui/format.ts';
import { Notice } from '../../_ui/notice.tsx';
import { Time } from '../../_ui/time.tsx';
import { setupStep } from './wallet-setup.tsx';

const ADMISSION: Record<QuoteResource['admission'], string | null> = {
  not_required: null,
  admitted: 'This wallet is admitted to every tier that is not sold out.',
  not_admitted: 'This wallet is not admitted to every tier: its payment into another one would be refunded.',
  assumed: 'Only if the wallet is admitted: give its address to check.',
};

/** Nothing is sold now, so the ledger was not asked. */
const ASKED_LATER = 'Whether this wallet holds the credential that is needed is checked when the sale sells.';

type Held = QuoteResource['credentials'][number];

/** What the wallet has of a credential that a tier requires, and what it may do about it. */
function HeldCredential({ held }: { held: Held }) {
  const { tier, status, issuer, issuers, expires_at: expiresAt } = held;
  return (
    <p>
      Tier {tier} needs the credential {credentialName(held)} of{' '}
      <code className="font-mono text-xs break-all">{issuer ?? issuers.join(' or ')}</code>
      {status === 'none' && ': this wallet has none. Ask its issuer for it.'}
      {status === 'not_accepted' &&
        ': it was issued to this wallet and not accepted yet. Accept it with CredentialAccept.'}
      {status !== 'none' && status !== 'not_accepted' && ': this wallet’s '}
      {status === 'expired' && expiresAt !== null && (
        <>
          expired at <Time at={expiresAt} />. Ask its issuer for a new one.
        </>
      )}
      {status === 'valid' &&
        (expiresAt === null ? (
          'is valid.'
        ) : (
          <>
            is valid until <Time at={expiresAt} />.
          </>
        ))}
    </p>
  );
}

const CANNOT: Record<NonNullable<HolderReadiness['problem']>, string> = {
  not_funded: 'This wallet is not on the ledger yet: it cannot pay, or hold tokens.',
  is_issuer: 'This wallet is the issuer of the token.',
  missing: 'This wallet cannot hold the token yet',
  not_authorized: 'The issuer has not authorised this wallet: what it buys waits until then.',
  frozen: 'The issuer has frozen this wallet’s tokens: what it buys waits until that ends.',
};

/** Whether the wallet could be sent what it buys, as the ledger shows it now. */
async function CanReceive({ project, wallet }: { project: ProjectResource; wallet: string }) {
  const [read] = await readReadiness(await pageCtx(), [project], wallet);
  const holder = read?.wallet ?? null;
  if (holder === null) return <p>The ledger did not say whether this wallet can hold the token.</p>;
  if (holder.problem === null) return <p>This wallet is ready to receive the token.</p>;
  if (holder.problem !== 'missing') return <p>{CANNOT[holder.problem]}</p>;
  return (
    <p>
      {CANNOT.missing}:{' '}
      <a className="underline" href="#receive">
        {setupStep(project.token)}
      </a>
      , or what you buy waits.
    </p>
  );
}

/** What the server answers for an amount, and for a wallet where one is given. */
export function QuoteAnswer({ project, quote }: { project: ProjectResource; quote: QuoteResource }) {
  const isLater = quote.admission === 'assumed' && quote.wallet_address !== null;
  const admission = isLater ? ASKED_LATER : ADMISSION[quote.admission];
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
              . The platform takes no fee
              {quote.rounding_xrp !== '0.000000' && (
                <>
                  ; <Xrp value={quote.rounding_xrp} /> of change, too little to refund, is kept
                </>
              )}
              .
            </p>
          ) : (
            <p>It would be refunded in full{quote.reason !== null && `, because ${reasonText(quote.reason)}`}.</p>
          )}
          {admission !== null && <p>{admission}</p>}
          {quote.credentials.map((held) => (
            <HeldCredential key={held.tier} held={held} />
          ))}
          {quote.wallet_address !== null && quote.limits.remaining_xrp !== null && (
            <p>
              This wallet may still invest <Xrp value={quote.limits.remaining_xrp} />.
            </p>
          )}
          {quote.wallet_address !== null && (
            <Suspense>
              <CanReceive project={project} wallet={quote.wallet_address} />
            </Suspense>
          )}
          {quote.halted && <p>The account is halted: what is paid now is decided later, by its ledger position.</p>}
          <p className="text-xs">Every payment up to ledger {formatCount(quote.ledger_index)} is counted.</p>
        </div>
      </Notice>
    </div>
  );
}
