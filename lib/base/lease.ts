import { sql } from 'drizzle-orm';
import { leases } from '#drizzle/schema/jobs.ts';
import { type Db, plannedOnce } from './db.ts';

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
  const renewed = await db.execute(sql`${plannedOnce}
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
