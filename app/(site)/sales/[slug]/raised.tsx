import type { ReactNode } from 'react';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { deliveryText } from '../../_data/delivery-text.ts';
import { fullRaiseXrp, percentOf } from '../../_data/full-raise.ts';
import { amountSize } from '../../_ui/amount-size.ts';
import { Xrp } from '../../_ui/amounts.tsx';
import { Card } from '../../_ui/card.tsx';
import { Fact, Facts } from '../../_ui/facts.tsx';
import { formatCount, formatReadable } from '../../_ui/format.ts';
import { Meter } from '../../_ui/meter.tsx';
import { Time } from '../../_ui/time.tsx';

/** What came in, against what the sale asks for. */
export function Raised({ project, chart }: { project: ProjectResource; chart: ReactNode }) {
  const { progress } = project;
  const full = fullRaiseXrp(project);
  const softCapAt = project.soft_cap_xrp === null ? undefined : percentOf(project.soft_cap_xrp, full);
  return (
    <Card title="Raised">
      <p className={`figures font-semibold tracking-tight ${amountSize(formatReadable(progress.total_raised_xrp))}`}>
        <Xrp value={progress.total_raised_xrp} />
      </p>
      <p className="mt-1 mb-4 text-sm text-soft">of {formatReadable(full)} XRP if every tier sells out</p>
      <Meter
        percent={progress.progress_percentage}
        label={`${progress.progress_percentage} percent of the whole sale`}
        mark={softCapAt}
      />
      <p className="figures mt-2 flex justify-between gap-x-4 text-xs text-soft">
        <span>{progress.progress_percentage}%</span>
        {softCapAt !== undefined && <span>soft cap at {softCapAt}%</span>}
      </p>
      {chart}
      <div className="mt-4">
        <Facts>
          <Fact name="Investors">{formatCount(progress.total_investors)}</Fact>
          {progress.cancelled_xrp !== '0.000000' && (
            <Fact name="Refunded">
              <Xrp value={progress.cancelled_xrp} />
            </Fact>
          )}
          {project.soft_cap_xrp !== null && (
            <Fact name="Soft cap (below it, everything is refunded)">
              <Xrp value={project.soft_cap_xrp} />
            </Fact>
          )}
          {project.min_investment_xrp !== null && (
            <Fact name="Minimum payment">
              <Xrp value={project.min_investment_xrp} />
            </Fact>
          )}
          {project.max_per_wallet_xrp !== null && (
            <Fact name="Maximum per wallet">
              <Xrp value={project.max_per_wallet_xrp} />
            </Fact>
          )}
          <Fact name="Tokens are sent">{deliveryText(project)}</Fact>
          {project.starts_at !== null && (
            <Fact name="Start">
              <Time at={project.starts_at} />
            </Fact>
          )}
          {project.ended_at === null ? (
            <Fact name="End">{project.ends_at === null ? 'When sold out' : <Time at={project.ends_at} />}</Fact>
          ) : (
            <Fact name={project.end_reason === 'cancelled' ? 'Cancelled' : 'Ended'}>
              <Time at={project.ended_at} />
            </Fact>
          )}
        </Facts>
      </div>
    </Card>
  );
}
