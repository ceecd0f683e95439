import type { Metadata } from 'next';
import { cache } from 'react';
import { etagOf } from '#lib/api/answer.ts';
import { Ask } from '../../_assistant/ask.tsx';
import { orNotFound } from '../../_data/or-not-found.ts';
import { pageCtx } from '../../_data/page-ctx.ts';
import {
  readLockedVesting,
  readRaisedOverTime,
  readRecentInvestments,
  readUnsoldLock,
} from '../../_data/public-reads.ts';
import { saleStateOf } from '../../_data/sale-state.ts';
import { type Asked, askedText } from '../../_data/search-text.ts';
import { readSale } from '../../_data/shared-read.ts';
import { About } from './about.tsx';
import { BuyCard } from './buy-card.tsx';
import { LiveUpdates } from './live-updates.tsx';
import { Locks } from './locks.tsx';
import { PaymentStatus } from './payment-status.tsx';
import { Proof } from './proof.tsx';
import { Raised } from './raised.tsx';
import { RaisedChart } from './raised-chart.tsx';
import { ReceiveCard } from './receive-card.tsx';
import { RecentInvestments } from './recent-investments.tsx';
import { Rules } from './rules.tsx';
import { SaleHead } from './sale-head.tsx';
import { TierLadder } from './tier-ladder.tsx';
import { Vesting } from './vesting.tsx';

const DESCRIPTION_LENGTH = 200;

type Props = {
  params: Promise<{ slug: string }>;
  searchParams: Promise<{ watch?: Asked; amount?: Asked; wallet?: Asked }>;
};

const findSale = cache(async (slug: string) => orNotFound(readSale(await pageCtx(), slug)));

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const project = await findSale((await params).slug);
  const description =
    project.description.slice(0, DESCRIPTION_LENGTH) || `Token sale on the XRP Ledger: ${project.name}`;
  return {
    title: project.name,
    description,
    alternates: { canonical: `/sales/${project.slug}` },
    openGraph: { type: 'website', siteName: 'Tranche', title: project.name, description },
    ...(project.status === 'draft' && { robots: { index: false } }),
  };
}

export default async function SalePage({ params, searchParams }: Props) {
  const project = await findSale((await params).slug);
  const { watch, amount, wallet } = await searchParams;
  const ctx = await pageCtx();
  const [{ investments }, { points }, unsold, lockedVesting] = await Promise.all([
    readRecentInvestments(ctx, project),
    readRaisedOverTime(ctx, project),
    project.unsold_until === null ? null : readUnsoldLock(ctx, project),
    project.vesting_locked ? readLockedVesting(ctx, project) : null,
  ]);
  const nowMs = ctx.clock.nowMs();
  const state = saleStateOf(project, nowMs);
  const isOver = state.key === 'ended' || state.key === 'cancelled';
  const chartEnd = project.ended_at ?? new Date(nowMs).toISOString();
  return (
    <>
      <Ask projectId={project.id} />
      <LiveUpdates projectId={project.id} etag={etagOf(JSON.stringify(project))} isOver={isOver} />
      <SaleHead project={project} state={state} nowMs={nowMs} />
      {/* In the order of a phone; a wide screen has the way to buy beside all that is told of the sale. */}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="min-w-0 space-y-6 lg:sticky lg:top-20 lg:col-start-2 lg:row-start-1 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto">
          {isOver ? (
            <ReceiveCard project={project} state={state} />
          ) : (
            <BuyCard {...{ project, state, nowMs }} amount={askedText(amount)} wallet={askedText(wallet)} />
          )}
          <PaymentStatus project={project} asked={askedText(watch)} />
        </div>
        <div className="min-w-0 space-y-6 lg:col-start-1 lg:row-start-1">
          <Raised project={project} chart={<RaisedChart project={project} points={points} until={chartEnd} />} />
          <TierLadder project={project} state={state} amount={askedText(amount)} nowMs={nowMs} />
          <RecentInvestments project={project} investments={investments} />
          {!isOver && <Rules project={project} />}
          <Vesting project={project} state={state} nowMs={nowMs} watched={askedText(watch)} />
          <Locks project={project} unsold={unsold} vesting={lockedVesting} nowMs={nowMs} />
          <About project={project} />
          <Proof project={project} />
        </div>
      </div>
    </>
  );
}
