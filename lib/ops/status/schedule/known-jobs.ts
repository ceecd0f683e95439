/** A kind of background work, and how often its cron begins it. */
export interface KnownJob {
  /** Name of its row in `job_runs`. */
  name: string;
  /** The address that its cron calls; null for work that only goes on from other work. */
  path: string | null;
  /** Seconds between two calls, as `vercel.json` has them; null without a cron. */
  everySeconds: number | null;
}

/** What runs by itself. */
export const KNOWN_JOBS: readonly KnownJob[] = [
  { name: 'process-payments', path: '/api/cron/process-payments', everySeconds: 60 },
  { name: 'sync-holders', path: '/api/cron/sync-holders', everySeconds: 3_600 },
  { name: 'trustline-monitor', path: '/api/system/trustline-monitor', everySeconds: 86_400 },
  { name: 'deliveries', path: null, everySeconds: null },
];

/** Crons fire late, and a plan with daily crons within an hour of their time. */
const GRACE_SECONDS = 120;

/** After so long without a start a job with this period is late. */
export const lateAfterSeconds = (everySeconds: number): number =>
  everySeconds + Math.max(GRACE_SECONDS, everySeconds / 2);

/** Whether a job with this period that began so long ago is late; null without a cron, or before its first run. */
export const isLate = (everySeconds: number | null, startedAgoSeconds: number | null): boolean | null =>
  everySeconds === null || startedAgoSeconds === null ? null : startedAgoSeconds > lateAfterSeconds(everySeconds);
