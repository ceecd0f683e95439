import { type SQL, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';

/**
 * When a payout that could not be paid is looked at again: after a quarter of the time it has been due, at least 30
 * seconds, at most 30 minutes. Somebody who opens a trust line right away is served right away, and ten thousand who
 * never do cost a few requests a second. For an UPDATE of `payouts` aliased `p`.
 */
export const nextCheckAt = (): SQL =>
  sql`now() + least(greatest((now() - p.due_at) / 4, interval '30 seconds'), interval '30 minutes')`;

export const payoutsAsP = sql`${payouts} as p`;
