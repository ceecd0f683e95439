import type { ReactNode } from 'react';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import type { SaleState } from '../../_data/sale-state.ts';
import { tokenUnit } from '../../_ui/amounts.tsx';
import { Badge } from '../../_ui/badge.tsx';
import { credentialName } from '../../_ui/credential-name.ts';
import { formatAmount, formatReadable } from '../../_ui/format.ts';
import { Time } from '../../_ui/time.tsx';
import { differenceOf } from './difference.ts';

type Tier = ProjectResource['tiers'][number];

const HERE: Partial<Record<SaleState['key'], string>> = { live: 'You are here', paused: 'On hold' };

/** One rung: its price, and how much of it is sold and left. */
export function TierRow({ tier, project, state }: { tier: Tier; project: ProjectResource; state: SaleState }) {
  const isHere = state.tier?.tier === tier.tier;
  const isFull = tier.completed_at !== null;
  const isListed = tier.access === 'allowlist' || project.access === 'allowlist';
  return (
    <li aria-current={isHere ? 'step' : undefined} className="py-3 last:pb-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-semibold">Tier {tier.tier}</span>
          {isHere && <Badge tone="accent">{HERE[state.key] ?? 'Next to sell'}</Badge>}
          {isFull && <Badge tone="good">Sold out</Badge>}
          {isListed && <Badge tone="warn">Allowlist only</Badge>}
          {tier.credential !== null && <Badge tone="warn">Credential {credentialName(tier.credential)}</Badge>}
        </p>
        <p className="figures font-semibold">
          {formatAmount(tier.price_per_token)} <span className="text-sm font-normal text-soft">XRP a token</span>
        </p>
      </div>
      <p className="figures mt-1 flex flex-wrap justify-between gap-x-4 text-sm text-soft">
        <span>
          {formatReadable(tier.sold_tokens)} of {formatReadable(tier.total_tokens)} {tokenUnit(project.token)} sold
        </span>
        <span>
          <Left tier={tier} isSelling={isHere && state.key === 'live'} />
        </span>
      </p>
    </li>
  );
}

function Left({ tier, isSelling }: { tier: Tier; isSelling: boolean }): ReactNode {
  if (tier.completed_at !== null) {
    return (
      <>
        full since <Time at={tier.completed_at} />
      </>
    );
  }
  if (tier.starts_at !== null && !isSelling) {
    return (
      <>
        not before <Time at={tier.starts_at} />
      </>
    );
  }
  return <>{formatReadable(differenceOf(tier.total_tokens, tier.sold_tokens))} left</>;
}
