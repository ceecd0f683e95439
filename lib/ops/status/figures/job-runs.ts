import { type SQL, sql } from 'drizzle-orm';
import { leases } from '#drizzle/schema/jobs.ts';
import { textArray } from '#lib/base/bulk.ts';
import { isLate, KNOWN_JOBS } from '../schedule/known-jobs.ts';
import type { SystemMetrics } from './schema.ts';

export interface JobRun {
  name: string;
  startedAt: string | null;
  finishedAt: string | null;
  startedAgoSeconds: number | null;
}

/** Comes to JobRun[], of the known jobs that have a row. */
export const jobRuns: SQL = sql`(select coalesce(json_agg(json_build_object(
    'name', name, 'startedAt', last_started_at, 'finishedAt', last_finished_at,
    'startedAgoSeconds', extract(epoch from now() - last_started_at)::float8)), '[]')
  from ${leases} where name = any(${textArray(KNOWN_JOBS.map(({ name }) => name))}))`;

const isoOrNull = (time: string | null | undefined): string | null =>
  time === null || time === undefined ? null : new Date(time).toISOString();

/** Every known job, run or not, in their order. Pure. */
export function toJobs(runs: readonly JobRun[]): SystemMetrics['jobs'] {
  const byName = new Map(runs.map((run) => [run.name, run]));
  return KNOWN_JOBS.map(({ name, everySeconds }) => {
    const run = byName.get(name);
    return {
      name,
      last_started_at: isoOrNull(run?.startedAt),
      last_finished_at: isoOrNull(run?.finishedAt),
      late: isLate(everySeconds, run?.startedAgoSeconds ?? null),
    };
  });
}
