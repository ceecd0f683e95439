import { csvLines } from '../allocations/csv.ts';

export type ExportFormat = 'jsonl' | 'csv';
export const CONTENT_TYPE: Record<ExportFormat, string> = {
  jsonl: 'application/jsonl',
  csv: 'text/csv; charset=utf-8; header=present',
};

/** Pages of rows as chunks of text, one a page; a CSV begins with its header, also when there is no row. */
export async function* rowsAsText<Row extends object>(
  pages: AsyncIterable<readonly Row[]>,
  columns: readonly (keyof Row & string)[],
  format: ExportFormat,
): AsyncGenerator<string> {
  let header = true;
  for await (const rows of pages) {
    yield format === 'csv'
      ? csvLines(rows, columns, { header })
      : rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    header = false;
  }
  if (header && format === 'csv') yield csvLines<Row>([], columns, { header });
}

/** Pages until one is not full. `after` is where the next page begins. */
export async function* pagesAfter<Row, Place>(
  first: Place,
  pageRows: number,
  read: (after: Place, limit: number) => Promise<Row[]>,
  placeOf: (row: Row) => Place,
): AsyncGenerator<Row[]> {
  let after = first;
  for (;;) {
    const rows = await read(after, pageRows);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < pageRows) return;
    after = placeOf(last);
  }
}

/** The first `limit` rows of the pages (undefined: all). */
export async function* atMost<Row>(pages: AsyncIterable<Row[]>, limit: number | undefined): AsyncGenerator<Row[]> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  for await (const rows of pages) {
    yield rows.length <= left ? rows : rows.slice(0, left);
    left -= rows.length;
    if (left <= 0) return;
  }
}
