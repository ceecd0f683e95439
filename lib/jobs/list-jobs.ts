import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { jobRuns, leases } from '#drizzle/schema/jobs.ts';
import { textArray } from '#lib/base/bulk.ts';
import { toIso } from '#lib/base/clock.ts';
import type { Db } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';
import { isLate, KNOWN_JOBS, type KnownJob } from '#lib/ops/status/schedule/known-jobs.ts';
import type { JOB_STATES, Job, listJobsContract } from './contracts.ts';

const MOST_LEASES = 200;
const SHOWN_DAYS = 7;
/** No function runs longer (`maxDuration` of its route). */
const LONGEST_RUN_SECONDS = 60;

/**
 * Every kind of background work: first what runs by a cron or a wake, run or not, then the jobs within. And the leases of
 * single accounts and runs that matter now.
 */
export async function listJobs(ctx: Ctx): Promise<z.output<(typeof listJobsContract)['responses'][200]>> {
  const [rows, time] = await Promise.all([readRows(ctx.db), readTime(ctx.db)]);
  const byName = new Map(rows.map((row) => [row.name, row]));
  const others = rows.filter(({ name }) => !KNOWN_JOBS.some((known) => known.name === name));
  const alone = (row: Row) => toJob({ name: row.name, path: null, everySeconds: null }, row);
  return {
    time,
    jobs: [...KNOWN_JOBS.map((known) => toJob(known, byName.get(known.name))), ...others.filter(isJob).map(alone)],
    leases: others.filter((row) => !isJob(row)).map(alone),
  };
}

/** Names of leases and of single runs say whose they are. */
const isJob = ({ name }: { name: string }): boolean => !name.includes(':');

interface Row extends Record<string, unknown> {
  name: string;
  holder: string | null;
  leasedUntil: string | null;
  isHeld: boolean;
  slice: number | null;
  startedAt: string | null;
  startedAgoSeconds: number | null;
  finishedAt: string | null;
  hasFinishedSince: boolean;
  fault: { at: string; what: string } | null;
  overrun: { at: string; took_ms: number } | null;
}

async function readRows(db: Db): Promise<Row[]> {
  const isRecent = (time: string) => sql`${sql.raw(time)} > now() - make_interval(days => ${SHOWN_DAYS}::integer)`;
  const { rows } = await db.execute<Row>(sql`
    with shown as (
      select name, l.holder, l.leased_until, r.slice, coalesce(r.started_at, l.last_started_at) as started_at,
        coalesce(r.finished_at, l.last_finished_at) as finished_at, r.last_fault, r.last_fault_at, r.overran_ms, r.overran_at,
        r.name is not null as is_job
      from ${jobRuns} as r full join ${leases} as l using (name)
    )
    select name, holder, leased_until::text as "leasedUntil", coalesce(leased_until > now(), false) as "isHeld",
      slice::integer as slice, started_at::text as "startedAt", finished_at::text as "finishedAt",
      extract(epoch from now() - started_at)::float8 as "startedAgoSeconds",
      coalesce(finished_at >= started_at, false) as "hasFinishedSince",
      case when ${isRecent('last_fault_at')} then json_build_object('at', last_fault_at, 'what', last_fault) end as fault,
      case when ${isRecent('overran_at')} then json_build_object('at', overran_at, 'took_ms', overran_ms) end as overrun
    from shown
    where case when name like '%:%' then holder is not null or finished_at > now() - interval '1 day' 
      else is_job or name = any(${textArray(KNOWN_JOBS.map(({ name }) => name))}) end
    order by name like '%:%', case when name like '%:%' then started_at end desc nulls last, name
    limit (select count(*) from shown where name not like '%:%') + ${MOST_LEASES}::integer`);
  return rows;
}

async function readTime(db: Db): Promise<string> {
  const { rows } = await db.execute<{ now: string }>(sql`select now()::text as now`);
  return toIso(new Date(rows[0]?.now ?? Number.NaN));
}

const isoOrNull = (time: string | null | undefined): string | null =>
  time === null || time === undefined ? null : toIso(new Date(time));

function toJob({ name, path, everySeconds }: KnownJob, row: Row | undefined): Job {
  return {
    name,
    path,
    every_seconds: everySeconds,
    state: row === undefined ? 'never' : stateOf(row),
    late: isLate(everySeconds, row?.startedAgoSeconds ?? null),
    last_started_at: isoOrNull(row?.startedAt),
    last_finished_at: isoOrNull(row?.finishedAt),
    holder: row?.holder ?? null,
    leased_until: isoOrNull(row?.leasedUntil),
    slice: row?.slice ?? 0,
    last_fault: row?.fault ? { ...row.fault, at: toIso(new Date(row.fault.at)) } : null,
    last_overrun: row?.overrun ? { ...row.overrun, at: toIso(new Date(row.overrun.at)) } : null,
  };
}

/** `broken_off`: it began, and neither ended nor holds its lease any more; the next run takes its work up. */
function stateOf(row: Row): (typeof JOB_STATES)[number] {
  if (row.startedAgoSeconds === null) return 'never';
  if (row.holder !== null) return row.isHeld ? 'running' : 'broken_off';
  if (row.hasFinishedSince) return 'idle';
  return row.startedAgoSeconds <= LONGEST_RUN_SECONDS ? 'running' : 'broken_off';
}
