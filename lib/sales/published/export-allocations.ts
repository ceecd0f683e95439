import { allocationRow, type PublishedAllocation } from '@tranche/verifier/published.ts';
import { sql } from 'drizzle-orm';
import { allocations, investments, type ProjectRow, tiers } from '#drizzle/schema/sale.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Db } from '#lib/base/db.ts';
import { formatDrops, formatPrice, formatUnits } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { AllocationPosition } from '../allocations/allocation-position.ts';
import { findProject } from '../projects/project-resource.ts';
import { asOfLedger } from './as-of.ts';
import { comparePositions, type Decided, decisionWindows, utc } from './decisions.ts';
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
  for await (const decided of decisionWindows(ctx.db, project, asOf, { from, limit: PAGE_PAYMENTS })) {
    const rows = await readAllocationsOf(ctx.db, project, decided);
    yield rows.filter(
      (row) =>
        row.ledger_index !== from.ledgerIndex ||
        row.transaction_index !== from.transactionIndex ||
        row.tier > from.tier,
    );
  }
}

interface Row extends Record<string, unknown> {
  investment_id: string;
  tx_hash: string;
  investor_account: string;
  tier: number;
  price: string;
  amount_drops: string;
  units: string;
  confirmed_at: string;
  decided_at: string;
}

/**
 * The allocations of decided payments, in the order of the decisions: an allocation stands in its payment's place, that of an
 * assigned payment in the place of the action that assigned it. When it was decided is what was written then, and not taken
 * from that place: a place that is published falsely does not agree with it. Rows up to a confirmed ledger never change: the reads of one
 * export need no common snapshot.
 */
async function readAllocationsOf(
  db: Db,
  project: Pick<ProjectRow, 'id' | 'decimals'>,
  decided: ReadonlyMap<string, Decided>,
): Promise<PublishedAllocation[]> {
  const { rows } = await db.execute<Row>(sql`
    select i.id as investment_id, i.tx_hash, i.investor_account, a.tier, t.price::text, a.amount_drops::text,
      a.units::text, ${utc(sql`i.confirmed_at`)} as confirmed_at,
      ${utc(sql`coalesce(i.decided_at, i.confirmed_at)`)} as decided_at
    from ${investments} i
    join ${allocations} a on a.investment_id = i.id
    join ${tiers} t on t.project_id = a.project_id and t.tier = a.tier
    where i.tx_hash = any (${textArray([...decided.keys()])}) and i.project_id = ${project.id}`);
  const placed = rows.flatMap((row) => {
    const position = decided.get(row.tx_hash);
    return position === undefined ? [] : [{ row, position }];
  });
  placed.sort((a, b) => comparePositions(a.position, b.position) || a.row.tier - b.row.tier);
  return placed.map(({ row, position }) => ({
    investment_id: row.investment_id,
    transaction_hash: row.tx_hash,
    ledger_index: position.ledgerIndex,
    transaction_index: position.transactionIndex,
    investor_account: row.investor_account,
    tier: row.tier,
    price_per_token: formatPrice(BigInt(row.price)),
    amount_xrp: formatDrops(BigInt(row.amount_drops)),
    tokens: formatUnits(BigInt(row.units), project.decimals),
    assigned_by: position.assignedBy,
    confirmed_at: row.confirmed_at,
    decided_at: row.decided_at,
  }));
}
