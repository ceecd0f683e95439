/** A cron that begins work: what it calls by GET with the scheduler's secret, and when (UTC). */
export interface CronEntry {
  path: string;
  schedule: string;
}

/** The crons of `vercel.json`. They stand here too, because a plan with daily crons takes no `vercel.json` that names them. */
export const CRONS: readonly CronEntry[] = [
  { path: '/api/cron/process-payments', schedule: '* * * * *' },
  { path: '/api/cron/sync-holders', schedule: '0 * * * *' },
  { path: '/api/system/trustline-monitor', schedule: '30 4 * * *' },
];
