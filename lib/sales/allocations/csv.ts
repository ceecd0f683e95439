import { stringify } from 'csv-stringify/sync';

/**
 * Rows as RFC 4180 lines, each with its CRLF. A text that a spreadsheet would run as a formula gets an apostrophe before
 * it. Without rows only the header remains, if it is asked for.
 */
export const csvLines = <Row extends object>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
  { header }: { header: boolean },
): string =>
  stringify([...rows], {
    columns: [...columns],
    header,
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    escape_formulas: true,
  });
