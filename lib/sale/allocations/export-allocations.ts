import { eq } from 'drizzle-orm';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import { PlatformError } from '#lib/platform/errors.ts';
import { projectNotFound } from '../projects/get-project.ts';
import { findProject, type ProjectRow } from '../projects/project-resource.ts';
import { type AllocationRow, allocationRow } from './contracts.ts';
import { csvLines } from './csv.ts';
import type { AllocationPlace } from './place.ts';
import { readPage } from './read-page.ts';

/** Rows a statement, and a chunk of the answer. */
const PAGE_ROWS = 2_000;
const BEFORE_ALL: AllocationPlace = { ledgerIndex: 0, transactionIndex: 0, tier: 0 };
const COLUMNS = Object.keys(allocationRow.shape) as (keyof AllocationRow)[];
const CONTENT_TYPE = { jsonl: 'application/x-ndjson', csv: 'text/csv; charset=utf-8; header=present' } as const;

export interface ExportedAllocations {
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
    format: keyof typeof CONTENT_TYPE;
    as_of?: number | undefined;
    cursor?: AllocationPlace | undefined;
  },
): Promise<ExportedAllocations> {
  const project = await findProject(ctx.db, input.id);
  if (project === null) throw projectNotFound();
  const asOf = await asOfLedger(ctx, project, input.as_of);
  const after = input.cursor ?? BEFORE_ALL;
  return {
    contentType: CONTENT_TYPE[input.format],
    chunks: input.format === 'csv' ? csv(ctx, project, asOf, after) : jsonLines(ctx, project, asOf, after),
    headers: {
      vary: 'accept',
      'x-as-of-ledger': String(asOf),
      'content-disposition': `attachment; filename="${project.slug}-allocations-${asOf}.${input.format}"`,
    },
    name: JSON.stringify(['allocations of form 1', project.id, asOf, after, input.format]),
  };
}

async function asOfLedger(ctx: Ctx, project: ProjectRow, asked: number | undefined): Promise<number> {
  const [account] = await ctx.db
    .select({ confirmedLedger: depositAccounts.confirmedLedger })
    .from(depositAccounts)
    .where(eq(depositAccounts.address, project.depositAddress));
  if (account === undefined) throw new Error(`Project ${project.id} has no deposit account`);
  if (asked === undefined || asked <= account.confirmedLedger) return asked ?? account.confirmedLedger;
  const message = `must be at most ${account.confirmedLedger}, the last ledger that is confirmed`;
  throw new PlatformError('invalid_request', `query.as_of: ${message}`, {
    errors: [{ field: 'query.as_of', message }],
  });
}

async function* pages(
  ctx: Ctx,
  project: ProjectRow,
  asOf: number,
  first: AllocationPlace,
): AsyncGenerator<AllocationRow[]> {
  let after = first;
  for (;;) {
    const rows = await readPage(ctx.db, project, { asOf, after, limit: PAGE_ROWS });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < PAGE_ROWS) return;
    after = { ledgerIndex: last.ledger_index, transactionIndex: last.transaction_index, tier: last.tier };
  }
}

async function* jsonLines(...args: Parameters<typeof pages>): AsyncGenerator<string> {
  for await (const rows of pages(...args)) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

async function* csv(...args: Parameters<typeof pages>): AsyncGenerator<string> {
  let header = true;
  for await (const rows of pages(...args)) {
    yield csvLines(rows, COLUMNS, { header });
    header = false;
  }
  if (header) yield csvLines<AllocationRow>([], COLUMNS, { header });
}
