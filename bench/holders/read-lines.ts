import type { LedgerServer } from '#lib/xrpl/connection.ts';
import { LINES_A_PAGE } from '#lib/xrpl/trust-lines.ts';

type Page = { ledger_index: number; lines: unknown[]; marker?: unknown };

/** Counts the issuer's lines in the newest ledger, one page after the other and at most `maxPages`; nothing is kept. */
export async function readLines(
  server: LedgerServer,
  issuer: string,
  maxPages = Number.POSITIVE_INFINITY,
): Promise<number> {
  let lines = 0;
  let ledgerIndex: number | 'validated' = 'validated';
  let marker: unknown;
  for (let page = 0; page < maxPages; page++) {
    const answer = (await server.request({
      command: 'account_lines',
      account: issuer,
      ledger_index: ledgerIndex,
      limit: LINES_A_PAGE,
      ...(marker === undefined ? {} : { marker }),
    })) as Page;
    lines += answer.lines.length;
    ({ ledger_index: ledgerIndex, marker } = answer);
    if (marker === undefined) break;
  }
  return lines;
}
