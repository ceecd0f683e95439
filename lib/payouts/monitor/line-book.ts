import { PlatformError } from '#lib/base/errors.ts';
import type { IssuedLines, Ledger, TrustLine } from '#lib/xrpl/types.ts';

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
export function lineBook(
  ledger: Pick<Ledger, 'issuedLines' | 'trustLine'>,
  waiting: readonly { issuer: string; currency: string; holders: number }[],
): Ledger['trustLine'] {
  const worth = new Map(waiting.map(({ issuer, currency, holders }) => [`${currency}.${issuer}`, pagesWorth(holders)]));
  const passes = new Map<string, Promise<IssuedLines>>();
  const single = new Map<string, Promise<TrustLine | null>>();

  function pass(issuer: string, currency: string): Promise<IssuedLines> | null {
    const token = `${currency}.${issuer}`;
    const maxPages = worth.get(token) ?? 0;
    if (maxPages === 0) return null;
    const reading = passes.get(token) ?? readPass(ledger, issuer, currency, maxPages);
    passes.set(token, reading);
    return reading;
  }

  return async (holder, issuer, currency) => {
    const issued = await pass(issuer, currency);
    const met = issued?.lines.get(holder);
    if (met !== undefined) return met;
    if (issued?.complete) return null;
    const key = `${holder} ${currency}.${issuer}`;
    const reading = single.get(key) ?? ledger.trustLine(holder, issuer, currency);
    single.set(key, reading);
    return reading;
  };
}

/** A server that refuses the whole, or answers it oddly, may still answer for single holders. */
async function readPass(
  ledger: Pick<Ledger, 'issuedLines'>,
  issuer: string,
  currency: string,
  maxPages: number,
): Promise<IssuedLines> {
  try {
    return await ledger.issuedLines(issuer, currency, maxPages);
  } catch (error) {
    if (error instanceof PlatformError && error.code === 'ledger_unavailable') throw error;
    return { lines: new Map(), complete: false };
  }
}
