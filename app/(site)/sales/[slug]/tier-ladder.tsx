import type { ReactNode } from 'react';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import type { SaleState } from '../../_data/sale-state.ts';
import { Card } from '../../_ui/card.tsx';
import { formatCounted } from '../../_ui/format.ts';
import { TierRow } from './tier-row.tsx';

type Tier = ProjectResource['tiers'][number];

/** With more than this many tiers, those far from where the sale is fold away. */
const MOST_OPEN = 8;
const OPEN_BEFORE = 1;
const OPEN_AFTER = 4;

/** Every tier with its price and what is sold and left of it, and where the sale is now. */
export function TierLadder({ project, state }: { project: ProjectResource; state: SaleState }) {
  const { tiers, progress } = project;
  const here = state.tier === null ? tiers.length - 1 : tiers.indexOf(state.tier);
  const isLong = tiers.length > MOST_OPEN;
  const from = isLong ? Math.max(0, here - OPEN_BEFORE) : 0;
  const to = isLong ? here + OPEN_AFTER + 1 : tiers.length;
  const row = (tier: Tier) => <TierRow key={tier.tier} tier={tier} project={project} state={state} />;
  return (
    <Card
      title="Price tiers"
      aside={
        <span className="text-sm text-soft">
          {progress.tiers_completed} of {progress.total_tiers} full
        </span>
      }
    >
      <ol className="space-y-3">
        <Folded count={from} where="before">
          {tiers.slice(0, from).map(row)}
        </Folded>
        {tiers.slice(from, to).map(row)}
        <Folded count={tiers.length - to} where="after">
          {tiers.slice(to).map(row)}
        </Folded>
      </ol>
    </Card>
  );
}

function Folded({ count, where, children }: { count: number; where: 'before' | 'after'; children: ReactNode }) {
  if (count <= 0) return null;
  return (
    <li>
      <details>
        <summary className="rounded-xl border border-dashed border-line-strong/50 px-4 py-2.5 text-sm text-soft hover:text-ink">
          {formatCounted(count, 'tier')} {where}
        </summary>
        <ol className="mt-3 space-y-3">{children}</ol>
      </details>
    </li>
  );
}
