import { sql } from 'drizzle-orm';
import { jobRuns, jobSchedules, leases } from '#drizzle/schema/jobs.ts';
import { bulkRows } from './bulk.ts';
import { type Db, plannedOnce } from './db.ts';

/** A job that a call is to begin now. */
export interface ExpectedJob {
  name: string;
  /** Begun no more often than this by all calls; null for each time it is asked for. */
  everySeconds: number | null;
  /** How long its lease lasts without being renewed; null without one. */
  leaseSeconds: number | null;
}

const seconds = (value: ReturnType<typeof sql>) => sql`make_interval(secs => ${value})`;
const isFree = sql`(l.holder is null or l.leased_until is null or l.leased_until <= now())`;

/**
 * Begins all of `wanted` that are due and whose lease is free, in one statement: takes their leases, sets their next time
 * and notes the start of their run. Gives the number of the slice of each that was begun.
 *
 * Every statement here locks leases before runs, and both by name: none can be part of a deadlock.
 */
export async function beginJobs(db: Db, run: string, wanted: readonly ExpectedJob[]): Promise<Map<string, number>> {
  const { rows } = await db.execute<{ name: string; slice: number }>(sql`
    with wanted as (
      select * from ${bulkRows('w', { name: 'text', everySeconds: 'integer', leaseSeconds: 'integer' }, wanted)}
    ),
    due as (
      insert into ${jobSchedules} as s (name, due_at)
      select name, now() + ${seconds(sql`"everySeconds"`)} from wanted where "everySeconds" is not null
        -- A job that another worker has keeps its turn.
        and not exists (select from ${leases} as l where l.name = wanted.name and not ${isFree}) order by name
      on conflict (name) do update set due_at = excluded.due_at where s.due_at is null or s.due_at <= now()
      returning name
    ),
    asked as (select * from wanted where "everySeconds" is null or name in (select name from due)),
    leased as (
      insert into ${leases} as l (name, holder, leased_until, last_started_at)
      select name, ${run}, now() + ${seconds(sql`"leaseSeconds"`)}, now() from asked
      where "leaseSeconds" is not null order by name
      on conflict (name) do update
        set holder = excluded.holder, leased_until = excluded.leased_until, last_started_at = excluded.last_started_at where ${isFree}
      returning name
    )
    insert into ${jobRuns} as r (name, run, slice, started_at)
    select name, ${run}, 1, now() from asked where "leaseSeconds" is null or name in (select name from leased) order by name
    on conflict (name) do update set run = excluded.run, slice = r.slice + 1, started_at = excluded.started_at
    returning name, slice::integer as slice`);
  return new Map(rows.map(({ name, slice }) => [name, slice]));
}

/** One run of a job, and the slice that it has come to. */
export interface RunSlice {
  name: string;
  run: string;
  slice: number;
}

/**
 * Goes on with a run after its slice `slice`, once however often it is asked for; false when that slice is not its newest,
 * or when another run has the lease. The run's next slice is one more.
 */
export async function beginNextSlice(db: Db, { name, run, slice }: RunSlice, leaseSeconds: number): Promise<boolean> {
  const { rows } = await db.execute(sql`
    with leased as (
      insert into ${leases} as l (name, holder, leased_until, last_started_at)
      select name, run, now() + make_interval(secs => ${leaseSeconds}::integer), now() from ${jobRuns}
      where name = ${name} and run = ${run} and slice = ${slice}
      on conflict (name) do update
        set holder = excluded.holder, leased_until = excluded.leased_until, last_started_at = excluded.last_started_at
        where ${isFree} or l.holder = excluded.holder
      returning name
    )
    update ${jobRuns} set slice = slice + 1, started_at = now()
    where name in (select name from leased) and run = ${run} and slice = ${slice}
    returning name`);
  return rows.length === 1;
}

/** Undoes `beginNextSlice`, so that the message of a slice that failed can bring it again. */
export async function returnSlice(db: Db, { name, run, slice }: RunSlice): Promise<void> {
  await db.execute(sql`
    update ${jobRuns} set slice = slice - 1 where name = ${name} and run = ${run} and slice = ${slice} + 1`);
}

/** What is noted of a job whose slice has ended. */
export interface EndedJob {
  name: string;
  /** Its number: a later slice of the run may have begun meanwhile. */
  slice: number;
  /** The run goes on in a later slice and keeps its lease. */
  goesOn: boolean;
  /** What went wrong, redacted. */
  fault: string | null;
  /** How long it took, where that was too long. */
  overranMs: number | null;
}

/**
 * Notes how slices ended and gives their leases back, in one statement. Of a slice that is not its job's newest any more only
 * the fault and the overrun are noted.
 */
export async function endJobs(db: Db, run: string, ended: readonly EndedJob[]): Promise<void> {
  const columns = { name: 'text', slice: 'integer', goesOn: 'boolean', fault: 'text', overranMs: 'bigint' } as const;
  await db.execute(sql`
    with ended as (select * from ${bulkRows('e', columns, ended)}),
    held as materialized (
      select name from ${leases} where holder = ${run} and name in (select name from ended where not "goesOn")
      order by name for no key update
    ),
    -- Counting them first: leases are locked before runs.
    slices as materialized (
      select name, fault, "overranMs", r.run = ${run} and r.slice = ended.slice and not "goesOn" as "endsRun"
      from ${jobRuns} as r join ended using (name) where (select count(*) from held) >= 0
      order by name for no key update of r
    ),
    released as (
      update ${leases} as l set holder = null, leased_until = null, last_finished_at = now()
      from held join slices using (name) where l.name = held.name and "endsRun"
    )
    update ${jobRuns} as r
    set finished_at = case when "endsRun" then now() else finished_at end,
      last_fault = coalesce(fault, last_fault), last_fault_at = case when fault is null then last_fault_at else now() end,
      overran_ms = coalesce("overranMs", overran_ms), overran_at = case when "overranMs" is null then overran_at else now() end
    from slices where r.name = slices.name`);
}

/** Of the runs of a job that has several at once, each has rows of its own: they go a week after the run's end. */
export async function pruneRuns(db: Db): Promise<void> {
  await db.execute(sql`
    with gone as (
      delete from ${leases} where name like '%:%' and holder is null and last_finished_at < now() - interval '7 days'
        and exists (select from ${jobRuns} as r where r.name = ${leases}.name)
      returning name
    )
    delete from ${jobRuns} where name in (select name from gone)`);
}

/** Extends leases of one holder from now, each by its own time; gives the names of those that it still has. */
export async function renewLeases(
  db: Db,
  holder: string,
  held: readonly Pick<ExpectedJob, 'name' | 'leaseSeconds'>[],
): Promise<Set<string>> {
  const { rows } = await db.execute<{ name: string }>(sql`
    with held as (select * from ${bulkRows('h', { name: 'text', leaseSeconds: 'integer' }, held)}),
    mine as materialized (
      select name from ${leases} where holder = ${holder} and leased_until > now() and name in (select name from held)
      order by name for no key update
    )
    update ${leases} as l set leased_until = now() + ${seconds(sql`"leaseSeconds"`)}
    from held join mine using (name) where l.name = mine.name
    returning l.name`);
  return new Set(rows.map(({ name }) => name));
}

/** Notes what went wrong last in a job; `fault` is redacted. */
export async function recordLastFault(db: Db, name: string, fault: string): Promise<void> {
  await db.execute(sql`
    insert into ${jobRuns} (name, last_fault, last_fault_at) values (${name}, ${fault}, now())
    on conflict (name) do update set last_fault = excluded.last_fault, last_fault_at = excluded.last_fault_at`);
}

/** A turn that was taken: `at` by the database's clock, and what tells it from a later one. */
export interface Turn {
  at: Date;
  until: string;
}

/** Takes the turn of `name` unless it was taken less than `everySeconds` ago, in one statement; null when it was. */
export async function takeTurn(db: Db, name: string, everySeconds: number): Promise<Turn | null> {
  const { rows } = await db.execute<{ until: string; atMs: number }>(sql`
    insert into ${jobSchedules} as s (name, due_at)
    values (${name}, now() + make_interval(secs => ${everySeconds}::integer))
    on conflict (name) do update set due_at = excluded.due_at where s.due_at is null or s.due_at <= now()
    returning due_at::text as until, floor(extract(epoch from now()) * 1000)::float8 as "atMs"`);
  const row = rows[0];
  return row === undefined ? null : { at: new Date(row.atMs), until: row.until };
}

/** The number of the time of `seconds` that begins next by the database's clock, which all instances share. */
export async function nextBucket(db: Db, seconds: number): Promise<number> {
  const { rows } = await db.execute<{ bucket: number }>(sql`
    select floor(extract(epoch from clock_timestamp()) / ${seconds}::integer)::float8 + 1 as bucket`);
  return rows[0]?.bucket ?? 0;
}

/**
 * Takes the wake of `name` for `seconds` unless it is taken, and numbers the wakes; null when it is taken. Then it only reads: a
 * statement that locks the row has a commit that waits for the disk, and every event asks for a wake.
 */
export async function takeWake(db: Db, name: string, seconds: number): Promise<number | null> {
  const { rows } = await db.execute<{ wakes: number }>(sql`${plannedOnce}
    insert into ${jobSchedules} as s (name, wakes, woken_until)
    select ${name}, 1, now() + make_interval(secs => ${seconds}::integer)
    where not exists (select from ${jobSchedules} where name = ${name} and woken_until >= now())
    on conflict (name) do update set wakes = s.wakes + 1, woken_until = excluded.woken_until
    where s.woken_until is null or s.woken_until < now()
    returning wakes::integer as wakes`);
  return rows[0]?.wakes ?? null;
}

/** Holds wakes of `name` back for `seconds` from now. */
export async function holdWakes(db: Db, name: string, seconds: number): Promise<void> {
  await db.execute(sql`
    insert into ${jobSchedules} (name, woken_until) values (${name}, now() + make_interval(secs => ${seconds}::integer))
    on conflict (name) do update set woken_until = excluded.woken_until`);
}

/** Lets wakes of `name` through again. */
export async function letWakesThrough(db: Db, name: string): Promise<void> {
  await db.execute(sql`update ${jobSchedules} set woken_until = null where name = ${name} and woken_until is not null`);
}
