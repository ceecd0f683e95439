import { z } from 'zod';
import { removeExpiredAccess } from '#lib/accounts/api-keys/remove-expired-access.ts';
import { removeExpiredSessions } from '#lib/accounts/members/sessions.ts';
import { appendAudit } from '#lib/audit.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { checkAccounts } from '#lib/payouts/monitor/check-accounts.ts';
import { checkWaiting, FROM_THE_START, type WaitingCursor } from '#lib/payouts/monitor/check-waiting.ts';
import { noneWaiting, type trustlineMonitorContract, waitingCounts } from '#lib/payouts/monitor/contracts.ts';
import { wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import { removeExpiredLinks } from '#lib/webhooks/portal/remove-expired-links.ts';
import { defineJob, runJobs } from './engine.ts';
import { continueProcessing } from './heartbeat.ts';
import { verificationStart } from './verify-sales.ts';

type MonitorResult = z.output<(typeof trustlineMonitorContract)['responses'][200]>;

/** Removes unused keys, old portal links, and members' sessions and invitations that are over. What is left over goes tomorrow: it is not urgent. */
const accessSweep = defineJob({
  name: 'access-sweep',
  schedule: 'every cron call',
  budgetMs: 5_000,
  leaseSeconds: 15,
  run: async (ctx, { deadlineMs }) => {
    await removeExpiredAccess(ctx, deadlineMs);
    await removeExpiredLinks(ctx, deadlineMs);
    await removeExpiredSessions(ctx, deadlineMs);
    return {};
  },
});

/**
 * Looks at the health of every paying account and at every distribution that waits; what became payable goes out at once.
 * Its cursor is the last distribution that was looked at, with the counts up to it.
 */
export const trustlineMonitor = defineJob({
  name: 'trustline-monitor',
  schedule: 'every cron call',
  budgetMs: 20_000,
  leaseSeconds: 120,
  cursor: z.strictObject({ after: z.string(), counts: waitingCounts }),
  async run(ctx, { run, cursor, deadlineMs, stillMine }) {
    const accounts = cursor === null ? await beginMonitor(ctx, run) : [];
    const counts = cursor?.counts ?? noneWaiting();
    const readyBefore = counts.ready;
    const after: WaitingCursor | null = await checkWaiting(ctx, {
      after: cursor?.after ?? FROM_THE_START,
      counts,
      deadlineMs,
      stillMine,
    });
    if (counts.ready > readyBefore) await continueProcessing(ctx, { more: true });
    if (after === null) ctx.log.info(counts, 'the trust line monitor has ended');
    return { accounts, counts, next: after === null ? null : { cursor: { after, counts } } };
  },
});

async function beginMonitor(ctx: Ctx, run: string): Promise<MonitorResult['accounts']> {
  // What becomes payable is paid: an administrator who starts a run by hand changes something, and has no way to say why.
  if (ctx.actor.kind === 'administrator') {
    await appendAudit(ctx.db, ctx, {
      action: 'trustline_monitor.run',
      subject: 'every paying account',
      reason: 'run by hand',
      after: { run },
    });
  }
  const { accounts, alerts } = await checkAccounts(ctx);
  if (alerts > 0) await wakeDispatch(ctx);
  return accounts;
}

/**
 * The daily call: begins the verification of sales, sweeps access, and monitors trust lines. One run of the monitor at a
 * time: throws `conflict` while another one is under way, its slices to come included. What the time does not reach is
 * continued by queue messages. Throws PlatformError `ledger_unavailable`.
 */
export async function monitorTrustLines(ctx: Ctx): Promise<MonitorResult> {
  const startedAtMs = ctx.clock.nowMs();
  const jobs = [trustlineMonitor, accessSweep, verificationStart];
  const monitored = (await runJobs(ctx, { jobs, isScheduled: true })).orThrow(trustlineMonitor);
  if (monitored === null) {
    throw new PlatformError(
      'conflict',
      'A run of the monitor is under way. Wait until it has ended, two minutes at most.',
    );
  }
  const { accounts, counts } = monitored.done;
  return { ...counts, continued: monitored.goesOn, accounts, duration_ms: ctx.clock.nowMs() - startedAtMs };
}
