import { type SQL, sql } from 'drizzle-orm';
import { auditEntries } from '#drizzle/schema/access.ts';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { depositAccounts, projects } from '#drizzle/schema/sale.ts';
import { bulkRows } from '#lib/base/bulk.ts';
import { env } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { databaseBehind } from './alerts.ts';

/**
 * What Redis remembers, so that a database restored from a backup is told from the one that paid last. `signed:<account>`
 * holds the hash of the newest transaction that this platform has signed for a payout of the account, `settled:<account>`
 * the audit entry of a payout of it that an operator has settled: only the database that did it knows that id, not one in which
 * the same is done again.
 */
type Notes = Record<string, string>;

/** One for all accounts: what one has paid may be owed by another, to whom the database does not know that it was paid. */
const key = (): string => `payouts:last-signed:${env().XRPL_NETWORK_ID}`;

/** Something that Redis remembers and the database does not know. */
export interface UnknownNote {
  account: string;
  /** A transaction's hash, or the id of an audit entry. */
  remembered: string;
}

/** What a look at the notes finds. */
export type Look =
  | { kind: 'knows_all' }
  /** The database is older than what was paid. */
  | { kind: 'behind'; unknown: UnknownNote }
  /** The cache says nothing, and it must not stop a sale. */
  | { kind: 'no_answer' };

async function findUnknown(ctx: Ctx, notes: Notes): Promise<UnknownNote | null> {
  const noted = Object.entries(notes).map(([field, value]) => ({ field, value: String(value) }));
  if (noted.length === 0) return null;
  const { rows } = await ctx.db.execute<{ account: string; remembered: string }>(sql`
    select split_part(noted.field, ':', 2) as account, noted.value as remembered
    from ${bulkRows('noted', { field: 'text', value: 'text' }, noted)}
    where not exists (select from ${payoutAttempts} where tx_hash = noted.value)
      and not exists (select from ${auditEntries} where id = noted.value)
    order by noted.field limit 1`);
  return rows[0] ?? null;
}

/** What this database has signed last for an account, or for each of them, and settled last of all. */
async function readNewest(ctx: Ctx, account: string | null): Promise<Notes> {
  const paying: SQL =
    account === null
      ? sql`(select address as account from ${depositAccounts} union select distributor from ${projects})`
      : sql`(values (${account}::text))`;
  const { rows } = await ctx.db.execute<{ field: string; value: string }>(sql`
    select 'signed:' || paying.account as field, newest.tx_hash as value
    from ${paying} as paying(account) cross join lateral (
      select a.tx_hash from ${payoutAttempts} as a
      where a.account = paying.account and a.status in ('open', 'validated')
      order by a.created_at desc, a.tx_hash desc limit 1) as newest
    union all
    select 'settled:' || p.account, newest.id
    from (select e.id, e.subject from ${auditEntries} as e where e.action = 'payout.settle'
      order by e.created_at desc limit 1) as newest
    join ${payouts} as p on p.id = newest.subject`);
  return Object.fromEntries(rows.map(({ field, value }) => [field, value]));
}

/**
 * Looks whether Redis remembers something that the database does not know: then it has been restored from a backup, or another
 * one has taken its place, and it takes for owed what was paid since (docs/operations.md, "Backup and restore").
 *
 * Only where it knows all, what it has signed last for the account (for all of them where none is given) and settled last is
 * noted: so nothing that Redis remembers is ever overwritten by a database to which it is news. Called between the commit of
 * what was signed and its submission; what could not be noted then is made good by the next look.
 */
export async function lookAtNotes(ctx: Ctx, account: string | null): Promise<Look> {
  let notes: Notes;
  try {
    notes = (await ctx.redis.hgetall<Notes>(key())) ?? {};
  } catch (err) {
    ctx.log.warn({ err }, 'what was signed last could not be read');
    return { kind: 'no_answer' };
  }
  const unknown = await findUnknown(ctx, notes);
  if (unknown !== null) return { kind: 'behind', unknown };
  const newest = Object.entries(await readNewest(ctx, account)).filter(([field, value]) => notes[field] !== value);
  try {
    if (newest.length > 0) await ctx.redis.hset(key(), Object.fromEntries(newest));
  } catch (err) {
    ctx.log.warn({ err }, 'what was signed last could not be noted');
  }
  return { kind: 'knows_all' };
}

/**
 * The scheduler's look at all accounts, once a minute: makes good what could not be noted, though nothing is due any more, and
 * says that the database is behind before anything is due.
 */
export async function watchNotes(ctx: Ctx): Promise<void> {
  const look = await lookAtNotes(ctx, null);
  if (look.kind !== 'behind') return;
  const alert = databaseBehind(look.unknown, ctx.clock.nowMs());
  await ctx.db.transaction((tx) => appendEvents(tx, [alert]));
}
