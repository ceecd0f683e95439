import { and, desc, eq, ne, type SQL, sql } from 'drizzle-orm';
import { investments, payments, projects } from '#drizzle/schema/sale.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { idPattern } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { InvestmentResource } from '../schemas.ts';
import { type InvestmentRow, loadInvestmentResources } from './investment-resource.ts';

/** Investments with their payments, newest first. */
export const readInvestmentRows = (ctx: Ctx, where: SQL | undefined, limit: number): Promise<InvestmentRow[]> =>
  ctx.db
    .select({
      investment: investments,
      payment: {
        ledgerIndex: payments.ledgerIndex,
        destinationTag: payments.destinationTag,
        reason: payments.reason,
        investedDrops: payments.investedDrops,
        refundedDrops: payments.refundedDrops,
        heldDrops: payments.heldDrops,
      },
      decimals: projects.decimals,
    })
    .from(investments)
    .innerJoin(payments, eq(payments.txHash, investments.txHash))
    .innerJoin(projects, eq(projects.id, investments.projectId))
    .where(where)
    .orderBy(desc(investments.paidAt), desc(investments.id))
    .limit(limit);

/** An id follows from the payment's hash, and a wallet is anybody's guess: neither may tell of a draft that was paid to. */
const isOfALaunchedProject = ne(projects.status, 'draft');

const ID_FORM = idPattern('inv');
const investmentNotFound = () => new PlatformError('investment_not_found', 'There is no such investment.');

/** One investment with everything that became of it. Throws `investment_not_found`, also while its project is a draft. */
export async function getInvestment(ctx: Ctx, id: string): Promise<InvestmentResource> {
  if (!ID_FORM.test(id)) throw investmentNotFound();
  const rows = await readInvestmentRows(ctx, and(eq(investments.id, id), isOfALaunchedProject), 1);
  const [resource] = await loadInvestmentResources(ctx.db, rows);
  if (resource === undefined) throw investmentNotFound();
  return resource;
}

/** A wallet's investments, newest first; what it paid to a draft is shown once that is launched. */
export async function listInvestments(
  ctx: Ctx,
  input: {
    wallet_address: string;
    project_id?: string | undefined;
    status?: InvestmentResource['status'] | undefined;
    cursor?: string | undefined;
    limit: number;
  },
): Promise<{ investments: InvestmentResource[]; next_cursor: string | null }> {
  const after = decodeCursor(input.cursor, 'inv');
  const rows = await readInvestmentRows(
    ctx,
    and(
      eq(investments.investorAccount, input.wallet_address),
      isOfALaunchedProject,
      input.project_id === undefined ? undefined : eq(investments.projectId, input.project_id),
      input.status === undefined ? undefined : eq(investments.status, input.status),
      after === null ? undefined : sql`(${investments.paidAt}, ${investments.id}) < (${after.at}, ${after.id})`,
    ),
    input.limit + 1,
  );
  const page = toPage(rows, input.limit, (row) => ({ at: row.investment.paidAt, id: row.investment.id }));
  return { investments: await loadInvestmentResources(ctx.db, page.rows), next_cursor: page.next };
}
