import { formatDecimal } from '@tranche/rules/amounts.ts';
import { type DistributionPart, distributionParts } from '@tranche/rules/vesting.ts';
import type { ReactNode } from 'react';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import type { SaleState } from '../../_data/sale-state.ts';
import { Tokens } from '../../_ui/amounts.tsx';
import { Badge, type Tone } from '../../_ui/badge.tsx';
import { Card } from '../../_ui/card.tsx';
import { amountAxis, dayAxis, timeAxis } from '../../_ui/chart/geometry.ts';
import { Plot } from '../../_ui/chart/plot.tsx';
import { formatAmount, formatDate } from '../../_ui/format.ts';
import { Folding } from './folding.tsx';
import { watchedInvestments } from './payment-status.tsx';
import { countedFrom, type OwnPart, ownParts } from './vesting-times.ts';

const PERCENT_DECIMALS = 2;
const WHOLE = 100n * 10n ** BigInt(PERCENT_DECIMALS);
const DAY_MS = 86_400_000;
const HEIGHT = 130;
/** So that the last step is seen. */
const BEYOND = 1.04;

const iso = (ms: number): string => new Date(ms).toISOString();
const percentText = (units: bigint): string => `${formatAmount(formatDecimal(units, PERCENT_DECIMALS))}%`;

/** When an investment's tokens are sent, part by part: by date where the dates are known, else by days. */
export async function Vesting({
  project,
  state,
  nowMs,
  watched,
}: {
  project: ProjectResource;
  state: SaleState;
  nowMs: number;
  /** The wallet or payment that the visitor watches. */
  watched: string;
}) {
  const { vesting, distribution } = project;
  if (vesting.immediate_bps === 10_000 || vesting.periods === 0) return null;
  const { baseMs, lead } = countedFrom(project, state.key, nowMs);
  const parts = distributionParts(WHOLE, vesting, baseMs ?? 0);
  const since = distribution === 'immediate' ? 'the payment' : 'the end';
  const whenOf = (dueAtMs: number): string =>
    baseMs !== null
      ? formatDate(iso(dueAtMs))
      : dueAtMs === 0
        ? `at ${since}`
        : `${Math.round(dueAtMs / DAY_MS)} days after ${since}`;
  const row = (part: DistributionPart) => <Row key={part.part} part={part} when={whenOf(part.dueAtMs)} />;
  const own = ownParts(await watchedInvestments(project, watched), nowMs);
  return (
    <Card title="When tokens are sent" lead={lead}>
      <Timeline
        parts={parts}
        baseMs={baseMs}
        whenOf={whenOf}
        nowMs={distribution === 'at_end' && baseMs !== null && nowMs > baseMs ? nowMs : null}
      />
      <div className="mt-4 border-t border-line">
        <Folding rows={parts.map(row)} />
      </div>
      {own.length > 0 && <OwnParts parts={own} token={project.token} />}
    </Card>
  );
}

/** How much of an investment has been sent by when. */
function Timeline({
  parts,
  baseMs,
  whenOf,
  nowMs,
}: {
  parts: readonly DistributionPart[];
  baseMs: number | null;
  whenOf: (dueAtMs: number) => string;
  /** Null where today is not in the picture. */
  nowMs: number | null;
}) {
  const [from, last] = [baseMs ?? 0, parts.at(-1)?.dueAtMs ?? 0];
  const to = from + (last - from) * BEYOND;
  const { xOf, ticks: xTicks } = baseMs === null ? dayAxis(to / DAY_MS) : timeAxis(from, to);
  const { yOf, ticks } = amountAxis(100, HEIGHT);
  let sent = 0n;
  const steps = parts.map(({ units, dueAtMs }) => {
    sent += units;
    return { dueAtMs, sent };
  });
  const all = steps[0]?.dueAtMs === from ? steps : [{ dueAtMs: from, sent: 0n }, ...steps];
  const said = steps.map((step) => `${percentText(step.sent)} ${whenOf(step.dueAtMs)}`).join(', ');
  return (
    <Plot
      id="vesting-fill"
      name="Sent of an investment over time"
      said={`Sent of an investment: ${said}`}
      rest={<span className="text-soft">Sent of an investment, in percent</span>}
      points={all.map(({ dueAtMs, sent: units }) => ({
        x: xOf(dueAtMs),
        y: yOf(Number(units) / 100),
        text: `${percentText(units)} sent`,
        at: whenOf(dueAtMs),
      }))}
      isStep
      height={HEIGHT}
      yTicks={ticks.map(({ y, text }) => ({ y, text: `${text}%` }))}
      xTicks={xTicks}
      now={nowMs === null || nowMs > to ? undefined : xOf(nowMs)}
    />
  );
}

const Row = ({ part, when }: { part: DistributionPart; when: ReactNode }) => (
  <li className="figures flex justify-between gap-4 py-2.5">
    <span className="text-soft">{when}</span>
    <span>{percentText(part.units)}</span>
  </li>
);

const STATES: Record<OwnPart['state'], { tone: Tone; says: string }> = {
  arrived: { tone: 'good', says: 'Arrived' },
  due: { tone: 'neutral', says: 'Due' },
  waits: { tone: 'warn', says: 'On its way' },
};

function OwnParts({ parts, token }: { parts: readonly OwnPart[]; token: ProjectResource['token'] }) {
  const row = (part: OwnPart) => <OwnRow key={part.dueAt} part={part} token={token} />;
  return (
    <section className="mt-5 border-t border-line pt-4">
      <h3 className="font-semibold">Sent for what you watch</h3>
      <Folding rows={parts.map(row)} />
    </section>
  );
}

const OwnRow = ({ part, token }: { part: OwnPart; token: ProjectResource['token'] }) => (
  <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
    <span className="figures text-soft">{formatDate(part.dueAt)}</span>
    <span className="flex items-center gap-3">
      <Tokens value={part.tokens} token={token} />
      <Badge tone={STATES[part.state].tone}>{STATES[part.state].says}</Badge>
    </span>
  </li>
);
