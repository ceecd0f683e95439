import type { ProjectResource } from '#lib/sales/schemas.ts';
import type { SaleState } from '../../_data/sale-state.ts';
import { Badge } from '../../_ui/badge.tsx';
import { buttonClass } from '../../_ui/button.tsx';
import { Countdown } from '../../_ui/countdown.tsx';
import { Icon } from '../../_ui/icon.tsx';
import { Notice } from '../../_ui/notice.tsx';
import { Time } from '../../_ui/time.tsx';
import { Description } from './description.tsx';
import { PROJECT_LINK } from './project-link.tsx';

const NEXT = { starts: 'Starts', tier_starts: 'The next tier starts', ends: 'Ends' } as const;
const LONG_NAME = 32;

/** What the sale is, whether it is open, and how to check it. */
export function SaleHead({ project, state, nowMs }: { project: ProjectResource; state: SaleState; nowMs: number }) {
  const size = project.name.length > LONG_NAME ? 'text-2xl sm:text-4xl' : 'text-4xl sm:text-5xl';
  return (
    <header className="pb-8 sm:pb-10">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Badge tone={state.tone} isLive={state.key === 'live'}>
          {state.label}
        </Badge>
        {state.next !== null && (
          <span className="inline-flex flex-wrap items-center gap-x-1.5 text-sm text-soft">
            <Icon name="clock" />
            {NEXT[state.next.what]} <Countdown at={state.next.at} nowMs={nowMs} />
            <span aria-hidden className="hidden sm:inline">
              ·
            </span>
            <Time at={state.next.at} />
          </span>
        )}
      </div>
      <div className="mt-4 max-w-3xl">
        <h1 className={`${size} font-semibold break-words`}>{project.name}</h1>
        <Description text={project.description} />
        <p className="mt-6 flex flex-wrap items-center gap-3">
          <a href="#verify" className={buttonClass('plain', 'px-5')}>
            <Icon name="check" /> Verify this sale
          </a>
          {project.website !== null && (
            <a
              href={project.website}
              rel={PROJECT_LINK}
              className="link inline-flex min-h-10 items-center gap-1.5 px-1 text-sm break-all"
            >
              {new URL(project.website).host}
              <Icon name="out" className="size-3.5" />
            </a>
          )}
        </p>
      </div>
      <StateNotice project={project} state={state} />
    </header>
  );
}

function StateNotice({ project, state }: { project: ProjectResource; state: SaleState }) {
  const text = {
    draft: 'This is a preview of a draft. It cannot be invested in, and everything may still change.',
    upcoming: 'Payments that arrive before the start are sent back.',
    between_tiers: 'The tier before is full. Payments that arrive before the next tier starts are sent back.',
    paused: 'The sale is paused. Payments that arrive now are sent back.',
    ended: null,
    cancelled:
      project.end_reason === 'soft_cap_missed'
        ? 'The soft cap was missed: every payment is refunded to its sender, and no tokens are sent.'
        : 'The sale was cancelled: XRP whose tokens were not distributed is refunded to its sender.',
    live: null,
  }[state.key];
  if (text === null) return null;
  return (
    <div className="mt-6">
      <Notice tone={state.key === 'cancelled' || state.key === 'paused' ? 'warn' : 'info'}>{text}</Notice>
    </div>
  );
}
