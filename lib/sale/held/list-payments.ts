import { and, asc, eq, sql } from 'drizzle-orm';
import { payments } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { PaymentResource } from './contracts.ts';
import { loadPaymentResources } from './payment-resource.ts';

/** Payments in ledger order, the oldest first: what waits longest for a person stands on top. */
export async function listPayments(
  ctx: Ctx,
  input: {
    cursor?: string | undefined;
    limit: number;
    status: 'held' | 'all';
    reason?: string | undefined;
    account?: string | undefined;
    project_id?: string | undefined;
  },
): Promise<{ payments: PaymentResource[]; next_cursor: string | null }> {
  const [ledgerIndex, transactionIndex] = input.cursor?.split('-') ?? [];
  const rows = await ctx.db
    .select()
    .from(payments)
    .where(
      and(
        // A literal, so that the partial index fits.
        input.status === 'held' ? sql`${payments.heldDrops} > 0` : undefined,
        input.reason === undefined ? undefined : eq(payments.reason, input.reason),
        input.account === undefined ? undefined : eq(payments.account, input.account),
        input.project_id === undefined ? undefined : eq(payments.projectId, input.project_id),
        ledgerIndex === undefined
          ? undefined
          : sql`(${payments.ledgerIndex}, ${payments.transactionIndex}) > (${ledgerIndex}::bigint, ${transactionIndex}::integer)`,
      ),
    )
    .orderBy(asc(payments.ledgerIndex), asc(payments.transactionIndex))
    .limit(input.limit + 1);
  const page = rows.slice(0, input.limit);
  const last = rows.length > input.limit ? page.at(-1) : undefined;
  return {
    payments: await loadPaymentResources(ctx.db, page, ctx.clock.nowMs()),
    next_cursor: last === undefined ? null : `${last.ledgerIndex}-${last.transactionIndex}`,
  };
}
