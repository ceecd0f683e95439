import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { payoutAttempts, payouts, ticketRequests } from '#drizzle/schema/payouts.ts';
import { projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { assetOf, isDueNow, isPayable, latest, payoutColumns, tokenColumns } from './load.ts';
import type { Payout } from './types.ts';

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

const payableOf = (columns: SQL, condition: SQL): SQL => sql`select ${columns} from ${payouts}
  left join ${projects} on ${projects.id} = ${payouts.projectId}
  where ${payouts.account} = payer.account and ${isPayable()} and ${condition}`;

/** Accounts with a payout for which `condition` holds. */
const payersWith = (condition: SQL): SQL => sql`select payer.account from payer
  cross join lateral (${payableOf(sql`true`, condition)} limit 1) as owed where payer.account is not null`;

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
        (${payableOf(sql`min(${later})`, sql`${payouts.dueAt} <= ${now}`)}),
        (${payableOf(later, sql`${payouts.dueAt} > ${now}`)} order by ${payouts.dueAt} limit 1)))
      from payer where payer.account is not null)::text as next_due_at`);
  const row = result.rows[0];
  return {
    remaining: row?.remaining ?? false,
    nextDueAt: row?.next_due_at == null ? null : new Date(row.next_due_at),
  };
}

/** Those that waited longest first, and last releases: nobody waits for them. */
const inTurn = [asc(sql`${payouts.kind} = 'release'`), asc(payouts.nextCheckAt), asc(payouts.id)];

/**
 * The account's next due payouts, those that waited longest first; behind all others those for which `minor` holds, and
 * last releases. Up to `minorFirst` of the minor ones go before all others.
 */
export async function loadDue(
  db: Db,
  account: string,
  ledgerTime: Date,
  limit: number,
  minor: SQL<boolean> = sql<boolean>`1 = 0`,
  minorFirst = 0,
): Promise<(Payout & { isMinor: boolean })[]> {
  const isDue = sql`${payouts.account} = ${account} and ${isPayable()} and ${isDueNow(ledgerTime)}`;
  const load = async (condition: SQL, most: number) => {
    const rows = await db
      .select({ payout: payoutColumns, token: tokenColumns, isMinor: minor })
      .from(payouts)
      .leftJoin(projects, eq(projects.id, payouts.projectId))
      .where(condition)
      .orderBy(...inTurn)
      .limit(most);
    return rows.map(({ payout, token, ...rest }) => ({ ...payout, asset: assetOf(payout, token), ...rest }));
  };
  // Each is asked about in its turn, and none once there are enough: of a long queue, few payments are looked up.
  const queue = sql`(select ${payouts.id}, ${payouts.kind}, ${payouts.destination}, ${payouts.amount}, ${payouts.paymentHash},
      ${payouts.nextCheckAt}
    from ${payouts} left join ${projects} on ${projects.id} = ${payouts.projectId}
    where ${isDue} and ${payouts.kind} <> 'release' order by ${payouts.nextCheckAt}, ${payouts.id} offset 0) as ${payouts}`;
  const loadOf = (condition: SQL, most: number) =>
    load(
      sql`${payouts.id} = any (array(select ${payouts.id} from ${queue} where ${condition}
        order by ${payouts.nextCheckAt}, ${payouts.id} limit ${most}))`,
      most,
    );
  const loadInOrder = async () => {
    const first = await load(isDue, limit);
    const isLast = first.some(({ kind }) => kind === 'release') || first.length < limit;
    const minorOfFirst = first.filter((payout) => payout.isMinor);
    if (isLast || minorOfFirst.length === 0) {
      const rank = (payout: (typeof first)[number]) => (payout.kind === 'release' ? 2 : Number(payout.isMinor));
      return first.toSorted((a, b) => rank(a) - rank(b));
    }
    // There are more than these.
    return [...(await loadOf(sql`not ${minor}`, limit)), ...minorOfFirst].slice(0, limit);
  };
  const inOrder = await loadInOrder();
  if (minorFirst === 0) return inOrder;
  const ahead = await loadOf(minor, minorFirst);
  const aheadIds = new Set(ahead.map(({ id }) => id));
  return [...ahead, ...inOrder.filter(({ id }) => !aheadIds.has(id))].slice(0, limit);
}

/** How many payouts of the account are due, counted no further than `limit`. */
export async function countDue(db: Db, account: string, ledgerTime: Date, limit: number): Promise<number> {
  const due = db
    .select({ id: payouts.id })
    .from(payouts)
    .leftJoin(projects, eq(projects.id, payouts.projectId))
    .where(and(eq(payouts.account, account), isPayable(), isDueNow(ledgerTime)))
    // In the order of the index: a planner that expects many would look for the first ones through all that was ever paid.
    .orderBy(asc(payouts.dueAt))
    .limit(limit)
    .as('due');
  return db.$count(due);
}
