import type { ProjectRow } from '#drizzle/schema/sale.ts';

export type ExportFormat = 'jsonl' | 'csv';
const CONTENT_TYPE: Record<ExportFormat, string> = {
  jsonl: 'application/jsonl',
  csv: 'text/csv; charset=utf-8; header=present',
};

/** What an export is of. */
interface Export {
  project: Pick<ProjectRow, 'slug'>;
  what: 'payments' | 'payouts' | 'allocations';
  asOf: number;
}

/** An answer that is written page by page while it is read. */
export interface Exported {
  contentType: string;
  chunks: AsyncIterable<string>;
  headers: Record<string, string>;
}

/** The first `limit` rows of the pages (undefined: all) as the answer to an export. */
export const exported = <Row extends object>(
  { project, what, asOf }: Export,
  { format, limit }: { format: ExportFormat; limit?: number | undefined },
  columns: readonly (keyof Row & string)[],
  pages: AsyncIterable<Row[]>,
): Exported => ({
  contentType: CONTENT_TYPE[format],
  chunks: rowsAsText(atMost(pages, limit), columns, format),
  headers: {
    vary: 'accept',
    'x-as-of-ledger': String(asOf),
    'content-disposition': `attachment; filename="${project.slug}-${what}-${asOf}.${format}"`,
  },
});

/** Pages of rows as chunks of text, one a page; a CSV begins with its header, also when there is no row. */
async function* rowsAsText<Row extends object>(
  pages: AsyncIterable<readonly Row[]>,
  columns: readonly (keyof Row & string)[],
  format: ExportFormat,
): AsyncGenerator<string> {
  let header = true;
  for await (const rows of pages) {
    yield format === 'csv'
      ? await csvLines(rows, columns, { header })
      : rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    header = false;
  }
  if (header && format === 'csv') yield await csvLines<Row>([], columns, { header });
}

/** Pages until one is not full. `after` is where the next page begins. */
export async function* pagesAfter<Row, Position>(
  first: Position,
  pageRows: number,
  read: (after: Position, limit: number) => Promise<Row[]>,
  positionOf: (row: Row) => Position,
): AsyncGenerator<Row[]> {
  let after = first;
  for (;;) {
    const rows = await read(after, pageRows);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < pageRows) return;
    after = positionOf(last);
  }
}

/** The first `limit` rows of the pages (undefined: all). */
async function* atMost<Row>(pages: AsyncIterable<Row[]>, limit: number | undefined): AsyncGenerator<Row[]> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  for await (const rows of pages) {
    yield rows.length <= left ? rows : rows.slice(0, left);
    left -= rows.length;
    if (left <= 0) return;
  }
}

/**
 * Rows as RFC 4180 lines, each with its CRLF. A text that a spreadsheet would run as a formula gets an apostrophe before
 * it. Without rows only the header remains, if it is asked for.
 */
export async function csvLines<Row extends object>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
  { header }: { header: boolean },
): Promise<string> {
  // Most ask for JSON lines, and begin without it.
  const { stringify } = await import('csv-stringify/sync');
  return stringify([...rows], {
    columns: [...columns],
    header,
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    escape_formulas: true,
  });
}
