import { and, inArray, type SQL, sql } from 'drizzle-orm';
import { webhooks } from '#drizzle/schema/events.ts';
import type { Db } from '#lib/base/db.ts';
import { rotationIsOver } from './in-force.ts';

/** What a commit writes, in one statement: the next secret is the only one, and no rotation is under way. */
export const COMMITTED = {
  sealedSecret: sql`${webhooks.nextSealedSecret}`,
  nextSealedSecret: null,
  rotatedAt: null,
};

/**
 * Writes down the rotations whose time is over, of all webhooks or of those that `which` selects; gives how many. Signing
 * does not wait for it: who signs reads the clock as well. So the clock decides, not when the transaction began: it may have
 * waited for a lock since.
 */
export async function commitDueRotations(db: Db, which?: SQL): Promise<number> {
  const due = db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(and(rotationIsOver('webhooks', sql`clock_timestamp()`), which))
    .orderBy(webhooks.id)
    .for('no key update');
  const committed = await db
    .update(webhooks)
    .set(COMMITTED)
    .where(inArray(webhooks.id, due))
    .returning({ id: webhooks.id });
  return committed.length;
}
