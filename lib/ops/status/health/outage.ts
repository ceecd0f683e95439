import { z } from 'zod';
import type { Ctx } from '#lib/ctx.ts';
import { LOOK_EVERY_SECONDS } from './claim-look.ts';

/** A time in which the database did not answer. */
export interface Outage {
  since: Date;
  until: Date;
  /** More than one look failed: it is told. */
  isNews: boolean;
}

const BEGAN_KEY = 'database-outage:began';
const SEEN_KEY = 'database-outage:seen';
const KEPT_SECONDS = 7 * 86_400;
const kept = z.tuple([z.number(), z.number()]);

/**
 * Remembers that the database does not answer, in the cache, since the database cannot. Never throws: without the cache
 * the outage is told by the status alone.
 */
export async function noteOutage({ redis, clock, log }: Ctx): Promise<void> {
  const nowMs = clock.nowMs();
  try {
    await redis
      .pipeline()
      .set(BEGAN_KEY, nowMs, { nx: true, ex: KEPT_SECONDS })
      .set(SEEN_KEY, nowMs, { ex: KEPT_SECONDS })
      .exec();
  } catch (err) {
    log.warn({ err }, 'that the database is away could not be noted');
  }
}

/** The outage that was noted, ending now; null when there was none, or when the cache does not tell. */
export async function readOutage({ redis, clock, log }: Ctx): Promise<Outage | null> {
  try {
    const noted = kept.safeParse(await redis.mget<unknown[]>(BEGAN_KEY, SEEN_KEY));
    if (!noted.success) return null;
    const [beganMs, seenMs] = noted.data;
    const isNews = seenMs - beganMs >= LOOK_EVERY_SECONDS * 1000;
    return { since: new Date(beganMs), until: new Date(clock.nowMs()), isNews };
  } catch (err) {
    log.warn({ err }, 'whether the database was away could not be read');
    return null;
  }
}

/** Once it is announced, or was too short for that. Never throws: what is announced again is the same event. */
export async function forgetOutage({ redis, log }: Ctx): Promise<void> {
  try {
    await redis.del(BEGAN_KEY, SEEN_KEY);
  } catch (err) {
    log.warn({ err }, 'that the database was away could not be forgotten');
  }
}
