import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { healthStates } from '#drizzle/schema/health.ts';
import { jobSchedules } from '#drizzle/schema/jobs.ts';
import { toIso } from '#lib/base/clock.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { type Turn, takeTurn } from '#lib/base/job-rows.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import type { EventData } from '#lib/events/catalogue.ts';
import type { NewEvent } from '#lib/events/envelope.ts';
import { HEALTH_RANK, type HealthStatus, PARTS, type Part } from './causes.ts';
import { readStatus } from './get-status.ts';
import { type PartHealth, partHealth } from './judge.ts';

/** However many instances run, all parts are looked at no more often than this. */
const LOOK_EVERY_SECONDS = 30;
const HEALTH = 'health';

/** Begins a look at all parts; null when the last one, of any instance, began a moment ago. */
export const claimLook = (db: Db): Promise<Turn | null> => takeTurn(db, HEALTH, LOOK_EVERY_SECONDS);

/** True while no later look has begun, and until the transaction ends none begins: what an old look saw is no news. */
async function isNewestLook(tx: Tx, { until }: Turn): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select from ${jobSchedules} where name = ${HEALTH} and due_at = ${until}::timestamptz for update`);
  return rows.length === 1;
}

/** A time in which the database did not answer. */
interface Outage {
  since: Date;
  until: Date;
  /** More than one look failed: it is told. */
  isNews: boolean;
}

const BEGAN_KEY = 'database-outage:began';
const SEEN_KEY = 'database-outage:seen';
const KEPT_SECONDS = 7 * 86_400;
const kept = z.tuple([z.number(), z.number()]);

/** The note of an outage is in the cache, since the database cannot hold it. Without the cache it is told by the status alone. */
async function withNote<T>({ log }: Ctx, isNot: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (err) {
    log.warn({ err }, isNot);
    return null;
  }
}

/** Notes that the database does not answer. Never throws. */
const recordOutage = (ctx: Ctx): Promise<unknown> =>
  withNote(ctx, 'the database outage could not be recorded', () => {
    const nowMs = ctx.clock.nowMs();
    const began = ctx.redis.pipeline().set(BEGAN_KEY, nowMs, { nx: true, ex: KEPT_SECONDS });
    return began.set(SEEN_KEY, nowMs, { ex: KEPT_SECONDS }).exec();
  });

/** The outage that was noted, ending now; null when there was none, or when the cache does not tell. */
const readOutage = (ctx: Ctx): Promise<Outage | null> =>
  withNote(ctx, 'the recorded database outage could not be read', async () => {
    const noted = kept.safeParse(await ctx.redis.mget<unknown[]>(BEGAN_KEY, SEEN_KEY));
    if (!noted.success) return null;
    const [beganMs, seenMs] = noted.data;
    const isNews = seenMs - beganMs >= LOOK_EVERY_SECONDS * 1000;
    return { since: new Date(beganMs), until: new Date(ctx.clock.nowMs()), isNews };
  });

/** Once it is announced, or was too short for that. Never throws: what is announced again is the same event. */
const clearOutage = (ctx: Ctx): Promise<unknown> =>
  withNote(ctx, 'the recorded database outage could not be cleared', () => ctx.redis.del(BEGAN_KEY, SEEN_KEY));

/** What is known of a part. */
export interface PartState {
  /** As it was announced last. */
  status: HealthStatus;
  since: Date;
  /** When a look first found it worse; null while the last look did not. */
  suspectedSince: Date | null;
}

/**
 * What a look makes of a part. Worse is believed when two looks in a row find it so, better at once: what fails for a
 * moment tells nobody, and what works again is told without delay. A changed `status` is to be announced. Pure.
 */
export function nextState(known: PartState, seen: HealthStatus, at: Date): PartState {
  if (seen === known.status) return { ...known, suspectedSince: null };
  if (HEALTH_RANK[seen] < HEALTH_RANK[known.status]) return { status: seen, since: at, suspectedSince: null };
  if (known.suspectedSince === null) return { ...known, suspectedSince: at };
  return { status: seen, since: known.suspectedSince, suspectedSince: null };
}

type NetworkStatus = EventData['system.network_status'];

/** The same change of the same part is one event, however often it is reported; `began` tells it from earlier ones. */
const networkStatusEvent = (data: NetworkStatus, began = data.since): NewEvent<'system.network_status'> => ({
  type: 'system.network_status',
  subject: `${data.part}:${data.status}:${began}`,
  projectId: null,
  occurredAt: new Date(data.since),
  data,
});

/** A database that was away could not tell so: both changes are told once it is back. */
function outageEvents({ since, until, isNews }: Outage): NewEvent[] {
  if (!isNews) return [];
  const began = toIso(since);
  const ended = toIso(until);
  const detail = `The database did not answer from ${began} to ${ended}. All is well again.`;
  return [
    networkStatusEvent({ part: 'database', status: 'down', previous: 'operational', since: began, detail }),
    networkStatusEvent({ part: 'database', status: 'operational', previous: 'down', since: ended, detail }, began),
  ];
}

/**
 * Writes what a look saw, and a `system.network_status` for each part that changed, in one transaction; gives how many
 * events that were. Does nothing when a later look has begun: of any number of instances one announces a change.
 */
export async function announce(
  { db }: Pick<Ctx, 'db'>,
  look: Turn,
  seen: Record<Part, PartHealth>,
  outage: Outage | null,
): Promise<number> {
  return db.transaction(async (tx) => {
    if (!(await isNewestLook(tx, look))) return 0;
    const rows = new Map((await tx.select().from(healthStates)).map((row) => [row.part, row]));
    const judged = PARTS.map((part) => {
      // A new deployment is taken to be well until it is seen otherwise.
      const known: PartState = rows.get(part) ?? { status: 'operational', since: look.at, suspectedSince: null };
      return { part, known, next: nextState(known, seen[part].status, look.at) };
    });
    await tx
      .insert(healthStates)
      .values(judged.map(({ part, next }) => ({ part, ...next })))
      .onConflictDoUpdate({
        target: healthStates.part,
        set: {
          status: sql`excluded.status`,
          since: sql`excluded.since`,
          suspectedSince: sql`excluded.suspected_since`,
        },
      });
    const changes = judged.filter(({ known, next }) => known.status !== next.status);
    return appendEvents(tx, [
      ...(outage === null ? [] : outageEvents(outage)),
      ...changes.map(({ part, known, next }) =>
        networkStatusEvent({
          part,
          status: next.status,
          previous: known.status,
          since: toIso(next.since),
          detail: seen[part].detail,
        }),
      ),
    ]);
  });
}

/**
 * Looks at every part, at most once in half a minute over all instances, and announces what has changed as
 * `system.network_status`; gives how many events that were. Throws when the database does not answer, and then its outage is
 * announced after it.
 */
export async function watchHealth(ctx: Ctx): Promise<number> {
  const look = await claim(ctx);
  if (look === null) return 0;
  const { causes } = await readStatus(ctx);
  if (causes.includes('database_down')) {
    await recordOutage(ctx);
    return 0;
  }
  const outage = await readOutage(ctx);
  const announced = await announce(ctx, look, partHealth(causes), outage);
  if (outage !== null) await clearOutage(ctx);
  return announced;
}

async function claim(ctx: Ctx): Promise<Turn | null> {
  try {
    return await claimLook(ctx.db);
  } catch (failure) {
    await recordOutage(ctx);
    throw failure;
  }
}
