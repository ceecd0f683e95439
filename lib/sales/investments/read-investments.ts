import { and, asc, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
import { type PayoutRow, payouts } from '#drizzle/schema/payouts.ts';
import {
  type AllocationRow,
  allocations,
  investments,
  type PaymentRow,
  payments,
  projects,
} from '#drizzle/schema/sale.ts';
import { toIsoOrNull } from '#lib/base/clock.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { idPattern } from '#lib/base/ids.ts';
import { formatDrops, formatPrice, formatUnits } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { findProject } from '../projects/project-resource.ts';
import type { InvestmentResource } from '../schemas.ts';

/** An id follows from the payment's hash, and a wallet is anybody's guess: neither may tell of a draft that was paid to. */
const isOfALaunchedProject = ne(projects.status, 'draft');

const ID_FORM = idPattern('inv');
const investmentNotFound = () => new PlatformError('investment_not_found', 'There is no such investment.');

/** One investment with everything that became of it. Throws `investment_not_found`, also while its project is a draft. */
export async function getInvestment(ctx: Ctx, id: string): Promise<InvestmentResource> {
  if (!ID_FORM.test(id)) throw investmentNotFound();
  const { investments: found } = await readPage(
    ctx,
    pageQuery({ limit: 1 }),
    eq(investments.id, id),
    isOfALaunchedProject,
  );
  const [resource] = found;
  if (resource === undefined) throw investmentNotFound();
  return resource;
}

interface Asked {
  status?: InvestmentResource['status'] | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** A wallet's investments, newest first; what it paid to a draft is shown once that is launched. */
export async function listInvestments(
  ctx: Ctx,
  input: Asked & { wallet_address: string; project_id?: string | undefined },
): Promise<InvestmentPage> {
  return readPage(
    ctx,
    pageQuery(input),
    eq(investments.investorAccount, input.wallet_address),
    isOfALaunchedProject,
    input.project_id === undefined ? undefined : eq(investments.projectId, input.project_id),
  );
}

/** Investments in a project, of any status, newest first. Throws `project_not_found`. */
export async function recentInvestments(ctx: Ctx, input: Asked & { project_id: string }): Promise<InvestmentPage> {
  const query = pageQuery(input);
  await findProject(ctx.db, input.project_id);
  return readPage(ctx, query, eq(investments.projectId, input.project_id));
}

interface InvestmentPage {
  investments: InvestmentResource[];
  next_cursor: string | null;
}

/** Throws `invalid_request` for a cursor that is none of ours. */
const pageQuery = ({ status, cursor, limit }: Asked) => ({ status, after: decodeCursor(cursor, 'inv'), limit });

async function readPage(
  ctx: Ctx,
  { status, after, limit }: ReturnType<typeof pageQuery>,
  ...where: (SQL | undefined)[]
): Promise<InvestmentPage> {
  const rows = await ctx.db
    .select({ investment: investments, payment: payments, decimals: projects.decimals })
    .from(investments)
    .innerJoin(payments, eq(payments.txHash, investments.txHash))
    .innerJoin(projects, eq(projects.id, investments.projectId))
    .where(
      and(
        ...where,
        status === undefined ? undefined : eq(investments.status, status),
        after === null ? undefined : sql`(${investments.paidAt}, ${investments.id}) < (${after.at}, ${after.id})`,
      ),
    )
    .orderBy(desc(investments.paidAt), desc(investments.id))
    .limit(limit + 1);
  const page = toPage(rows, limit, (row) => ({ at: row.investment.paidAt, id: row.investment.id }));
  return { investments: await loadInvestmentResources(ctx.db, page.rows), next_cursor: page.next };
}

/** An investment with the payment it came from and its project's precision. */
interface InvestmentRow {
  investment: typeof investments.$inferSelect;
  payment: PaymentRow;
  decimals: number;
}

/** Resources for rows already read, in their order: two more queries for any number of investments. */
export async function loadInvestmentResources(db: Db, rows: readonly InvestmentRow[]): Promise<InvestmentResource[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.investment.id);
  const [allocationRows, payoutRows] = await Promise.all([
    db.select().from(allocations).where(inArray(allocations.investmentId, ids)).orderBy(asc(allocations.tier)),
    db.select().from(payouts).where(inArray(payouts.investmentId, ids)).orderBy(asc(payouts.part)),
  ]);
  const allocationsOf = Map.groupBy(allocationRows, (row) => row.investmentId);
  const payoutsOf = Map.groupBy(payoutRows, (row) => row.investmentId ?? '');
  return rows.map((row) =>
    investmentResourceOf(row, allocationsOf.get(row.investment.id) ?? [], payoutsOf.get(row.investment.id) ?? []),
  );
}

function investmentResourceOf(
  { investment, payment, decimals }: InvestmentRow,
  parts: readonly AllocationRow[],
  owed: readonly PayoutRow[],
): InvestmentResource {
  const tokens = (units: bigint | null) => (units === null ? null : formatUnits(units, decimals));
  const xrp = (drops: bigint | null) => (drops === null ? null : formatDrops(drops));
  return {
    id: investment.id,
    investment_id: investment.id,
    project_id: investment.projectId,
    investor_account: investment.investorAccount,
    amount_xrp: formatDrops(investment.amountDrops),
    status: investment.status,
    // What was invested in part has its reason on the payment.
    reason: investment.reason ?? payment.reason,
    tier_info: {
      tier: investment.quoteTier,
      price_per_token: formatPrice(investment.quotePrice),
      tokens_expected: formatUnits(investment.quoteUnits, decimals),
    },
    // A cancelled sale changes what is invested, not what was confirmed.
    confirmed_amount_xrp: investment.confirmedDrops === null ? null : formatDrops(payment.investedDrops),
    refunded_xrp: formatDrops(payment.refundedDrops),
    held_xrp: formatDrops(payment.heldDrops),
    final_tier_allocation: parts.map((part) => ({
      tier: part.tier,
      amount_xrp: formatDrops(part.amountDrops),
      tokens: formatUnits(part.units, decimals),
    })),
    total_tokens: tokens(investment.totalUnits),
    tokens_to_distribute: tokens(investment.unitsToDistribute),
    rounding_xrp: xrp(investment.roundingDrops),
    transaction: {
      hash: investment.txHash,
      ledger_index: payment.ledgerIndex,
      destination_tag: payment.destinationTag,
      confirmed_at: toIsoOrNull(investment.confirmedAt),
    },
    payouts: owed
      .filter((payout) => payout.kind === 'distribution')
      .map((payout) => ({ ...payoutOf(payout), tokens: formatUnits(payout.amount, decimals) })),
    refunds: owed
      .filter((payout) => payout.kind === 'refund')
      .map((payout) => ({ ...payoutOf(payout), amount_xrp: formatDrops(payout.amount) })),
    created_at: investment.paidAt.toISOString(),
  };
}

const payoutOf = ({ id, part, status, reason, dueAt, validatedAt, txHash, ledgerIndex }: PayoutRow) => ({
  id,
  part,
  status,
  reason,
  due_at: dueAt.toISOString(),
  validated_at: toIsoOrNull(validatedAt),
  transaction_hash: txHash,
  ledger_index: ledgerIndex,
});
