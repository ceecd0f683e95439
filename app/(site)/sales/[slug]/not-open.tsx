import type { ProjectResource } from '#lib/sales/schemas.ts';
import type { SaleState } from '../../_data/sale-state.ts';
import { Countdown } from '../../_ui/countdown.tsx';
import { Icon } from '../../_ui/icon.tsx';
import { Time } from '../../_ui/time.tsx';

const WHY: Partial<Record<SaleState['key'], string>> = {
  draft: 'This is a preview: a payment now would be refunded.',
  upcoming: 'A payment before the start is refunded.',
  between_tiers: 'A payment before the next tier starts is refunded.',
  paused: 'A payment while the sale is paused is refunded.',
};

const STARTS: Partial<Record<SaleState['key'], string>> = {
  upcoming: 'The sale starts',
  between_tiers: 'The next tier starts',
};

/** Why nobody can pay now, and from when on one can. */
export function NotOpen({ project, state, nowMs }: { project: ProjectResource; state: SaleState; nowMs: number }) {
  const starts = STARTS[state.key];
  return (
    <div className="mb-5 space-y-2 border-b border-line pb-5">
      {starts !== undefined && state.next !== null && (
        <>
          <p className="text-sm text-soft">{starts}</p>
          <p className="text-3xl font-semibold tracking-tight">
            <Countdown at={state.next.at} nowMs={nowMs} />
          </p>
          <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-soft">
            <Time at={state.next.at} />
            <a className="link inline-flex items-center gap-1.5" href={`/sales/${project.slug}/calendar`}>
              <Icon name="clock" /> Add to your calendar
            </a>
          </p>
        </>
      )}
      <p className="text-sm">{WHY[state.key]}</p>
    </div>
  );
}
