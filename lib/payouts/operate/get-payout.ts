import { desc, eq, inArray, sql } from 'drizzle-orm';
import { type PayoutRow, payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { formatDrops, formatUnits } from '#lib/base/money.ts';
import { isOverdue } from '../overdue.ts';
import type { Action, PayoutResource } from './contracts.ts';

/** One payout with all its attempts. Throws `not_found`. */
export async function getPayout(db: Db, id: string): Promise<PayoutResource> {
  const rows = await selectPayouts(db).where(eq(payouts.id, id));
  const [resource] = await loadPayoutResources(db, rows, Number.POSITIVE_INFINITY);
  if (resource === undefined) throw payoutNotFound();
  return resource;
}

export const payoutNotFound = (): PlatformError => new PlatformError('not_found', 'There is no such payout.');

type AttemptRow = typeof payoutAttempts.$inferSelect;

/** What `loadPayoutResources` needs of each row. Needs `projects` joined. */
const payoutRow = {
  payout: payouts,
  decimals: projects.decimals,
  overdue: isOverdue().as('overdue'),
  ageSeconds: sql<number>`greatest(0, extract(epoch from now() - ${payouts.dueAt}))`.mapWith(Number).as('age'),
  isDue: sql<boolean>`${payouts.dueAt} <= now()`.as('is_due'),
};

interface SelectedPayout {
  payout: PayoutRow;
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
  rows: readonly SelectedPayout[],
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

function resourceOf(row: SelectedPayout, attempts: readonly AttemptRow[], maxAttempts: number): PayoutResource {
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

interface PayoutState {
  status: string;
  /** True once it may be paid. */
  isDue: boolean;
}

/** What an operator may do with a payout. Nothing that may be on the ledger already can be stopped. Pure. */
function possibleActions({ status, isDue }: PayoutState): Action[] {
  switch (status) {
    case 'scheduled':
    case 'waiting_holder':
    case 'ready':
      return isDue ? ['retry', 'hold'] : ['hold'];
    case 'held':
      return ['release', 'settle'];
    default:
      return [];
  }
}

/** Throws `conflict` that says what is possible instead. */
export function assertPossible(action: Action, state: PayoutState): void {
  const possible = possibleActions(state);
  if (possible.includes(action)) return;
  const notDue = action === 'retry' && possible.includes('hold') ? ' and not due yet' : '';
  const instead = possible.length === 0 ? 'nothing can be done with it' : `only ${possible.join(', ')} is possible`;
  throw new PlatformError('conflict', `The payout is ${state.status}${notDue}: ${instead} now.`);
}
