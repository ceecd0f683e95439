/** What `leases` says of a job, with ages by the database's clock. */
export interface JobRow {
  holder: string | null;
  isHeld: boolean;
  startedAgoSeconds: number | null;
  hasFinishedSince: boolean;
}

export const JOB_STATES = ['never', 'idle', 'running', 'broken_off'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** No function runs longer (`maxDuration` of its route). */
const LONGEST_RUN_SECONDS = 60;

/**
 * Where a job stands. `broken_off`: it began, and neither ended nor holds its lease any more; the next run takes its work
 * up. Pure.
 */
export function jobState(row: JobRow): JobState {
  if (row.startedAgoSeconds === null) return 'never';
  if (row.holder !== null) return row.isHeld ? 'running' : 'broken_off';
  if (row.hasFinishedSince) return 'idle';
  return row.startedAgoSeconds <= LONGEST_RUN_SECONDS ? 'running' : 'broken_off';
}
