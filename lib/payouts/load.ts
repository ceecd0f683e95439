import { and, asc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { depositAccounts, projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import type { Drops } from '#lib/base/money.ts';
import type { Asset, OpenAttempt, Payout } from './types.ts';

/** Statuses from which an attempt may be made. */
export const PAYABLE_STATUSES = ['scheduled', 'waiting_holder', 'ready'] as const;

const payoutColumns = {
  id: payouts.id,
  kind: payouts.kind,
  projectId: payouts.projectId,
  investmentId: payouts.investmentId,
  part: payouts.part,
  account: payouts.account,
  destination: payouts.destination,
  destinationTag: payouts.destinationTag,
  amount: payouts.amount,
};
const tokenColumns = {
  tokenKind: projects.tokenKind,
  currency: projects.currency,
  issuer: projects.issuer,
  issuanceId: projects.issuanceId,
  decimals: projects.decimals,
};

interface Token {
  tokenKind: 'iou' | 'mpt';
  currency: string | null;
  issuer: string | null;
  issuanceId: string | null;
  decimals: number;
}

function assetOf(payout: { id: string; kind: Payout['kind'] }, token: Token | null): Asset {
  if (payout.kind !== 'distribution') return { kind: 'xrp' };
  if (token?.tokenKind === 'iou' && token.currency !== null && token.issuer !== null) {
    return { kind: 'iou', currency: token.currency, issuer: token.issuer, decimals: token.decimals };
  }
  if (token?.tokenKind === 'mpt' && token.issuanceId !== null) {
    return { kind: 'mpt', issuanceId: token.issuanceId, decimals: token.decimals };
  }
  throw new Error(`Payout ${payout.id} distributes the token of no project`);
}

/** Later of the database's clock and the ledger's: whichever has reached a due date, it is due. */
export const latest = (ledgerTime: Date): SQL => sql`greatest(now(), ${ledgerTime.toISOString()}::timestamptz)`;

/** True while an operator has halted the paying account or the sale's deposit account. Needs `projects` joined. */
const isHalted = (): SQL<boolean> => sql<boolean>`exists (select from ${depositAccounts} where ${depositAccounts.halted}
    and ${depositAccounts.address} in (${payouts.account}, ${projects.depositAddress}))`;

/** A cancelled project pays nothing but refunds, and an account that an operator halted pays nothing. */
const isStopped = (): SQL<boolean> =>
  sql<boolean>`((${payouts.kind} <> 'refund' and ${projects.status} = 'cancelled') or ${isHalted()})`;

/** Owed and not stopped. Needs `projects` joined. The statuses stand as literals so that the partial index fits. */
export const isOwed = (): SQL =>
  sql`${payouts.status} in ('scheduled', 'waiting_holder', 'ready') and not ${isStopped()}`;

export const isDueNow = (ledgerTime: Date): SQL =>
  sql`${payouts.dueAt} <= ${latest(ledgerTime)} and ${payouts.nextCheckAt} <= now()`;

/** By how long they waited, and those that nobody waits for last. */
const inTurn = [asc(sql`${payouts.kind} = 'release'`), asc(payouts.nextCheckAt), asc(payouts.id)];

/**
 * The account's next due payouts, those that waited longest first; behind all others those for which `isMinor` holds, and
 * last releases, because nobody waits for them. Up to `minorFirst` of those go before all others all the same.
 */
export async function loadDue(
  db: Db,
  account: string,
  ledgerTime: Date,
  limit: number,
  isMinor: SQL<boolean> = sql<boolean>`1 = 0`,
  minorFirst = 0,
): Promise<(Payout & { isMinor: boolean })[]> {
  const isDue = sql`${payouts.account} = ${account} and ${isOwed()} and ${isDueNow(ledgerTime)}`;
  const load = async (condition: SQL, most: number) => {
    const rows = await db
      .select({ payout: payoutColumns, token: tokenColumns, isMinor })
      .from(payouts)
      .leftJoin(projects, eq(projects.id, payouts.projectId))
      .where(condition)
      .orderBy(...inTurn)
      .limit(most);
    return rows.map(({ payout, token, isMinor: minor }) => ({
      ...payout,
      asset: assetOf(payout, token),
      isMinor: minor,
    }));
  };
  // Each is asked about in its turn, and none once there are enough: of a long line, few payments are looked up.
  const line = sql`(select ${payouts.id}, ${payouts.kind}, ${payouts.destination}, ${payouts.amount}, ${payouts.paymentHash},
      ${payouts.nextCheckAt}
    from ${payouts} left join ${projects} on ${projects.id} = ${payouts.projectId}
    where ${isDue} and ${payouts.kind} <> 'release' order by ${payouts.nextCheckAt}, ${payouts.id} offset 0) as ${payouts}`;
  const loadOf = (condition: SQL, most: number) =>
    load(
      sql`${payouts.id} = any (array(select ${payouts.id} from ${line} where ${condition}
        order by ${payouts.nextCheckAt}, ${payouts.id} limit ${most}))`,
      most,
    );
  const loadInOrder = async () => {
    const first = await load(isDue, limit);
    const isLast = first.some(({ kind }) => kind === 'release') || first.length < limit;
    const minor = first.filter((payout) => payout.isMinor);
    if (isLast || minor.length === 0) {
      const rank = (payout: (typeof first)[number]) => (payout.kind === 'release' ? 2 : Number(payout.isMinor));
      return first.toSorted((a, b) => rank(a) - rank(b));
    }
    // There are more than these.
    return [...(await loadOf(sql`not ${isMinor}`, limit)), ...minor].slice(0, limit);
  };
  const inOrder = await loadInOrder();
  if (minorFirst === 0) return inOrder;
  const own = await loadOf(isMinor, minorFirst);
  const ownIds = new Set(own.map(({ id }) => id));
  return [...own, ...inOrder.filter(({ id }) => !ownIds.has(id))].slice(0, limit);
}

/** A payout as it stands. */
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
      payout: payoutColumns,
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

/** How many payouts of the account are due, counted no further than `limit`. */
export async function countDue(db: Db, account: string, ledgerTime: Date, limit: number): Promise<number> {
  const due = db
    .select({ id: payouts.id })
    .from(payouts)
    .leftJoin(projects, eq(projects.id, payouts.projectId))
    .where(and(eq(payouts.account, account), isOwed(), isDueNow(ledgerTime)))
    // In the order of the index: a planner that expects many would look for the first ones through all that was ever paid.
    .orderBy(asc(payouts.dueAt))
    .limit(limit)
    .as('due');
  return db.$count(due);
}

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
      history: { failures: count('failed'), expiries: count('expired'), stopped: isStopped() },
      payout: payoutColumns,
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

/** XRP that the account owes and has not paid yet, stopped or not. */
export async function owedDrops(db: Db, account: string): Promise<Drops> {
  const [row] = await db
    .select({ drops: sql<string>`coalesce(sum(${payouts.amount}), 0)::text` })
    .from(payouts)
    .where(
      and(
        eq(payouts.account, account),
        ne(payouts.kind, 'distribution'),
        inArray(payouts.status, [...PAYABLE_STATUSES, 'submitted']),
      ),
    );
  return BigInt(row?.drops ?? 0);
}
