import { formatDrops } from '@tranche/rules/amounts.ts';
import type { ReactNode } from 'react';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import type { SaleState } from '../../_data/sale-state.ts';
import { Card } from '../../_ui/card.tsx';
import { formatCounted } from '../../_ui/format.ts';
import { offerOf, splitAmount } from './split-amount.ts';
import { TierRow } from './tier-row.tsx';
import { type Asked, TierStaircase } from './tier-staircase.tsx';
import { typedAmount } from './typed-amount.ts';

type Tier = ProjectResource['tiers'][number];

/** With more than this many tiers, those far from where the sale is fold away. */
const MOST_OPEN = 8;
const OPEN_BEFORE = 1;
const OPEN_AFTER = 4;

/** What an amount that a visitor asked for would buy, by the allocation of the rules; null for no amount, and once nothing sells. */
function askedOf(project: ProjectResource, state: SaleState, amount: string, nowMs: number): Asked | null {
  const drops = typedAmount(amount);
  if (state.tier === null || typeof drops !== 'bigint' || drops === 0n) return null;
  // Before a start, what counts is what the amount buys then.
  const atMs = state.next === null || state.next.what === 'ends' ? nowMs : Date.parse(state.next.at);
  return { amount: formatDrops(drops), split: splitAmount(drops, offerOf(project, atMs)) };
}

/** Every tier with its price and what is sold and left of it, and where the sale is now: as a picture, and as a list. */
export function TierLadder({
  project,
  state,
  amount,
  nowMs,
}: {
  project: ProjectResource;
  state: SaleState;
  /** What the visitor would pay, as it was typed. */
  amount: string;
  nowMs: number;
}) {
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
      <TierStaircase project={project} state={state} asked={askedOf(project, state, amount, nowMs)} />
      <ol className="mt-5 divide-y divide-line border-t border-line">
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
        <summary className="link my-3 inline-flex text-sm">
          {formatCounted(count, 'tier')} {where}
        </summary>
        <ol className="divide-y divide-line border-t border-line">{children}</ol>
      </details>
    </li>
  );
}
