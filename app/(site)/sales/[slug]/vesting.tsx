import { formatDecimal } from '@tranche/rules/amounts.ts';
import { type DistributionPart, distributionParts } from '@tranche/rules/vesting.ts';
import type { ReactNode } from 'react';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { Card } from '../../_ui/card.tsx';
import { formatAmount, formatDate } from '../../_ui/format.ts';

const PERCENT_DECIMALS = 2;
const WHOLE = 100n * 10n ** BigInt(PERCENT_DECIMALS);
const DAY_MS = 86_400_000;
const OPEN_PARTS = 6;

/** When an investment's tokens are sent, part by part: by date where the dates are known, else by days. */
export function Vesting({ project, nowMs }: { project: ProjectResource; nowMs: number }) {
  const { vesting, distribution, ended_at, ends_at } = project;
  if (vesting.immediate_bps === 10_000 || vesting.periods === 0) return null;
  const end = ended_at ?? ends_at;
  const isFromNow = distribution === 'immediate';
  const baseMs = isFromNow ? nowMs : end === null ? null : Date.parse(end);
  const parts = distributionParts(WHOLE, vesting, baseMs ?? 0);
  const lead = isFromNow
    ? 'Counted from each payment; the dates are of one made today.'
    : baseMs === null
      ? 'Counted from the end of the sale.'
      : 'Counted from the end of the sale; an earlier end moves the dates.';
  const row = (part: DistributionPart) => (
    <Row key={part.part} part={part} when={baseMs === null ? daysText(part) : formatDate(iso(part.dueAtMs))} />
  );
  return (
    <Card title="When tokens are sent" lead={lead}>
      <ol className="divide-y divide-line text-sm">{parts.slice(0, OPEN_PARTS).map(row)}</ol>
      {parts.length > OPEN_PARTS && (
        <details>
          <summary className="link mt-2 inline-flex text-sm">{parts.length - OPEN_PARTS} more parts</summary>
          <ol className="mt-2 divide-y divide-line text-sm">{parts.slice(OPEN_PARTS).map(row)}</ol>
        </details>
      )}
    </Card>
  );
}

const iso = (ms: number): string => new Date(ms).toISOString();

const daysText = ({ dueAtMs }: DistributionPart): string =>
  dueAtMs === 0 ? 'at the end' : `${Math.round(dueAtMs / DAY_MS)} days after`;

const Row = ({ part, when }: { part: DistributionPart; when: ReactNode }) => (
  <li className="figures flex justify-between gap-4 py-2.5">
    <span className="text-soft">{when}</span>
    <span>{formatAmount(formatDecimal(part.units, PERCENT_DECIMALS))}%</span>
  </li>
);
