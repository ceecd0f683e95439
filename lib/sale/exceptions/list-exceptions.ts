import { and, desc, eq, sql } from 'drizzle-orm';
import { investments, moves, payments } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import { formatDrops } from '#lib/platform/money.ts';
import { projectNotFound } from '../projects/get-project.ts';
import { findProject } from '../projects/project-resource.ts';
import type { ExceptionResource } from './contracts.ts';

/** The `assign` moves that took effect on a project, newest first in ledger order. Throws `project_not_found`. */
export async function listExceptions(
  ctx: Ctx,
  input: { id: string; cursor?: string | undefined; limit: number },
): Promise<{ exceptions: ExceptionResource[]; next_cursor: string | null }> {
  const project = await findProject(ctx.db, input.id);
  if (project === null) throw projectNotFound();
  const [ledgerIndex, transactionIndex] = input.cursor?.split('-') ?? [];
  const rows = await ctx.db
    .select({ move: moves, payment: payments, investmentId: investments.id })
    .from(moves)
    .innerJoin(payments, eq(payments.txHash, moves.paymentHash))
    .innerJoin(investments, eq(investments.txHash, moves.paymentHash))
    .where(
      and(
        eq(moves.account, project.depositAddress),
        eq(moves.projectId, project.id),
        eq(moves.move, 'assign'),
        eq(moves.status, 'applied'),
        ledgerIndex === undefined
          ? undefined
          : sql`(${moves.ledgerIndex}, ${moves.transactionIndex}) < (${ledgerIndex}::bigint, ${transactionIndex}::integer)`,
      ),
    )
    .orderBy(desc(moves.ledgerIndex), desc(moves.transactionIndex))
    .limit(input.limit + 1);
  const exceptions = rows.slice(0, input.limit).map(({ move, payment, investmentId }) => {
    if (move.ledgerIndex === null || move.transactionIndex === null || move.closedAt === null) {
      throw new Error(`Move ${move.txHash} took effect in no ledger`);
    }
    return {
      move_hash: move.txHash,
      ledger_index: move.ledgerIndex,
      transaction_index: move.transactionIndex,
      payment_hash: payment.txHash,
      payment_ledger_index: payment.ledgerIndex,
      investor_account: payment.sender,
      amount_xrp: formatDrops(payment.receivedDrops),
      investment_id: investmentId,
      assigned_at: move.closedAt.toISOString(),
    };
  });
  const last = rows.length > input.limit ? exceptions.at(-1) : undefined;
  return { exceptions, next_cursor: last === undefined ? null : `${last.ledger_index}-${last.transaction_index}` };
}
