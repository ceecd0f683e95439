import { allocationRow, type PublishedAllocation } from '@tranche/verifier/published.ts';
import { type SQL, sql } from 'drizzle-orm';
import { allocations, investments, type ProjectRow, tiers } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { formatDrops, formatPrice, formatUnits } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { AllocationPosition } from '../allocations/allocation-position.ts';
import { findProject } from '../projects/project-resource.ts';
import { asOfLedger } from './as-of.ts';
import { epoch, type Placed, placedRows, utcText } from './decisions.ts';
import { type Exported, type ExportFormat, exported } from './rows-as-text.ts';

/** Payments a statement, and a chunk of the answer. */
const PAGE_PAYMENTS = 1_000;
const BEFORE_ALL: AllocationPosition = { ledgerIndex: 0, transactionIndex: 0, tier: 0 };
const COLUMNS = Object.keys(allocationRow.unwrap().shape) as (keyof PublishedAllocation)[];

interface ExportedAllocations extends Exported {
  /** What decides every byte of the answer. */
  name: string;
}

/**
 * Every allocation of a project as of a confirmed ledger, page by page while it is read. The same bytes whenever it is
 * asked for, while the sale goes on and after. Throws `project_not_found`, and `invalid_request` for a ledger that is
 * not confirmed yet.
 */
export async function exportAllocations(
  ctx: Ctx,
  input: {
    id: string;
    format: ExportFormat;
    as_of?: number | undefined;
    limit?: number | undefined;
    cursor?: AllocationPosition | undefined;
  },
): Promise<ExportedAllocations> {
  const project = await findProject(ctx.db, input.id);
  const asOf = await asOfLedger(ctx.db, project, input.as_of);
  const { cursor: after = null, limit = null, format } = input;
  return {
    ...exported({ project, what: 'allocations', asOf }, input, COLUMNS, openAllocations(ctx, project, asOf, after)),
    name: JSON.stringify(['allocations of form 2', project.id, asOf, after, limit, format]),
  };
}

/** Pages of allocations after a place (null: from the first), as of a ledger. */
export async function* openAllocations(
  ctx: Ctx,
  project: ProjectRow,
  asOf: number,
  after: AllocationPosition | null,
): AsyncGenerator<PublishedAllocation[]> {
  const from = after ?? BEFORE_ALL;
  const pages = placedRows(project, asOf, { from, limit: PAGE_PAYMENTS }, allocationsOf(ctx.db, project));
  for await (const page of pages) {
    const rows = page.map((row) => publishedOf(row, project.decimals));
    yield rows.filter(
      (row) =>
        row.ledger_index !== from.ledgerIndex ||
        row.transaction_index !== from.transactionIndex ||
        row.tier > from.tier,
    );
  }
}

interface Row extends Placed {
  investment_id: string;
  tx_hash: string;
  investor_account: string;
  tier: number;
  price: string;
  amount_drops: string;
  units: string;
  confirmed_at: number;
  decided_at: number;
}

/**
 * The allocations of a decided payment: an allocation stands in its payment's place, that of an
 * assigned payment in the place of the action that assigned it. When it was decided is what was written then, and not taken
 * from that place: a place that is published falsely does not agree with it. Rows up to a confirmed ledger never change: the reads of one
 * export need no common snapshot.
 */
const allocationsOf = (db: Db, project: Pick<ProjectRow, 'id'>) => ({
  read: (statement: SQL) => db.execute<Row>(statement),
  columns: sql`o.investment_id, o.tx_hash, o.investor_account, o.tier, o.price::text, o.amount_drops::text, o.units::text,
    ${epoch(sql`o.confirmed_at`)} as confirmed_at, ${epoch(sql`coalesce(o.decided_at, o.confirmed_at)`)} as decided_at`,
  key: 'investment_id' as const,
  of: sql`select i.id as investment_id, i.tx_hash, i.investor_account, a.tier, t.price, a.amount_drops, a.units, i.confirmed_at, i.decided_at
    from ${investments} i
    join ${allocations} a on a.investment_id = i.id
    join ${tiers} t on t.project_id = a.project_id and t.tier = a.tier
    where i.tx_hash = page.tx_hash and i.project_id = ${project.id}`,
  order: sql`o.tier`,
});

const publishedOf = (row: Row, decimals: number): PublishedAllocation => ({
  investment_id: row.investment_id,
  transaction_hash: row.tx_hash,
  ledger_index: Number(row.decided_ledger),
  transaction_index: row.decided_transaction,
  investor_account: row.investor_account,
  tier: row.tier,
  price_per_token: formatPrice(BigInt(row.price)),
  amount_xrp: formatDrops(BigInt(row.amount_drops)),
  tokens: formatUnits(BigInt(row.units), decimals),
  assigned_by: row.assigned_by,
  confirmed_at: utcText(row.confirmed_at),
  decided_at: utcText(row.decided_at),
});
