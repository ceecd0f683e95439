import { and, asc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { depositAccounts, projects } from '#drizzle/schema/sale.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Drops } from '#lib/base/money.ts';
import type { Asset, OpenAttempt, Payout } from './types.ts';

/** Statuses from which an attempt may be made. */
export const PAYABLE_STATUSES = ['scheduled', 'waiting_holder', 'ready'] as const;

export const payoutColumns = {
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
export const tokenColumns = {
  tokenKind: projects.tokenKind,
  currency: projects.currency,
  issuer: projects.issuer,
  issuanceId: projects.issuanceId,
  decimals: projects.decimals,
};

type Token = Pick<typeof projects.$inferSelect, keyof typeof tokenColumns>;

export function assetOf(payout: { id: string; kind: Payout['kind'] }, token: Token | null): Asset {
  if (payout.kind !== 'distribution') return { kind: 'xrp' };
  if (token?.tokenKind === 'iou' && token.currency !== null && token.issuer !== null) {
    return { kind: 'iou', currency: token.currency, issuer: token.issuer, decimals: token.decimals };
  }
  if (token?.tokenKind === 'mpt' && token.issuanceId !== null) {
    return { kind: 'mpt', issuanceId: token.issuanceId, decimals: token.decimals };
  }
  throw new Error(`Payout ${payout.id} distributes the token of no project`);
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

/** XRP that the account has still to pay, stopped or not. */
export async function unpaidDrops(db: Db, account: string): Promise<Drops> {
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

/**
 * Throws `project_not_found` that names the field: a mistaken id would find nothing, and look as if nothing waited.
 */
export async function requireProject(db: Db | Tx, field: string, projectId: string | undefined): Promise<void> {
  if (projectId === undefined) return;
  const known = await db.select({ id: projects.id }).from(projects).where(eq(projects.id, projectId));
  if (known.length === 0) throw new PlatformError('project_not_found', `${field}: there is no ${projectId}`);
}
