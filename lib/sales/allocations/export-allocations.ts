import { type AllocationRow, allocationRow } from '@tranche/verifier/published.ts';
import type { Ctx } from '#lib/ctx.ts';
import { findProject, type ProjectRow } from '../projects/project-resource.ts';
import { asOfLedger } from '../published/as-of.ts';
import { decisionWindows } from '../published/decision-windows.ts';
import { atMost, CONTENT_TYPE, type ExportFormat, rowsAsText } from '../published/rows-as-text.ts';
import type { AllocationPlace } from './place.ts';
import { readAllocationsOf } from './read-allocations.ts';

/** Payments a statement, and a chunk of the answer. */
const PAGE_PAYMENTS = 1_000;
const BEFORE_ALL: AllocationPlace = { ledgerIndex: 0, transactionIndex: 0, tier: 0 };
const COLUMNS = Object.keys(allocationRow.shape) as (keyof AllocationRow)[];

interface ExportedAllocations {
  contentType: string;
  chunks: AsyncIterable<string>;
  headers: Record<string, string>;
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
    cursor?: AllocationPlace | undefined;
  },
): Promise<ExportedAllocations> {
  const project = await findProject(ctx.db, input.id);
  const asOf = await asOfLedger(ctx.db, project, input.as_of);
  const after = input.cursor ?? null;
  return {
    contentType: CONTENT_TYPE[input.format],
    chunks: rowsAsText(
      atMost(openAllocations(ctx, project, asOf, input.cursor ?? null), input.limit),
      COLUMNS,
      input.format,
    ),
    headers: {
      vary: 'accept',
      'x-as-of-ledger': String(asOf),
      'content-disposition': `attachment; filename="${project.slug}-allocations-${asOf}.${input.format}"`,
    },
    name: JSON.stringify(['allocations of form 2', project.id, asOf, after, input.limit ?? null, input.format]),
  };
}

/** Pages of allocations after a place (null: from the first), as of a ledger. */
export async function* openAllocations(
  ctx: Ctx,
  project: ProjectRow,
  asOf: number,
  after: AllocationPlace | null,
): AsyncGenerator<AllocationRow[]> {
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
