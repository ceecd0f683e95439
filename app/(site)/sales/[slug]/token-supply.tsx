import { type ReactNode, Suspense } from 'react';
import type { Snapshot } from '#lib/accounts/holders/contracts.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { shareOf, sumOf } from '../../_data/exact-amounts.ts';
import { pageCtx } from '../../_data/page-ctx.ts';
import { readTokenStats } from '../../_data/public-reads.ts';
import { Tokens } from '../../_ui/amounts.tsx';
import { percent } from '../../_ui/chart/percent.ts';
import { formatCount, formatCounted } from '../../_ui/format.ts';
import { Time } from '../../_ui/time.tsx';
import { percentText } from '../../holders/percent-text.ts';
import { tokenOnLedger } from './issuer-powers.tsx';

/** Beyond it a list of tiers says no more than their sum. */
const MOST_TIERS = 8;

async function readStats(project: ProjectResource): Promise<Snapshot | null> {
  try {
    return await readTokenStats(await pageCtx(), project);
  } catch (err) {
    if (err instanceof PlatformError && err.status < 500) return null;
    throw err;
  }
}

/** What of the token is for sale, tier by tier, and where all of it is that the ledger shows. Nothing that the ledger does not show. */
export async function TokenSupply({ project }: { project: ProjectResource }) {
  const { token, tiers } = project;
  const stats = await readStats(project);
  const supply = stats === null ? null : sumOf([stats.supply, stats.excluded.balance]);
  const forSale = sumOf(tiers.map(({ total_tokens }) => total_tokens));
  const shown = tiers.length > MOST_TIERS ? [] : tiers;
  const row = (name: ReactNode, value: string, key?: ReactNode) => (
    <Row name={name} value={value} token={token} share={supply === null ? null : shareOf(value, supply)} swatch={key} />
  );
  return (
    <>
      {stats !== null && supply !== null && <SupplyBar held={shareOf(stats.supply, supply) ?? 0} />}
      <dl className="divide-y divide-line text-sm">
        {stats !== null && supply !== null && (
          <>
            {row(`With ${formatCounted(stats.holders, 'holder')}`, stats.supply, <Swatch className="fill-accent" />)}
            {row(
              'With the issuer, distributors and treasuries',
              stats.excluded.balance,
              <Swatch className="fill-line-strong" />,
            )}
            {row('On the ledger', supply)}
          </>
        )}
        {token.kind === 'mpt' && (
          <Suspense>
            <MaximumSupply project={project} />
          </Suspense>
        )}
        {row(`For sale in ${formatCounted(tiers.length, 'tier')}`, forSale)}
        {shown.length > 1 &&
          shown.map((tier) => (
            <Row
              key={tier.tier}
              isInner
              name={`Tier ${tier.tier}`}
              value={tier.total_tokens}
              token={token}
              share={supply === null ? null : shareOf(tier.total_tokens, supply)}
            />
          ))}
      </dl>
      <p className="mt-3 text-xs text-soft">
        {stats === null ? (
          'Holders of this token are not counted yet: that happens every hour once the sale is launched.'
        ) : (
          <>
            Counted from ledger {formatCount(stats.ledger_index)}, <Time at={stats.ledger_closed_at} />. Shares are of
            what is on the ledger.{' '}
            <a className="link" href={`/holders?project_id=${project.id}`}>
              Holders
            </a>
          </>
        )}
      </p>
    </>
  );
}

/** Of an MPT, read from the ledger: the page waits for no server of it. */
async function MaximumSupply({ project }: { project: ProjectResource }) {
  const token = await tokenOnLedger(project);
  if (token?.kind !== 'mpt') return null;
  return <Row name="At most, by its issuance" value={token.maximum_tokens} token={project.token} share={null} />;
}

/** What holders have of all that is on the ledger. */
const SupplyBar = ({ held }: { held: number }) => (
  <svg
    role="img"
    aria-label={`Holders have ${percentText(held)} of the tokens on the ledger`}
    className="mb-3 block h-3 w-full overflow-hidden rounded-full"
  >
    <rect width="100%" height="100%" className="fill-line-strong" />
    <rect width={percent(held)} height="100%" className="fill-accent" />
  </svg>
);

const Swatch = ({ className }: { className: string }) => (
  <svg aria-hidden className="size-2.5 rounded-xs">
    <rect width="100%" height="100%" className={className} />
  </svg>
);

function Row({
  name,
  value,
  token,
  share,
  swatch,
  isInner = false,
}: {
  name: ReactNode;
  value: string;
  token: ProjectResource['token'];
  share: number | null;
  swatch?: ReactNode;
  /** A part of the row above. */
  isInner?: boolean;
}) {
  return (
    <div className={`flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 py-2.5 ${isInner ? 'pl-4' : ''}`}>
      <dt className="inline-flex items-center gap-2 text-soft">
        {swatch}
        {name}
      </dt>
      <dd className="figures ml-auto text-right">
        <Tokens value={value} token={token} />
        {share !== null && <span className="ml-3 inline-block min-w-14 text-soft">{percentText(share)}</span>}
      </dd>
    </div>
  );
}
