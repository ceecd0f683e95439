import { and, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { type PaymentRow, payments } from '#drizzle/schema/sale.ts';
import { env } from '#lib/base/env.ts';
import { fieldError, PlatformError } from '#lib/base/errors.ts';
import { type Drops, formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { refundPaymentsContract } from './contracts.ts';
import { byAmount, isHeld, matches } from './list-payments.ts';
import { loadPreconditions, whyNotRefundable } from './preconditions.ts';
import { refundPayment } from './refund-payment.ts';

type Request = z.output<(typeof refundPaymentsContract)['body']>;
type Answer = z.output<(typeof refundPaymentsContract)['responses'][200]>;

/** What is not owed back: refunded only when it is named. */
const OPERATING_FUNDS = 'operating_funds';

/**
 * Sends what is held of many payments back, the largest first: each as by itself (`refundPayment`), in a transaction and
 * with an audit entry of its own. One that cannot be refunded, or is not held any more as it was chosen, is left alone
 * and named. Throws `invalid_request` when nothing chooses the payments.
 */
export async function refundPayments(ctx: Ctx, request: Request): Promise<Answer> {
  const { transaction_hashes: transactionHashes, held_reason: reason, account, project_id: projectId } = request;
  const { min_amount_xrp: minDrops, max_amount_xrp: maxDrops } = request;
  const filter = { transactionHashes, reason, account, projectId, minDrops, maxDrops };
  if (Object.values(filter).every((value) => value === undefined)) {
    const message = 'select payments by transaction_hashes, held_reason, account, project_id or an amount';
    throw fieldError('body', message);
  }
  const deadlineMs = ctx.clock.nowMs() + env().SLICE_BUDGET_MS;
  const spared =
    transactionHashes === undefined && reason === undefined
      ? // A reason is always there for what is held; `<>` alone would drop one without.
        sql`${payments.reason} is distinct from ${OPERATING_FUNDS}`
      : undefined;
  const chosen = and(isHeld(), matches(filter), spared);
  const rows = await ctx.db
    .select()
    .from(payments)
    .where(chosen)
    .orderBy(...byAmount)
    .limit(request.limit);
  const all = await ctx.db.$count(payments, chosen);
  const preconditionsOf = await loadPreconditions(
    ctx.db,
    rows.map(({ txHash }) => txHash),
  );
  const answer: Answer = {
    dry_run: request.dry_run,
    refunded: 0,
    amount_xrp: formatDrops(0n),
    payments: [],
    skipped: unknownOf(transactionHashes, rows, all),
    // Counted after the rows were read: meanwhile some may have been decided.
    beyond_limit: Math.max(0, all - rows.length),
  };
  let sum: Drops = 0n;
  for (const [index, row] of rows.entries()) {
    if (!request.dry_run && ctx.clock.nowMs() >= deadlineMs) {
      answer.beyond_limit += rows.length - index;
      break;
    }
    const obstacle =
      whyNotRefundable(row, preconditionsOf(row.txHash)) ??
      (request.dry_run ? null : await refundOrWhyNot(ctx, row, request.reason));
    if (obstacle !== null) {
      answer.skipped.push({ transaction_hash: row.txHash, because: obstacle });
      continue;
    }
    sum += row.heldDrops;
    answer.refunded += 1;
    answer.payments.push({ transaction_hash: row.txHash, sender: row.sender, held_xrp: formatDrops(row.heldDrops) });
  }
  return { ...answer, amount_xrp: formatDrops(sum) };
}

/** Null when the refund is owed now; else why not. */
async function refundOrWhyNot(ctx: Ctx, heldAs: PaymentRow, reason: string): Promise<string | null> {
  try {
    await refundPayment(ctx, { transactionHash: heldAs.txHash, reason, heldAs });
    return null;
  } catch (error) {
    if (error instanceof PlatformError && error.code === 'conflict') return error.detail;
    throw error;
  }
}

/** Of the hashes that were given, those of which nothing is held, or that another field excludes. */
function unknownOf(given: readonly string[] | undefined, rows: readonly PaymentRow[], all: number): Answer['skipped'] {
  if (given === undefined || all > rows.length) return [];
  const found = new Set(rows.map(({ txHash }) => txHash));
  return [...new Set(given)]
    .filter((hash) => !found.has(hash))
    .map((hash) => ({
      transaction_hash: hash,
      because: 'No payment with this hash is held, or the other fields do not select it.',
    }));
}
