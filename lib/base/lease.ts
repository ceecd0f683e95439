import { sql } from 'drizzle-orm';
import { leases } from '#drizzle/schema/jobs.ts';
import type { Db } from './db.ts';

/**
 * Takes the lease `name` for `ttlSeconds` by the database's clock, in one statement. True when it was free, had run out
 * or was the holder's own already. A holder that is stopped for longer than the lease may find another at work: a lease
 * spares collisions, the unique indexes prevent harm.
 */
export async function acquireLease(db: Db, name: string, holder: string, ttlSeconds: number): Promise<boolean> {
  const taken = await db.execute(sql`
    insert into ${leases} as l (name, holder, leased_until, last_started_at)
    values (${name}, ${holder}, now() + make_interval(secs => ${ttlSeconds}), now())
    on conflict (name) do update
      set holder = excluded.holder, leased_until = excluded.leased_until, last_started_at = excluded.last_started_at
      where l.holder is null or l.leased_until is null or l.leased_until <= now() or l.holder = excluded.holder
    returning l.name`);
  return taken.rows.length === 1;
}

/** Extends the lease from now; false when the holder has lost it, and must stop. */
export async function renewLease(db: Db, name: string, holder: string, ttlSeconds: number): Promise<boolean> {
  const renewed = await db.execute(sql`
    update ${leases} set leased_until = now() + make_interval(secs => ${ttlSeconds})
    where name = ${name} and holder = ${holder} and leased_until > now()
    returning name`);
  return renewed.rows.length === 1;
}

/** Gives the lease back; does nothing when another holds it. */
export async function releaseLease(db: Db, name: string, holder: string): Promise<void> {
  await db.execute(sql`
    update ${leases} set holder = null, leased_until = null, last_finished_at = now()
    where name = ${name} and holder = ${holder}`);
}

/** Notes that the job `name`, which holds no lease, has begun. */
export async function noteStart(db: Db, name: string): Promise<void> {
  await db.execute(sql`
    insert into ${leases} (name, last_started_at) values (${name}, now())
    on conflict (name) do update set last_started_at = now()`);
}

/** Notes that the job `name`, which holds no lease, has ended. */
export async function noteEnd(db: Db, name: string): Promise<void> {
  await db.execute(sql`update ${leases} set last_finished_at = now() where name = ${name}`);
}

/** Notes what went wrong in the job `name` last; `fault` is redacted. */
export async function noteLastFault(db: Db, name: string, fault: string): Promise<void> {
  await db.execute(sql`
    insert into ${leases} (name, last_fault, last_fault_at) values (${name}, ${fault}, now())
    on conflict (name) do update set last_fault = excluded.last_fault, last_fault_at = excluded.last_fault_at`);
}

/**
 * Begins `name` unless it began less than `everySeconds` ago, in one statement; null when it did. Gives when it began, by the
 * database's clock: in milliseconds, and whole, as text.
 */
export async function startAtMostEvery(
  db: Db,
  name: string,
  everySeconds: number,
): Promise<{ startedAt: string; atMs: number } | null> {
  const { rows } = await db.execute<{ startedAt: string; atMs: number }>(sql`
    insert into ${leases} as l (name, last_started_at) values (${name}, now())
    on conflict (name) do update set last_started_at = now()
      where l.last_started_at is null
        or l.last_started_at <= now() - make_interval(secs => ${everySeconds}::integer)
    returning last_started_at::text as "startedAt",
      floor(extract(epoch from last_started_at) * 1000)::float8 as "atMs"`);
  return rows[0] ?? null;
}

/** Takes `name` for `seconds` where nobody has it, whoever asks, and numbers the times; null when it is taken. */
export async function takeNumbered(db: Db, name: string, seconds: number): Promise<number | null> {
  const taken = await db.execute<{ slice: number }>(sql`
    insert into ${leases} as l (name, slice, leased_until)
    values (${name}, 1, now() + make_interval(secs => ${seconds}::integer))
    on conflict (name) do update set slice = l.slice + 1, leased_until = excluded.leased_until
    where l.leased_until is null or l.leased_until < now()
    returning slice::integer as slice`);
  return taken.rows[0]?.slice ?? null;
}

/** Keeps `name` taken for `seconds` from now, whoever has it. */
export async function keepTaken(db: Db, name: string, seconds: number): Promise<void> {
  await db.execute(sql`
    insert into ${leases} as l (name, leased_until)
    values (${name}, now() + make_interval(secs => ${seconds}::integer))
    on conflict (name) do update set leased_until = excluded.leased_until`);
}

/** Lets anybody take `name` again. */
export async function endTaken(db: Db, name: string): Promise<void> {
  await db.execute(sql`update ${leases} set leased_until = null where name = ${name} and leased_until is not null`);
}

const POLL_MS = 50;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Runs `work` while holding the lease; waits up to `waitMs` for another holder to finish, then gives null. `work` gets
 * `stillMine`, which extends the lease: call it between steps, and stop when it says false.
 */
export async function withLease<T>(
  db: Db,
  { name, holder, ttlSeconds, waitMs }: { name: string; holder: string; ttlSeconds: number; waitMs: number },
  work: (stillMine: () => Promise<boolean>) => Promise<T>,
): Promise<{ done: T } | null> {
  const giveUpAtMs = performance.now() + waitMs;
  while (!(await acquireLease(db, name, holder, ttlSeconds))) {
    if (performance.now() >= giveUpAtMs) return null;
    await pause(POLL_MS);
  }
  try {
    return { done: await work(() => renewLease(db, name, holder, ttlSeconds)) };
  } finally {
    await releaseLease(db, name, holder);
  }
}
