import { PlatformError } from '#lib/base/errors.ts';
import type { IssuedLines, Ledger } from '#lib/xrpl/types.ts';
import { askOnce } from '../check.ts';

/** A page of an issuer's lines is read in place of so many single lines: those are read side by side, pages are not. */
const HOLDERS_A_PAGE = 16;
/** 80,000 lines of one issuer; what lies beyond is asked for one by one. */
const MAX_PAGES = 200;

/** How many pages of the issuer's lines it is worth to read for so many holders. */
export const pagesWorth = (holders: number): number => Math.min(MAX_PAGES, Math.floor(holders / HOLDERS_A_PAGE));

/**
 * The trust lines of many holders, each read once: by one pass over their issuer's lines where that asks the ledger
 * less, by its own key otherwise. The issuer may have any number of lines, and nothing says how many: a pass ends after
 * the pages it is worth, and only who was not met is asked for one by one.
 */
export function trustLineCache(
  ledger: Pick<Ledger, 'issuedLines' | 'trustLine'>,
  waiting: readonly { issuer: string; currency: string; holders: number }[],
): Ledger['trustLine'] {
  const worth = new Map(waiting.map(({ issuer, currency, holders }) => [`${currency}.${issuer}`, pagesWorth(holders)]));
  const single = askOnce(ledger.trustLine);
  const pass = askOnce((issuer: string, currency: string) =>
    readPass(ledger, issuer, currency, worth.get(`${currency}.${issuer}`) ?? 0),
  );
  return async (holder, issuer, currency) => {
    const { lines, complete } = await pass(issuer, currency);
    return lines.get(holder) ?? (complete ? null : single(holder, issuer, currency));
  };
}

const NOTHING_READ: IssuedLines = { lines: new Map(), complete: false };

/** A server that refuses the whole, or answers it oddly, may still answer for single holders. */
async function readPass(
  ledger: Pick<Ledger, 'issuedLines'>,
  issuer: string,
  currency: string,
  maxPages: number,
): Promise<IssuedLines> {
  if (maxPages === 0) return NOTHING_READ;
  try {
    return await ledger.issuedLines(issuer, currency, maxPages);
  } catch (error) {
    if (error instanceof PlatformError && error.code === 'ledger_unavailable') throw error;
    return NOTHING_READ;
  }
}
