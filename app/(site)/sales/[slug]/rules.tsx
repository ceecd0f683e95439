import { Fragment, type ReactNode } from 'react';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { Card } from '../../_ui/card.tsx';
import { credentialName } from '../../_ui/credential-name.ts';
import { formatAmount } from '../../_ui/format.ts';
import { Icon } from '../../_ui/icon.tsx';
import { Time } from '../../_ui/time.tsx';

/** What becomes of payments that do not simply buy, beside the address they go to: said before anybody pays. */
export function Rules({ project }: { project: ProjectResource }) {
  return (
    <Card title="When a payment is refunded" id="rules">
      <ul className="grid gap-x-6 gap-y-4 text-sm sm:grid-cols-2">
        {rulesOf(project).map(({ name, text }) => (
          <li key={name} className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-2">
            <Icon name="back" className="mt-0.5 size-4 text-accent" />
            <div>
              <p className="font-medium">{name}</p>
              <p className="mt-0.5 text-soft">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function rulesOf({ ends_at, min_investment_xrp, max_per_wallet_xrp, soft_cap_xrp, access, tiers }: ProjectResource) {
  const required = tiers.flatMap(({ tier, credential }) => (credential === null ? [] : [{ tier, credential }]));
  const isListed = access === 'allowlist' || tiers.some((tier) => tier.access === 'allowlist');
  const rules: { name: string; text: ReactNode }[] = [
    {
      name: 'Too early, too late, or while paused',
      text: (
        <>
          It is refunded in full. The close time of the payment’s ledger decides.
          {ends_at !== null && (
            <>
              {' '}
              The sale ends at <Time at={ends_at} />.
            </>
          )}
        </>
      ),
    },
    {
      name: 'Without the tag, or a wrong one',
      text: 'It is refunded in full. An amount below the smallest refund, or one that cannot be refunded, is held for an operator.',
    },
    {
      name: 'More than is left',
      text: 'You receive what is left, tier by tier in ledger order. The rest is refunded automatically.',
    },
    {
      name: 'Change',
      text: 'Change that buys no further unit is refunded if it is worth a transaction; less is kept and shown as rounding.',
    },
  ];
  if (min_investment_xrp !== null) {
    rules.push({ name: `Less than ${formatAmount(min_investment_xrp)} XRP`, text: 'It is refunded in full.' });
  }
  if (max_per_wallet_xrp !== null) {
    rules.push({
      name: `More than ${formatAmount(max_per_wallet_xrp)} XRP of one wallet`,
      text: 'The excess is refunded.',
    });
  }
  if (isListed)
    rules.push({ name: 'A wallet that is not on the list', text: 'Where an allowlist applies, it is refunded.' });
  for (const { tier, credential } of required) {
    rules.push({
      name: `Tier ${tier} without the credential ${credentialName(credential)}`,
      text: (
        <>
          It is refunded. The ledger before the payment’s must hold the credential, accepted by the paying wallet and
          not expired, from{' '}
          {credential.issuers.map((issuer, index) => (
            <Fragment key={issuer}>
              {index > 0 && ' or '}
              <code className="font-mono text-xs break-all">{issuer}</code>
            </Fragment>
          ))}
          .
        </>
      ),
    });
  }
  rules.push(
    soft_cap_xrp === null
      ? { name: 'No soft cap', text: 'The sale does not fail for raising little: what you buy stays bought.' }
      : {
          name: `Less than ${formatAmount(soft_cap_xrp)} XRP in the end`,
          text: 'The sale fails: every payment is refunded and no tokens are sent.',
        },
    {
      name: 'The sale is cancelled',
      text: 'Payments for tokens that have not been sent are refunded. You keep the tokens that were sent, and they stay paid for.',
    },
  );
  rules.push({
    name: 'Refunds go to the paying account',
    text: 'The payment’s source tag becomes the refund’s destination tag.',
  });
  return rules;
}
