import { desc, eq, inArray, sql } from 'drizzle-orm';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { formatDrops, formatUnits } from '#lib/base/money.ts';
import { isOverdue } from '../overdue.ts';
import type { PayoutResource } from './contracts.ts';
import { possibleActions } from './possible-actions.ts';

type AttemptRow = typeof payoutAttempts.$inferSelect;

/** What `loadPayoutResources` needs of each row. Needs `projects` joined. */
export const payoutRow = {
  payout: payouts,
  decimals: projects.decimals,
  overdue: isOverdue().as('overdue'),
  ageSeconds: sql<number>`greatest(0, extract(epoch from now() - ${payouts.dueAt}))`.mapWith(Number).as('age'),
  isDue: sql<boolean>`${payouts.dueAt} <= now()`.as('is_due'),
};

export interface PayoutRow {
  payout: typeof payouts.$inferSelect;
  decimals: number | null;
  overdue: boolean | null;
  ageSeconds: number;
  isDue: boolean;
}

export const selectPayouts = (db: Db) =>
  db.select(payoutRow).from(payouts).leftJoin(projects, eq(projects.id, payouts.projectId));

/** Resources for rows already read, in their order, each with its newest attempts: one more query for any number. */
export async function loadPayoutResources(
  db: Db,
  rows: readonly PayoutRow[],
  maxAttempts: number,
): Promise<PayoutResource[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ payout }) => payout.id);
  const attempts = await db
    .select()
    .from(payoutAttempts)
    .where(inArray(payoutAttempts.payoutId, ids))
    .orderBy(desc(payoutAttempts.attempt));
  const attemptsOf = Map.groupBy(attempts, (attempt) => attempt.payoutId);
  return rows.map((row) => resourceOf(row, attemptsOf.get(row.payout.id) ?? [], maxAttempts));
}

function resourceOf(row: PayoutRow, attempts: readonly AttemptRow[], maxAttempts: number): PayoutResource {
  const { payout, decimals, isDue } = row;
  const isTokens = payout.kind === 'distribution';
  return {
    id: payout.id,
    kind: payout.kind,
    project_id: payout.projectId,
    investment_id: payout.investmentId,
    payment_hash: payout.paymentHash,
    part: payout.part,
    account: payout.account,
    destination: payout.destination,
    destination_tag: payout.destinationTag,
    amount_xrp: isTokens ? null : formatDrops(payout.amount),
    tokens: isTokens && decimals !== null ? formatUnits(payout.amount, decimals) : null,
    status: payout.status,
    reason: payout.reason,
    due_at: payout.dueAt.toISOString(),
    age_seconds: Math.floor(row.ageSeconds),
    overdue: row.overdue ?? false,
    next_check_at: payout.nextCheckAt.toISOString(),
    possible: possibleActions({ status: payout.status, isDue }),
    transaction_hash: payout.txHash,
    ledger_index: payout.ledgerIndex,
    validated_at: payout.validatedAt?.toISOString() ?? null,
    created_at: payout.createdAt.toISOString(),
    attempt_count: attempts.length,
    attempts: attempts.slice(0, maxAttempts).map((each) => ({
      attempt: each.attempt,
      transaction_hash: each.txHash,
      status: each.status,
      engine_result: each.engineResult,
      ticket: each.ticket,
      fee_xrp: formatDrops(each.feeDrops),
      first_ledger: each.firstLedger,
      last_ledger_sequence: each.lastLedgerSequence,
      ledger_index: each.ledgerIndex,
      created_at: each.createdAt.toISOString(),
    })),
  };
}
