import { type SQL, sql } from 'drizzle-orm';
import { auditEntries } from '#drizzle/schema/access.ts';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { depositAccounts, projects } from '#drizzle/schema/sale.ts';
import { bulkRows } from '#lib/base/bulk.ts';
import { env } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { databaseBehind } from './events.ts';

/**
 * A fencing record in Redis tells a database that was restored from a backup from the one that paid last.
 * `signed:<account>` holds the hash of the newest transaction that this platform has signed for a payout of the account,
 * `settled:<account>` the audit entry of a payout of it that an operator has settled: only the database that did it knows
 * that id, not one in which the same is done again.
 */
type FencingRecord = Record<string, string>;

/** One for all accounts: a restored database may owe from one account what another has paid. */
export const guardKey = (networkId: number): string => `payouts:last-signed:${networkId}`;
const key = (): string => guardKey(env().XRPL_NETWORK_ID);

/** Something that Redis remembers and the database does not know. */
interface UnknownPayment {
  account: string;
  /** A transaction's hash, or the id of an audit entry. */
  remembered: string;
}

type GuardCheck =
  | { kind: 'up_to_date' }
  /** The database is older than what was paid. */
  | { kind: 'behind'; unknown: UnknownPayment }
  /** Redis does not answer, and that must not stop a sale. */
  | { kind: 'unavailable' };

async function findUnknown(ctx: Ctx, record: FencingRecord): Promise<UnknownPayment | null> {
  const noted = Object.entries(record).map(([field, value]) => ({ field, value: String(value) }));
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
async function readNewest(ctx: Ctx, account: string | null): Promise<FencingRecord> {
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
 * Checks whether Redis remembers something that the database does not know: then it has been restored from a backup, or
 * another one has taken its place, and what was paid since is unpaid in it (docs/operations.md, "Backup and restore").
 *
 * Only where the database knows all, what it has signed last for the account (for all of them where none is given) and
 * settled last is written to the record: so a database never overwrites what it does not know. Called between the commit
 * of what was signed and its submission; a write that fails is made good by the next check.
 */
export async function checkRestoreGuard(ctx: Ctx, account: string | null): Promise<GuardCheck> {
  let record: FencingRecord;
  try {
    record = (await ctx.redis.hgetall<FencingRecord>(key())) ?? {};
  } catch (err) {
    ctx.log.warn({ err }, 'the restore guard could not be read from Redis');
    return { kind: 'unavailable' };
  }
  const unknown = await findUnknown(ctx, record);
  if (unknown !== null) return { kind: 'behind', unknown };
  const newest = Object.entries(await readNewest(ctx, account)).filter(([field, value]) => record[field] !== value);
  try {
    if (newest.length > 0) await ctx.redis.hset(key(), Object.fromEntries(newest));
  } catch (err) {
    ctx.log.warn({ err }, 'the restore guard could not be written to Redis');
  }
  return { kind: 'up_to_date' };
}

/**
 * The scheduler's check of all accounts, once a minute: makes good what could not be written, even when nothing is due any
 * more, and raises the alert before anything is due when the database is behind.
 */
export async function watchRestoreGuard(ctx: Ctx): Promise<void> {
  const check = await checkRestoreGuard(ctx, null);
  if (check.kind !== 'behind') return;
  const alert = databaseBehind(check.unknown, ctx.clock.nowMs());
  await ctx.db.transaction((tx) => appendEvents(tx, [alert]));
}
