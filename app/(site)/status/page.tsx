import type { Metadata } from 'next';
import { CAUSES } from '#lib/ops/status/causes.ts';
import type { SystemStatus } from '#lib/ops/status/contracts.ts';
import { getStatus } from '#lib/ops/status/get-status.ts';
import { pageCtx } from '../_data/page-ctx.ts';
import { AutoRefresh } from '../_ui/auto-refresh.tsx';
import { Badge, type Tone } from '../_ui/badge.tsx';
import { Card } from '../_ui/card.tsx';
import { Empty } from '../_ui/empty.tsx';
import { Fact, Facts } from '../_ui/facts.tsx';
import { formatCount, formatDuration } from '../_ui/format.ts';
import { Notice } from '../_ui/notice.tsx';
import { PageHead } from '../_ui/page-head.tsx';
import { Cell, Table } from '../_ui/table.tsx';
import { Ago, Time } from '../_ui/time.tsx';

export const metadata: Metadata = { title: 'Status', description: 'Whether everything works, measured a moment ago.' };

const WORDS: Record<SystemStatus['status'], { title: string; tone: Tone; lead: string }> = {
  operational: {
    title: 'All systems operational',
    tone: 'good',
    lead: 'Every part answered a moment ago, and the recorded balances match the ledger.',
  },
  degraded: {
    title: 'Degraded',
    tone: 'warn',
    lead: 'Payments are safe on the ledger. Some operations take longer.',
  },
  down: {
    title: 'The platform is down',
    tone: 'bad',
    lead: 'Payments are safe on the ledger and are read as soon as it works again.',
  },
};

const PARTS = { database: 'Database', cache: 'Cache', ledger: 'XRP Ledger', queue: 'Queue' } as const;
const PERCENT = 100;

export default async function StatusPage() {
  const status = await getStatus(await pageCtx());
  const words = WORDS[status.status];
  return (
    <>
      <AutoRefresh everyMs={10_000} />
      <PageHead
        title={words.title}
        lead={words.lead}
        aside={
          <Badge tone={words.tone} isLive={status.status === 'operational'}>
            {status.status}
          </Badge>
        }
      />
      <div className="space-y-6">
        {status.causes.map((cause) => (
          <Notice key={cause} tone={CAUSES[cause].status === 'down' ? 'bad' : 'warn'}>
            {CAUSES[cause].detail}
          </Notice>
        ))}
        <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
          {Object.entries(PARTS).map(([name, title]) => (
            <PartCard key={name} title={title} check={status.checks[name as keyof typeof PARTS]} />
          ))}
        </div>
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <div className="min-w-0 space-y-6">
            <LedgerCard ledger={status.ledger} network={status.network} />
            <InvariantsCard invariants={status.invariants} />
            <PayoutsCard metrics={status.metrics} />
          </div>
          <div className="min-w-0 space-y-6">
            <DeliveriesCard metrics={status.metrics} />
            <JobsCard metrics={status.metrics} time={status.time} />
          </div>
        </div>
        <p className="text-sm text-soft">
          Measured <Time at={status.time} />. Version {status.version}. The same as JSON:{' '}
          <a className="link" href="/api/system/status">
            /api/system/status
          </a>
        </p>
      </div>
    </>
  );
}

function PartCard({ title, check }: { title: string; check: SystemStatus['checks']['database'] }) {
  return (
    <Card>
      <p className="text-sm text-soft">{title}</p>
      <p className="mt-2 flex items-center justify-between gap-3">
        <Badge tone={check.status === 'up' ? 'good' : 'bad'}>{check.status === 'up' ? 'Up' : 'Down'}</Badge>
        <span className="figures text-sm text-soft">{formatCount(check.latency_ms)} ms</span>
      </p>
    </Card>
  );
}

const orDash = (count: number | null): string => (count === null ? 'unknown' : formatCount(count));

function LedgerCard({ ledger, network }: { ledger: SystemStatus['ledger']; network: string }) {
  return (
    <Card title="Ledger" aside={<span className="text-sm text-soft">{network}</span>}>
      <Facts>
        <Fact name="Newest validated ledger">{orDash(ledger.validated_index)}</Fact>
        <Fact name="Closed">
          {ledger.age_seconds === null ? 'unknown' : `${formatDuration(ledger.age_seconds)} ago`}
        </Fact>
        <Fact name="Processed up to ledger">{orDash(ledger.processed_index)}</Fact>
        <Fact name="Ledgers behind">{orDash(ledger.lag)}</Fact>
        {ledger.servers.map((server) => (
          <Fact key={server.server} name={`Server ${server.server}`}>
            <Badge tone={server.status === 'up' && server.agrees !== false ? 'good' : 'bad'}>
              {server.status === 'down'
                ? 'away'
                : server.agrees === false
                  ? 'disagrees'
                  : (server.behind ?? 0) > 0
                    ? `${server.behind} behind`
                    : 'agrees'}
            </Badge>
          </Fact>
        ))}
      </Facts>
    </Card>
  );
}

type Metrics = SystemStatus['metrics'];
const UNKNOWN = (
  <Empty title="Metrics are not available">The database does not answer. Read this page again in a minute.</Empty>
);

function DeliveriesCard({ metrics }: { metrics: Metrics }) {
  if (metrics === null) return <Card title="Webhooks">{UNKNOWN}</Card>;
  const { deliveries, deliveries_24h: day } = metrics;
  return (
    <Card title="Webhooks, last 24 hours">
      <Facts>
        <Fact name="Delivered">{formatCount(day.delivered)}</Fact>
        <Fact name="Success rate">
          {day.success_rate === null
            ? 'no delivery ended yet'
            : `${Math.floor(day.success_rate * PERCENT * PERCENT) / PERCENT}%`}
        </Fact>
        <Fact name="Median latency (p50)">
          {day.latency_ms.p50 === null ? '–' : `${formatCount(day.latency_ms.p50)} ms`}
        </Fact>
        <Fact name="95th percentile latency (p95)">
          {day.latency_ms.p95 === null ? '–' : `${formatCount(day.latency_ms.p95)} ms`}
        </Fact>
        <Fact name="First attempts waiting">{formatCount(deliveries.waiting)}</Fact>
        <Fact name="Retries due">{formatCount(deliveries.retries_due)}</Fact>
      </Facts>
    </Card>
  );
}

function PayoutsCard({ metrics }: { metrics: Metrics }) {
  return (
    <Card title="Open payouts">
      {metrics === null ? (
        UNKNOWN
      ) : (
        <Table caption="Payouts by state" columns={['State', 'Payouts>', 'Oldest>']}>
          {metrics.payouts.map((row) => (
            <tr key={row.status}>
              <Cell>{row.status.replace('_', ' ')}</Cell>
              <Cell isFigure>{formatCount(row.count)}</Cell>
              <Cell isFigure>{row.oldest_seconds === null ? '–' : formatDuration(row.oldest_seconds)}</Cell>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  );
}

function JobsCard({ metrics, time }: { metrics: Metrics; time: string }) {
  return (
    <Card title="Background jobs">
      {metrics === null ? (
        UNKNOWN
      ) : (
        <Table caption="Jobs" columns={['Job', 'State', 'Last begun>']}>
          {metrics.jobs.map((job) => (
            <tr key={job.name}>
              <Cell>{job.name}</Cell>
              <Cell>
                <Badge tone={job.late === true ? 'bad' : 'good'}>{job.late === true ? 'late' : 'on time'}</Badge>
              </Cell>
              <Cell isFigure>
                {job.last_started_at === null ? 'never' : <Ago at={job.last_started_at} now={time} />}
              </Cell>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  );
}

function InvariantsCard({ invariants }: { invariants: SystemStatus['invariants'] }) {
  const tone: Tone =
    invariants.balances.status === 'ok' ? 'good' : invariants.balances.status === 'violated' ? 'bad' : 'neutral';
  return (
    <Card title="Invariants">
      <Facts>
        <Fact name="Balances">
          <Badge tone={tone}>
            {
              { ok: 'match the ledger', violated: 'do not match the ledger', unknown: 'not compared recently' }[
                invariants.balances.status
              ]
            }
          </Badge>
        </Fact>
        <Fact name="Unknown withdrawals">{orDash(invariants.unknown_withdrawals)}</Fact>
        <Fact name="Unknown transfers">{orDash(invariants.unknown_transfers)}</Fact>
        <Fact name="Late discoveries">{orDash(invariants.late_discoveries)}</Fact>
        <Fact name="Halted accounts">{orDash(invariants.halted_accounts)}</Fact>
      </Facts>
    </Card>
  );
}
