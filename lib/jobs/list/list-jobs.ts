import { inArray, isNotNull, or, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { leases } from '#drizzle/schema/jobs.ts';
import { toIso, toIsoOrNull } from '#lib/base/clock.ts';
import type { Db } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';
import { isLate, KNOWN_JOBS, type KnownJob } from '#lib/ops/status/schedule/known-jobs.ts';
import type { Job, listJobsContract } from './contracts.ts';
import { jobState } from './job-state.ts';

const MOST_LEASES = 200;
const FAULT_SHOWN_DAYS = 7;

/** Every kind of background work, run or not, and the leases of single accounts and runs that matter now. */
export async function listJobs(ctx: Ctx): Promise<z.output<(typeof listJobsContract)['responses'][200]>> {
  const names = KNOWN_JOBS.map(({ name }) => name);
  const [rows, time] = await Promise.all([readRows(ctx.db, names), readTime(ctx.db)]);
  const byName = new Map(rows.map((row) => [row.name, row]));
  return {
    time,
    jobs: KNOWN_JOBS.map((known) => toJob(known, byName.get(known.name))),
    leases: rows
      .filter(({ name }) => !names.includes(name))
      .map((row) => toJob({ name: row.name, path: null, everySeconds: null }, row)),
  };
}

type Row = Awaited<ReturnType<typeof readRows>>[number];

const readRows = (db: Db, names: string[]) =>
  db
    .select({
      name: leases.name,
      holder: leases.holder,
      leasedUntil: leases.leasedUntil,
      slice: leases.slice,
      startedAt: leases.lastStartedAt,
      finishedAt: leases.lastFinishedAt,
      isHeld: sql<boolean>`coalesce(${leases.leasedUntil} > now(), false)`,
      startedAgoSeconds: sql<number | null>`extract(epoch from now() - ${leases.lastStartedAt})::float8`,
      hasFinishedSince: sql<boolean>`coalesce(${leases.lastFinishedAt} >= ${leases.lastStartedAt}, false)`,
      lastFault: leases.lastFault,
      lastFaultAt: leases.lastFaultAt,
      isFaultShown: sql<boolean>`coalesce(
        ${leases.lastFaultAt} > now() - make_interval(days => ${FAULT_SHOWN_DAYS}::integer), false)`,
    })
    .from(leases)
    .where(
      or(
        inArray(leases.name, names),
        isNotNull(leases.holder),
        sql`${leases.lastFinishedAt} > now() - interval '1 day'`,
      ),
    )
    .orderBy(
      sql`${leases.name} = any(${sql.param(names)}::text[]) desc`,
      sql`${leases.lastStartedAt} desc nulls last`,
      leases.name,
    )
    .limit(names.length + MOST_LEASES);

async function readTime(db: Db): Promise<string> {
  const { rows } = await db.execute<{ now: string }>(sql`select now()::text as now`);
  return toIso(new Date(rows[0]?.now ?? Number.NaN));
}

function lastFault(row: Row | undefined): Job['last_fault'] {
  if (row === undefined || !row.isFaultShown || row.lastFault === null || row.lastFaultAt === null) return null;
  return { at: toIso(row.lastFaultAt), what: row.lastFault };
}

function toJob({ name, path, everySeconds }: KnownJob, row: Row | undefined): Job {
  return {
    name,
    path,
    every_seconds: everySeconds,
    state: row === undefined ? 'never' : jobState(row),
    late: isLate(everySeconds, row?.startedAgoSeconds ?? null),
    last_started_at: toIsoOrNull(row?.startedAt ?? null),
    last_finished_at: toIsoOrNull(row?.finishedAt ?? null),
    holder: row?.holder ?? null,
    leased_until: toIsoOrNull(row?.leasedUntil ?? null),
    slice: row?.slice ?? 0,
    last_fault: lastFault(row),
  };
}
