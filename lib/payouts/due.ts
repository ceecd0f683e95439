import { type SQL, sql } from 'drizzle-orm';
import { payoutAttempts, payouts, ticketRequests } from '#drizzle/schema/payouts.ts';
import { projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { isDueNow, isOwed, latest } from './load.ts';

/**
 * The accounts with unpaid payouts, one probe of the index each: it begins with the account, and asking account by
 * account is what lets it skip the parts that are due later, however many there are.
 */
const payers = sql`recursive payer(account) as (
    (select account from ${payouts} where status in ('scheduled', 'waiting_holder', 'ready') order by account limit 1)
    union all
    select (select next.account from ${payouts} as next
      where next.status in ('scheduled', 'waiting_holder', 'ready') and next.account > payer.account
      order by next.account limit 1)
    from payer where payer.account is not null)`;

const owedBy = (columns: SQL, condition: SQL): SQL => sql`select ${columns} from ${payouts}
  left join ${projects} on ${projects.id} = ${payouts.projectId}
  where ${payouts.account} = payer.account and ${isOwed()} and ${condition}`;

/** Accounts with a payout for which `condition` holds. */
const payersWith = (condition: SQL): SQL => sql`select payer.account from payer
  cross join lateral (${owedBy(sql`true`, condition)} limit 1) as owed where payer.account is not null`;

const isUnderWay = sql`(exists (select from ${payoutAttempts} where ${payoutAttempts.status} = 'open')
  or exists (select from ${ticketRequests} where ${ticketRequests.status} = 'open'))`;

/** Accounts with something to pay or to settle. */
export async function loadAccounts(db: Db, ledgerTime: Date): Promise<string[]> {
  const result = await db.execute<{ account: string }>(sql`
    with ${payers}
    ${payersWith(isDueNow(ledgerTime))}
    union select account from ${payoutAttempts} where status = 'open'
    union select account from ${ticketRequests} where status = 'open'
    order by account`);
  return result.rows.map((row) => row.account);
}

/** True when a payment is under way, or a payout is to be looked at within so many seconds. */
export async function isPayoutDueWithin(db: Db, seconds: number): Promise<boolean> {
  const soon = sql`now() + ${seconds} * interval '1 second'`;
  const result = await db.execute<{ due: boolean }>(sql`
    with ${payers}
    select ${isUnderWay} or exists (${payersWith(
      sql`${payouts.dueAt} <= ${soon} and ${payouts.nextCheckAt} <= ${soon}`,
    )}) as due`);
  return result.rows[0]?.due ?? false;
}

export interface Remaining {
  /** Something is under way or due already: come again with the next ledger. */
  remaining: boolean;
  /** When the next payout that waits is to be looked at; null when none does. */
  nextDueAt: Date | null;
}

export async function loadRemaining(db: Db, ledgerTime: Date): Promise<Remaining> {
  const later = sql`greatest(${payouts.dueAt}, ${payouts.nextCheckAt})`;
  const now = latest(ledgerTime);
  const result = await db.execute<{ remaining: boolean; next_due_at: string | null }>(sql`
    with ${payers}
    select ${isUnderWay} or exists (${payersWith(isDueNow(ledgerTime))}) as remaining,
      (select min(least(
        (${owedBy(sql`min(${later})`, sql`${payouts.dueAt} <= ${now}`)}),
        (${owedBy(later, sql`${payouts.dueAt} > ${now}`)} order by ${payouts.dueAt} limit 1)))
      from payer where payer.account is not null)::text as next_due_at`);
  const row = result.rows[0];
  return {
    remaining: row?.remaining ?? false,
    nextDueAt: row?.next_due_at == null ? null : new Date(row.next_due_at),
  };
}
