import { and, inArray, type SQL, sql } from 'drizzle-orm';
import { webhooks } from '#drizzle/schema/events.ts';
import type { Db } from '#lib/base/db.ts';
import type { RandomBytes } from '#lib/base/ids.ts';

const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';

/** A new signing secret, `whsec_` and base64 of 32 random bytes. Shown once. */
export const newSecret = (random: RandomBytes): string =>
  SECRET_PREFIX + Buffer.from(random(SECRET_BYTES)).toString('base64');

/** The key of the Standard Webhooks signature: the decoded part after `whsec_`. */
export const standardKey = (secret: string): Buffer => Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');

/** A rotation that nobody commits commits itself after this long (docs/webhooks.md#rotate-the-secret). */
export const ROTATION_HOURS = 24;

const column = (table: string, name: string): SQL => sql`${sql.identifier(table)}.${sql.identifier(name)}`;
const since = (table: string): SQL => column(table, 'rotated_at');
const bound = (at: SQL): SQL => sql`${at} - make_interval(hours => ${sql.raw(String(ROTATION_HOURS))})`;

/** True once the time of a rotation is over, whether or not that was written down (database clock); null without one. */
const rotationIsOver = (table = 'webhooks', at: SQL = sql`now()`): SQL => sql`${since(table)} <= ${bound(at)}`;

/** When the rotation under way began; null without one. */
export const rotationStart = (table = 'webhooks') =>
  sql<Date | null>`case when not ${rotationIsOver(table)} then ${since(table)} end`.mapWith(webhooks.rotatedAt);

/** The sealed secret in force: the old one for as long as a rotation is under way. */
export const sealedSecretInForce = (table = 'webhooks') =>
  sql<string>`case when ${rotationIsOver(table)} then ${column(table, 'next_sealed_secret')} else ${column(table, 'sealed_secret')} end`;

/** The sealed secret that signs beside it while a rotation is under way, else null. */
export const nextSealedSecret = (table = 'webhooks') =>
  sql<string | null>`case when not ${rotationIsOver(table)} then ${column(table, 'next_sealed_secret')} end`;

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
