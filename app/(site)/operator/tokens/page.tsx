import { formatLedgerValue } from '@tranche/rules/amounts.ts';
import type { Metadata } from 'next';
import Link from 'next/link';
import { env } from '#lib/base/env.ts';
import { readTokenSetup } from '#lib/payouts/token-setup/read-setup.ts';
import type { TokenPlan } from '#lib/payouts/token-setup/steps.ts';
import type { OwnIssuance } from '#lib/xrpl/types.ts';
import { orLedgerUnavailable } from '../../_data/or-ledger-unavailable.ts';
import { AutoRefresh } from '../../_ui/auto-refresh.tsx';
import { buttonClass } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { Fact, Facts } from '../../_ui/facts.tsx';
import { currencyName, formatAmount } from '../../_ui/format.ts';
import { Address } from '../../_ui/hash.tsx';
import { Notice } from '../../_ui/notice.tsx';
import { PageHead } from '../../_ui/page-head.tsx';
import { signers } from '../projects/form/signers.ts';
import type { SearchParams } from '../query-of.ts';
import { type OperatorCtx, operatorCtx } from '../session.ts';
import { ConnectWallet } from '../signing/own-wallet.tsx';
import { IssuerOptions } from './issuer-options.tsx';
import { newProjectPlace, type PlanValues, placeOf, planOf, valuesOf } from './plan.ts';
import { PlanForm } from './plan-form.tsx';
import { SetupSteps } from './setup-steps.tsx';

export const metadata: Metadata = { title: 'Set up a token', robots: { index: false } };

/** From an empty account to a distributor that holds the supply, step by step as the ledger shows it. */
export default async function TokensPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await operatorCtx();
  const { values, isSent } = valuesOf(await searchParams);
  const read = isSent ? planOf(values) : { plan: null, faults: {} };
  const { plan } = read;
  const form = <PlanForm values={values} faults={read.faults ?? {}} signers={await signers()} />;
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead
        title="Set up a token"
        lead="Leads from an empty issuer to a distributor that holds the supply. Each step is read from the ledger, so you can leave and come back."
      />
      <div className="space-y-6">
        <ConnectWallet whose="The issuer’s" signs="the issuer’s transactions" />
        {plan === null ? (
          <Card title="The token">{form}</Card>
        ) : (
          <>
            <Card title="The token">
              <PlanFacts plan={plan} />
              <details className="mt-4">
                <summary className="link inline-flex text-sm">Change</summary>
                <div className="mt-4">{form}</div>
              </details>
            </Card>
            <Progress ctx={ctx} plan={plan} values={values} />
          </>
        )}
      </div>
    </div>
  );
}

const PlanFacts = ({ plan }: { plan: TokenPlan }) => (
  <Facts>
    <Fact name="Kind">
      {plan.kind === 'iou' ? `Issued currency ${currencyName(plan.currency)}` : 'Multi-purpose token'}
    </Fact>
    <Fact name="Issuer">
      <Address address={plan.issuer} />
    </Fact>
    <Fact name="Distributor">
      <Address address={plan.distributor} />
    </Fact>
    <Fact name="Supply">{formatAmount(formatLedgerValue(plan.supplyUnits, plan.decimals))}</Fact>
    {plan.kind === 'mpt' && plan.issuanceId !== null && (
      <Fact name="Issuance id" isLong>
        <span className="font-mono text-xs break-all">{plan.issuanceId}</span>
      </Fact>
    )}
  </Facts>
);

async function Progress({ ctx, plan, values }: { ctx: OperatorCtx; plan: TokenPlan; values: PlanValues }) {
  const isNewIssuance = plan.kind === 'mpt' && plan.issuanceId === null;
  const read = await orLedgerUnavailable(
    Promise.all([readTokenSetup(ctx, plan), isNewIssuance ? ctx.ledger.mptIssuancesOf(plan.issuer) : []]),
  );
  if (read === null) {
    return (
      <Notice tone="warn" title="The ledger did not answer">
        Nothing is lost: this page asks again by itself.
        <AutoRefresh />
      </Notice>
    );
  }
  const [{ steps, issuer }, issuances] = read;
  const networkId = env().XRPL_NETWORK_ID;
  const mayAct = ctx.actor.role === 'operator';
  const isReady = steps.every(({ state }) => state === 'done');
  const done = steps.filter(({ state }) => state === 'done').length;
  return (
    <>
      {isReady && (
        <Notice tone="good" title="The token is ready for a sale">
          The distributor holds the supply.
        </Notice>
      )}
      {issuances.length > 0 && <Issuances issuances={issuances} values={values} />}
      <Card
        title="Steps"
        aside={<span className="figures text-sm text-soft">{`${done} of ${steps.length} done`}</span>}
      >
        <SetupSteps plan={plan} steps={steps} networkId={networkId} mayAct={mayAct} />
        {isReady &&
          (values.project === '' ? (
            <Link prefetch={false} className={buttonClass('primary')} href={newProjectPlace(plan)}>
              Create a project with this token
            </Link>
          ) : (
            <Link prefetch={false} className={buttonClass('primary')} href={`/operator/projects/${values.project}`}>
              Back to the draft
            </Link>
          ))}
        {!isReady && <AutoRefresh />}
      </Card>
      {plan.kind === 'iou' && issuer !== null && <IssuerOptions {...{ issuer, networkId, mayAct }} />}
    </>
  );
}

const Issuances = ({ issuances, values }: { issuances: readonly OwnIssuance[]; values: PlanValues }) => (
  <Card title="Tokens of this issuer" lead="Go on with one of them, or create a new one below. The newest is first.">
    <ul className="divide-y divide-line text-sm">
      {issuances.slice(0, 10).map(({ issuanceId, assetScale, maximum, outstanding }) => (
        <li key={issuanceId} className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0">
          <div className="min-w-0">
            <p className="font-mono text-xs break-all">{issuanceId}</p>
            <p className="text-soft">
              {formatAmount(formatLedgerValue(outstanding, assetScale))} of{' '}
              {formatAmount(formatLedgerValue(maximum, assetScale))} issued, {assetScale} decimals
            </p>
          </div>
          <Link
            prefetch={false}
            className={buttonClass('plain')}
            href={placeOf(values, { issuance_id: issuanceId, decimals: String(assetScale) })}
          >
            Use this token
          </Link>
        </li>
      ))}
    </ul>
  </Card>
);
