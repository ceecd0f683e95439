import type { Metadata } from 'next';
import { AutoRefresh } from '../../_ui/auto-refresh.tsx';
import { PageHead } from '../../_ui/page-head.tsx';
import type { SearchParams } from '../query-of.ts';
import { operatorCtx } from '../session.ts';
import { Deliveries } from './deliveries.tsx';
import { PayoutsOverTime } from './payouts.tsx';

export const metadata: Metadata = { title: 'Activity', robots: { index: false } };

/** Its figures are by the minute at most. */
const LIVE_MS = 15_000;

/** What the platform has paid and delivered over time. */
export default async function ActivityPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await operatorCtx();
  const span = (await searchParams).span === 'month' ? 'month' : 'day';
  return (
    <>
      <PageHead title="Activity" lead="Payouts and webhook deliveries over time. Periods are in UTC." />
      <AutoRefresh everyMs={LIVE_MS} />
      <div className="space-y-6">
        <PayoutsOverTime ctx={ctx} span={span} />
        <Deliveries ctx={ctx} />
      </div>
    </>
  );
}
