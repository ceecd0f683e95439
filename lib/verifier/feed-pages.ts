import { ledgerUnavailable } from './errors.ts';
import type { HistoryPlace } from './progress.ts';
import type { FeedPage } from './read-feed.ts';
import type { LedgerSource } from './types.ts';

/** Entries asked for at once; whole ledgers only. */
const MAX_ENTRIES = 3_000;

/**
 * An account's feed after a place and up to `through`, page by page, each read while the one before it is looked at, the
 * first from now on. Throws `ledger_unavailable` when the server does not go on.
 */
export function feedPages(
  ledger: LedgerSource,
  account: string,
  from: HistoryPlace,
  through: number,
): AsyncGenerator<FeedPage> {
  const read = ({ afterLedger, afterHash }: HistoryPlace): Promise<FeedPage> | null => {
    if (afterLedger >= through) return null;
    const page = ledger.readFeed({ account, afterLedger, afterHash, throughLedger: through, maxEntries: MAX_ENTRIES });
    // Whoever waits for it gets its error; nobody may wait.
    page.catch(() => undefined);
    return page;
  };
  return pagesFrom(read, from.afterLedger, read(from));
}

async function* pagesFrom(
  read: (from: HistoryPlace) => Promise<FeedPage> | null,
  after: number,
  first: Promise<FeedPage> | null,
): AsyncGenerator<FeedPage> {
  let reached = after;
  for (let coming = first; coming !== null; ) {
    const page: FeedPage = await coming;
    if (page.readThrough <= reached)
      throw ledgerUnavailable(`The ledger server does not go on after ledger ${reached}`);
    reached = page.readThrough;
    coming = read({ afterLedger: reached, afterHash: page.readThroughHash });
    yield page;
  }
}
