import { type SQL, sql } from 'drizzle-orm';
import { webhooks } from '#drizzle/schema/events.ts';

/** A rotation that nobody commits commits itself after this long (docs/webhooks.md#rotate-the-secret). */
export const ROTATION_HOURS = 24;

const column = (table: string, name: string): SQL => sql`${sql.identifier(table)}.${sql.identifier(name)}`;
const since = (table: string): SQL => column(table, 'rotated_at');
const bound = (at: SQL): SQL => sql`${at} - make_interval(hours => ${sql.raw(String(ROTATION_HOURS))})`;

/** True once the time of a rotation is over, whether or not that was written down (database clock); null without one. */
export const rotationIsOver = (table = 'webhooks', at: SQL = sql`now()`): SQL => sql`${since(table)} <= ${bound(at)}`;

/** When the rotation under way began; null without one. */
export const rotationStart = (table = 'webhooks') =>
  sql<Date | null>`case when not ${rotationIsOver(table)} then ${since(table)} end`.mapWith(webhooks.rotatedAt);

/** The sealed secret in force: the old one for as long as a rotation is under way. */
export const sealedSecretInForce = (table = 'webhooks') =>
  sql<string>`case when ${rotationIsOver(table)} then ${column(table, 'next_sealed_secret')} else ${column(table, 'sealed_secret')} end`;

/** The sealed secret that signs beside it while a rotation is under way, else null. */
export const nextSealedSecret = (table = 'webhooks') =>
  sql<string | null>`case when not ${rotationIsOver(table)} then ${column(table, 'next_sealed_secret')} end`;
