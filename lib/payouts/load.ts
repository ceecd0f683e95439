import { XRP_DECIMALS } from '@tranche/rules/amounts.ts';
import type { Place } from '@tranche/rules/custody.ts';
import type { Asset } from '@tranche/rules/transactions.ts';
import { type AnyColumn, and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { payoutAttempts, payouts, ticketAssignments, ticketRequests } from '#drizzle/schema/payouts.ts';
import { depositAccounts, payments, projects, tiers } from '#drizzle/schema/sale.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Drops } from '#lib/base/money.ts';
import { isInXrp } from './in-xrp.ts';
import { MAX_IN_FLIGHT, type OpenAttempt, type Payout } from './types.ts';

/** Statuses from which an attempt may be made. */
export const PAYABLE_STATUSES = ['scheduled', 'waiting_holder', 'ready'] as const;

/** One more row for each payout: what pays from accounts of one key does not look it up. */
const paymentPlace = sql<Place | null>`(select jsonb_build_object('ledgerIndex', paid.ledger_index,
    'transactionIndex', paid.transaction_index) from ${payments} as paid where paid.tx_hash = ${payouts.paymentHash})`;

export const payoutColumns = {
  id: payouts.id,
  kind: payouts.kind,
  projectId: payouts.projectId,
  investmentId: payouts.investmentId,
  paymentPlace: sql<Place | null>`null`,
  part: payouts.part,
  account: payouts.account,
  destination: payouts.destination,
  destinationTag: payouts.destinationTag,
  amount: payouts.amount,
  lockedUntil: payouts.lockedUntil,
};
export const tokenColumns = {
  tokenKind: projects.tokenKind,
  currency: projects.currency,
  issuer: projects.issuer,
  issuanceId: projects.issuanceId,
  decimals: projects.decimals,
};

type Token = Pick<typeof projects.$inferSelect, keyof typeof tokenColumns>;

function assetOf(payout: { id: string; kind: Payout['kind'] }, token: Token | null): Asset {
  if (payout.kind === 'refund' || payout.kind === 'release') return { kind: 'xrp' };
  if (token?.tokenKind === 'iou' && token.currency !== null && token.issuer !== null) {
    return { kind: 'iou', currency: token.currency, issuer: token.issuer, decimals: token.decimals };
  }
  if (token?.tokenKind === 'mpt' && token.issuanceId !== null) {
    return { kind: 'mpt', issuanceId: token.issuanceId, decimals: token.decimals };
  }
  throw new Error(`Payout ${payout.id} is of the token of no project`);
}

/** The later of the database's clock and the ledger's: a payout is due once either has reached its due date. */
export const latest = (ledgerTime: Date): SQL => sql`greatest(now(), ${ledgerTime.toISOString()}::timestamptz)`;

/** True while an operator has halted the paying account or the sale's deposit account. Needs `projects` joined. */
const isHalted = (): SQL<boolean> => sql<boolean>`exists (select from ${depositAccounts} where ${depositAccounts.halted}
    and ${depositAccounts.address} in (${payouts.account}, ${projects.depositAddress}))`;

/** A cancelled project pays nothing but refunds, and an account that an operator halted pays nothing. */
const isStopped = (): SQL<boolean> =>
  sql<boolean>`((${payouts.kind} <> 'refund' and ${projects.status} = 'cancelled') or ${isHalted()})`;

/** Unpaid and not stopped. Needs `projects` joined. The statuses are literals so that the partial index fits. */
export const isPayable = (): SQL =>
  sql`${payouts.status} in ('scheduled', 'waiting_holder', 'ready') and not ${isStopped()}`;

export const isDueNow = (ledgerTime: Date): SQL =>
  sql`${payouts.dueAt} <= ${latest(ledgerTime)} and ${payouts.nextCheckAt} <= now()`;

/** A payout as the database has it. */
export interface StoredPayout {
  payout: Payout;
  status: (typeof payouts.$inferSelect)['status'];
  reason: string | null;
  dueAt: Date;
  /** What keeps it from being paid whatever the ledger says; null when nothing does. */
  stopped: 'sale_cancelled' | 'account_halted' | null;
}

/** At most `limit` payouts for which `condition` holds, in the order given. `projects` is joined. */
export async function loadStored(
  db: Db,
  condition: SQL | undefined,
  order: readonly SQL[],
  limit: number,
): Promise<StoredPayout[]> {
  const rows = await db
    .select({
      payout: { ...payoutColumns, paymentPlace },
      token: tokenColumns,
      status: payouts.status,
      reason: payouts.reason,
      dueAt: payouts.dueAt,
      stopped: sql<StoredPayout['stopped']>`case when ${isHalted()} then 'account_halted'
        when ${isStopped()} then 'sale_cancelled' end`,
    })
    .from(payouts)
    .leftJoin(projects, eq(projects.id, payouts.projectId))
    .where(condition)
    .orderBy(...order)
    .limit(limit);
  return rows.map(({ payout, token, ...stored }) => ({
    ...stored,
    payout: { ...payout, asset: assetOf(payout, token) },
  }));
}

const isAssigned = (): SQL<boolean> => sql<boolean>`exists (select from ${ticketAssignments} as t
  where t.account = ${payoutAttempts.account} and t.ticket = ${payoutAttempts.ticket})`;

/** All attempts of the account that could still succeed, the first to expire first. */
export async function loadOpenAttempts(db: Db, account: string): Promise<OpenAttempt[]> {
  const count = (status: 'failed' | 'expired'): SQL<number> =>
    sql<number>`(select count(*)::int from ${payoutAttempts} as f
      where f.payout_id = ${payouts.id} and f.status = ${status})`;
  const rows = await db
    .select({
      attempt: {
        txHash: payoutAttempts.txHash,
        txBlob: payoutAttempts.txBlob,
        ticket: payoutAttempts.ticket,
        feeDrops: payoutAttempts.feeDrops,
        firstLedger: payoutAttempts.firstLedger,
        lastLedgerSequence: payoutAttempts.lastLedgerSequence,
        engineResult: payoutAttempts.engineResult,
        submittedLedger: payoutAttempts.submittedLedger,
      },
      history: {
        failures: count('failed'),
        expiries: count('expired'),
        stopped: isStopped(),
        isAssigned: isAssigned(),
      },
      payout: { ...payoutColumns, paymentPlace: sql<Place | null>`case when ${isAssigned()} then ${paymentPlace} end` },
      token: tokenColumns,
    })
    .from(payoutAttempts)
    .innerJoin(payouts, eq(payouts.id, payoutAttempts.payoutId))
    .leftJoin(projects, eq(projects.id, payouts.projectId))
    .where(and(eq(payoutAttempts.account, account), eq(payoutAttempts.status, 'open')))
    .orderBy(asc(payoutAttempts.lastLedgerSequence), asc(payoutAttempts.ticket));
  return rows.map(({ attempt, history, payout, token }) => ({
    ...attempt,
    ...history,
    payout: { ...payout, asset: assetOf(payout, token) },
  }));
}

/**
 * Of these attempts, those whose account was halted since they were signed. What was signed before its sale was cancelled is paid:
 * its refund waits for the outcome.
 */
export async function loadHalted(db: Db, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .select({ txHash: payoutAttempts.txHash })
    .from(payoutAttempts)
    .innerJoin(payouts, eq(payouts.id, payoutAttempts.payoutId))
    .leftJoin(projects, eq(projects.id, payouts.projectId))
    .where(sql`${payoutAttempts.txHash} = any (${textArray(hashes)}) and ${isHalted()}`);
  return new Set(rows.map(({ txHash }) => txHash));
}

/** XRP that the account has still to pay, stopped or not: only a deposit account pays any, and of no other is a row read. */
export async function unpaidDrops(db: Db, account: string): Promise<Drops> {
  const [row] = await db
    .select({ drops: sql<string>`coalesce(sum(${payouts.amount}), 0)::text` })
    .from(payouts)
    .where(
      and(
        eq(payouts.account, account),
        isInXrp(),
        inArray(payouts.status, [...PAYABLE_STATUSES, 'submitted']),
        sql`exists (select from ${depositAccounts} where ${depositAccounts.address} = ${account})`,
      ),
    );
  return BigInt(row?.drops ?? 0);
}

/**
 * Throws `project_not_found` that names the field: a mistaken id would find nothing, and look as if nothing waited.
 */
export async function requireProject(db: Db | Tx, field: string, projectId: string | undefined): Promise<void> {
  if (projectId === undefined) return;
  const known = await db.select({ id: projects.id }).from(projects).where(eq(projects.id, projectId));
  if (known.length === 0) throw new PlatformError('project_not_found', `${field}: there is no ${projectId}`);
}

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

/**
 * Distributions that the next ledgers may make due, by the account that will pay them: payments to sales that pay out at once, among
 * the first MAX_IN_FLIGHT of their deposit account that wait for confirmation. Not those that are refunded in any case, or else dust
 * would lock reserve. None where an account is halted, and none from a deposit account: its XRP may have to be refunded.
 */
const comingTo = (
  distributor: SQL = sql`true`,
): SQL => sql`select ${projects.distributor} as account, count(*)::int as coming
  from ${projects} cross join lateral (
    select ${payments.destinationTag} as tag, ${payments.receivedDrops} as drops from ${payments}
    where ${payments.account} = ${projects.depositAddress} and ${payments.outcome} = 'pending'
    order by ${payments.ledgerIndex}, ${payments.transactionIndex} limit ${MAX_IN_FLIGHT}) as waiting
  where ${projects.status} = 'active' and ${projects.distribution} = 'immediate' and waiting.tag = ${projects.destinationTag}
    and ((${projects.vesting}->>'immediate_bps')::int > 0 or (${projects.vesting}->>'periods')::int = 0)
    and waiting.drops >= coalesce(${projects.minInvestmentDrops}, 0)
    and waiting.drops::numeric * power(10::numeric, ${XRP_DECIMALS} + ${projects.decimals}) >= (
      select min(${tiers.price}) from ${tiers} where ${tiers.projectId} = ${projects.id} and ${tiers.soldUnits} < ${tiers.totalUnits})
    and not exists (select from ${depositAccounts} where ${depositAccounts.address} = ${projects.distributor}
      or (${depositAccounts.halted} and ${depositAccounts.address} = ${projects.depositAddress}))
    and ${distributor}
  group by ${projects.distributor}`;

/** The same of one account. */
export async function countComing(db: Db, account: string): Promise<number> {
  const { rows } = await db.execute<{ coming: number }>(comingTo(sql`${projects.distributor} = ${account}`));
  return rows[0]?.coming ?? 0;
}

/** Accounts with something to pay, to settle or to prepare: with how many distributions the next ledgers may make due. */
export async function loadAccounts(db: Db, ledgerTime: Date): Promise<Map<string, number>> {
  const result = await db.execute<{ account: string; coming: number }>(sql`
    with ${payers}
    select account, sum(coming)::int as coming from (
      select account, 0 as coming from (${payersWith(isDueNow(ledgerTime))}) as owing
      union all select account, 0 from ${payoutAttempts} where status = 'open'
      union all select account, 0 from ${ticketRequests} where status = 'open'
      union all (${comingTo()})) as each
    group by account order by account`);
  return new Map(result.rows.map((row) => [row.account, row.coming]));
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

/** True when an account has more payouts due than may be under way at once: each ledger can take as many as that. */
export async function isQueueLong(db: Db): Promise<boolean> {
  const isDue = sql`${payouts.dueAt} <= now() and ${payouts.nextCheckAt} <= now()`;
  const result = await db.execute<{ long: boolean }>(sql`
    with ${payers}
    select exists (select from payer
      cross join lateral (${payableOf(sql`true`, isDue)} offset ${MAX_IN_FLIGHT} limit 1) as owed
      where payer.account is not null) as long`);
  return result.rows[0]?.long ?? false;
}

/** True when something is under way or due already: come again with the next ledger. */
export async function isSomethingDue(db: Db, ledgerTime: Date): Promise<boolean> {
  const result = await db.execute<{ remaining: boolean }>(sql`
    with ${payers} select ${isUnderWay} or exists (${payersWith(isDueNow(ledgerTime))}) as remaining`);
  return result.rows[0]?.remaining ?? false;
}

/** A due payout; `isMinor` as ceiling.ts has it. */
export type DuePayout = Payout & { isMinor: boolean };

/** True of all but unlocks, which go first: what they give back may pay the rest. */
export const goesBehindUnlocks = (kind: SQL | AnyColumn = payouts.kind): SQL => sql`${kind} <> 'unlock'`;

/** Unlocks, then those that waited longest, and last releases: nobody waits for them. */
const inTurn = [
  asc(sql`${payouts.kind} = 'release'`),
  asc(goesBehindUnlocks()),
  asc(payouts.nextCheckAt),
  asc(payouts.id),
];

/**
 * The account's next due payouts, unlocks and then those that waited longest first; behind all others those for which `minor` holds, and
 * last releases. Up to `minorFirst` of the minor ones go before all others. `among` narrows which ones are loaded, for an
 * account under custody: then each has the place of its payment.
 */
export async function loadDue(
  db: Db,
  account: string,
  ledgerTime: Date,
  limit: number,
  minor: SQL<boolean> = sql<boolean>`1 = 0`,
  minorFirst = 0,
  among?: SQL,
): Promise<DuePayout[]> {
  const isDue = sql`${payouts.account} = ${account} and ${isPayable()} and ${isDueNow(ledgerTime)} and ${among ?? sql`true`}`;
  const columns = among === undefined ? payoutColumns : { ...payoutColumns, paymentPlace };
  const load = async (condition: SQL, most: number) => {
    const rows = await db
      .select({ payout: columns, token: tokenColumns, isMinor: minor })
      .from(payouts)
      .leftJoin(projects, eq(projects.id, payouts.projectId))
      .where(condition)
      .orderBy(...inTurn)
      .limit(most);
    return rows.map(({ payout, token, ...rest }) => ({ ...payout, asset: assetOf(payout, token), ...rest }));
  };
  // Each is asked about in its turn, and none once there are enough: of a long queue, few payments are looked up. `behind` is a column
  // because only what the inner query gives can tell the planner that its rows come sorted already.
  const queue = sql`(select ${payouts.id}, ${payouts.kind}, ${payouts.destination}, ${payouts.amount}, ${payouts.paymentHash},
      ${payouts.nextCheckAt}, ${goesBehindUnlocks()} as behind
    from ${payouts} left join ${projects} on ${projects.id} = ${payouts.projectId}
    where ${isDue} and ${payouts.kind} <> 'release' order by behind, ${payouts.nextCheckAt}, ${payouts.id} offset 0)
      as ${payouts}`;
  const loadOf = (condition: SQL, most: number) =>
    load(
      sql`${payouts.id} = any (array(select ${payouts.id} from ${queue} where ${condition}
        order by behind, ${payouts.nextCheckAt}, ${payouts.id} limit ${most}))`,
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
