import type { Metadata } from 'next';
import { Suspense } from 'react';
import { listJobs } from '#lib/jobs/list-jobs.ts';
import { CAUSES } from '#lib/ops/status/causes.ts';
import { getStatus } from '#lib/ops/status/get-status.ts';
import { listPayouts } from '#lib/payouts/operate/read-payouts.ts';
import { listApprovals } from '#lib/sales/approvals/list-approvals.ts';
import { listPayments } from '#lib/sales/held/list-payments.ts';
import { listFailingWebhooks } from '#lib/webhooks/registry/read-webhooks.ts';
import { AutoRefresh } from '../_ui/auto-refresh.tsx';
import { Card } from '../_ui/card.tsx';
import { Notice } from '../_ui/notice.tsx';
import { PageHead } from '../_ui/page-head.tsx';
import { invariantFaults } from './invariant-faults.ts';
import { Accounts } from './overview/accounts.tsx';
import { Custody } from './overview/custody.tsx';
import { FailingWebhooks } from './overview/failing-webhooks.tsx';
import { HeldSummary } from './overview/held-summary.tsx';
import { Jobs } from './overview/jobs.tsx';
import { Maintenance } from './overview/maintenance.tsx';
import { OpenApprovals } from './overview/open-approvals.tsx';
import { WaitingPayouts } from './overview/waiting-payouts.tsx';
import { operatorCtx } from './session.ts';

export const metadata: Metadata = { title: 'Needs attention', robots: { index: false } };

/** What is shown is as old as this at most. */
const LIVE_MS = 10_000;
const HELD_SHOWN = 5;
const WEBHOOKS_SHOWN = 10;
const APPROVALS_SHOWN = 10;

/** What a person has to look into, before anything else. */
export default async function OverviewPage() {
  const ctx = await operatorCtx();
  const [held, open, jobs, status, webhooks, asked] = await Promise.all([
    listPayments(ctx, { status: 'held', sort: 'amount', limit: HELD_SHOWN }),
    listPayouts(ctx, { status: 'open', limit: 1 }),
    listJobs(ctx),
    getStatus(ctx),
    listFailingWebhooks(ctx, WEBHOOKS_SHOWN),
    listApprovals(ctx, { status: 'open', limit: APPROVALS_SHOWN }),
  ]);
  const faults = invariantFaults(status.invariants);
  const failingJobs = jobs.jobs.filter(({ late, state }) => late === true || state === 'broken_off');
  const waiting = open.summary.filter(({ status: state, reason }) => state !== 'submitted' && reason !== null);
  const causes = status.causes.filter((cause) => cause !== 'invariant_violated' && cause !== 'job_late');
  const concerns = [faults, causes, held.payments, waiting, failingJobs, webhooks.webhooks, asked.approvals].filter(
    ({ length }) => length > 0,
  ).length;
  return (
    <>
      <PageHead
        title="Needs attention"
        lead={
          concerns === 0
            ? 'Nothing needs your attention.'
            : 'Problems that need you, most severe first. Everything else runs automatically.'
        }
      />
      <AutoRefresh everyMs={LIVE_MS} />
      <div className="space-y-6">
        {concerns === 0 && (
          <Notice tone="good" title="No problems">
            Recorded balances match the ledger, no payment is held, no payout waits, every job runs on time, and nobody
            asks for an approval.
          </Notice>
        )}
        {faults.map((fault) => (
          <Notice key={fault} tone="bad" title="Recorded balances do not match the ledger">
            {fault}
          </Notice>
        ))}
        {causes.length > 0 && (
          <Notice tone="warn" title={`The platform is ${status.status}`}>
            {causes.map((cause) => (
              <p key={cause}>
                {CAUSES[cause].detail}{' '}
                <a className="link" href={`/docs/runbook#${cause}`}>
                  What to do
                </a>
              </p>
            ))}
            <p>The list below may be incomplete.</p>
          </Notice>
        )}
        {asked.approvals.length > 0 && (
          <OpenApprovals approvals={asked.approvals} hasMore={asked.next_cursor !== null} />
        )}
        {held.payments.length > 0 && <HeldSummary payments={held.payments} hasMore={held.next_cursor !== null} />}
        {waiting.length > 0 && <WaitingPayouts rows={waiting} />}
        {webhooks.total > 0 && <FailingWebhooks webhooks={webhooks.webhooks} total={webhooks.total} />}
        <Suspense
          fallback={
            <Card title="Paying accounts">
              <p role="status" className="text-sm text-soft">
                Asking the ledger…
              </p>
            </Card>
          }
        >
          <Accounts />
        </Suspense>
        <Suspense
          fallback={
            <Card title="Custody">
              <p role="status" className="text-sm text-soft">
                Asking the witnesses…
              </p>
            </Card>
          }
        >
          <Custody />
        </Suspense>
        <Jobs jobs={jobs.jobs} />
        <Maintenance />
      </div>
    </>
  );
}
