import { type SQL, sql } from 'drizzle-orm';
import { auditEntries } from '#drizzle/schema/access.ts';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { depositAccounts, projects } from '#drizzle/schema/sale.ts';
import { bulkRows } from '#lib/base/bulk.ts';
import { plannedOnce } from '#lib/base/db.ts';
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

/**
 * Of what Redis remembers, what this database does not know (null: it knows all); and what it has signed last for an account,
 * or for each of them, and settled last of all. One statement: it stands between signing and submitting.
 */
async function compare(
  ctx: Ctx,
  record: FencingRecord,
  account: string | null,
): Promise<{ unknown: UnknownPayment | null; newest: FencingRecord }> {
  const noted = Object.entries(record).map(([field, value]) => ({ field, value: String(value) }));
  const paying: SQL =
    account === null
      ? sql`(select address as account from ${depositAccounts} union select distributor from ${projects})`
      : sql`(values (${account}::text))`;
  const { rows } = await ctx.db.execute<{ isUnknown: boolean; field: string; value: string }>(sql`${plannedOnce}
    select true as "isUnknown", noted.field, noted.value
    from ${bulkRows('noted', { field: 'text', value: 'text' }, noted)}
    where not exists (select from ${payoutAttempts} where tx_hash = noted.value)
      and not exists (select from ${auditEntries} where id = noted.value)
    union all
    select false, 'signed:' || paying.account, newest.tx_hash
    from ${paying} as paying(account) cross join lateral (
      select a.tx_hash from ${payoutAttempts} as a
      where a.account = paying.account and a.status in ('open', 'validated')
      order by a.created_at desc, a.tx_hash desc limit 1) as newest
    union all
    select false, 'settled:' || p.account, newest.id
    from (select e.id, e.subject from ${auditEntries} as e where e.action = 'payout.settle'
      order by e.created_at desc limit 1) as newest
    join ${payouts} as p on p.id = newest.subject
    order by 1, 2`);
  const [unknown] = rows.filter(({ isUnknown }) => isUnknown);
  const newest = rows.filter(({ isUnknown }) => !isUnknown).map(({ field, value }) => [field, value]);
  return {
    unknown: unknown === undefined ? null : { account: unknown.field.split(':')[1] ?? '', remembered: unknown.value },
    newest: Object.fromEntries(newest),
  };
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
  const { unknown, newest } = await compare(ctx, record, account);
  if (unknown !== null) return { kind: 'behind', unknown };
  const changed = Object.entries(newest).filter(([field, value]) => record[field] !== value);
  try {
    if (changed.length > 0) await ctx.redis.hset(key(), Object.fromEntries(changed));
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
