import Link from 'next/link';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { fullRaiseXrp } from './_data/full-raise.ts';
import type { SaleState } from './_data/sale-state.ts';
import { amountSize } from './_ui/amount-size.ts';
import { tokenUnit, Xrp } from './_ui/amounts.tsx';
import { Badge } from './_ui/badge.tsx';
import { formatAmount, formatCounted, formatReadable } from './_ui/format.ts';
import { Icon } from './_ui/icon.tsx';
import { LinkPending } from './_ui/link-pending.tsx';
import { TierStrip } from './_ui/tier-strip.tsx';
import { Time } from './_ui/time.tsx';

const NEXT_LABELS = { starts: 'Starts', tier_starts: 'Next tier starts', ends: 'Ends' } as const;

/** A sale at a glance. The whole card leads to it. `isWide`: alone in its row, with what it says of itself. */
export function SaleCard({
  project,
  state,
  isWide = false,
}: {
  project: ProjectResource;
  state: SaleState;
  isWide?: boolean;
}) {
  const { progress } = project;
  return (
    <article
      className={`group relative h-full rounded-2xl border border-line bg-card p-6 shadow-card transition-[border-color,box-shadow] hover:border-line-strong hover:shadow-raised ${isWide ? 'md:grid md:grid-cols-2 md:items-end md:gap-12 md:p-8' : 'flex flex-col justify-between'}`}
    >
      <div className={isWide ? 'flex flex-col md:h-full' : ''}>
        <div className="flex items-start justify-between gap-4">
          <h3 className={`min-w-0 font-semibold break-words ${isWide ? 'text-2xl sm:text-3xl' : 'text-xl'}`}>
            <Link
              href={`/sales/${project.slug}`}
              prefetch={false}
              className="after:absolute after:inset-0 after:rounded-2xl"
            >
              {project.name}
              <LinkPending />
            </Link>
          </h3>
          <Badge tone={state.tone} isLive={state.key === 'live'}>
            {state.label}
          </Badge>
        </div>
        <p className="mt-1.5 text-sm text-soft">
          {state.tier === null ? (
            tokenUnit(project.token)
          ) : (
            <>
              Tier {state.tier.tier} of {progress.total_tiers}, {formatAmount(state.tier.price_per_token)} XRP a token
            </>
          )}
        </p>
        {isWide && (
          <>
            <p className="mt-4 line-clamp-3 break-words text-soft">{project.description}</p>
            <p className="mt-auto hidden items-center gap-2 pt-6 text-sm font-medium text-accent md:flex">
              See the sale
              <Icon name="arrow" className="size-4 transition-transform group-hover:translate-x-0.5" />
            </p>
          </>
        )}
      </div>
      <div>
        <p className={`figures mt-6 font-semibold ${amountSize(formatReadable(progress.total_raised_xrp))}`}>
          <Xrp value={progress.total_raised_xrp} />
        </p>
        <p className="mb-4 text-sm text-soft">
          raised of {formatReadable(fullRaiseXrp(project))} XRP by {formatCounted(progress.total_investors, 'investor')}
          {progress.cancelled_xrp !== '0.000000' && `; ${formatReadable(progress.cancelled_xrp)} XRP of it refunded`}
        </p>
        <TierStrip project={project} />
        <p className="figures mt-3 flex flex-wrap justify-between gap-x-4 text-xs text-soft">
          <span>{progress.progress_percentage}%</span>
          {state.next !== null && (
            <span>
              {NEXT_LABELS[state.next.what]} <Time at={state.next.at} />
            </span>
          )}
        </p>
      </div>
    </article>
  );
}
