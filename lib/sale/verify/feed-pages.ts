import { ledgerUnavailable } from '#lib/ledger/fault.ts';
import type { FeedPage } from '#lib/ledger/types.ts';
import type { LedgerSource } from './types.ts';

/** Entries asked for at once; whole ledgers only. */
const MAX_ENTRIES = 2_000;

interface Place {
  afterLedger: number;
  afterHash: string | null;
}

/**
 * An account's feed after a place and up to `through`, page by page, each read while the one before it is looked at.
 * Throws `ledger_unavailable` when the server does not go on.
 */
export async function* feedPages(
  ledger: LedgerSource,
  account: string,
  from: Place,
  through: number,
): AsyncGenerator<FeedPage> {
  const read = ({ afterLedger, afterHash }: Place): Promise<FeedPage> => {
    const page = ledger.readFeed({ account, afterLedger, afterHash, throughLedger: through, maxEntries: MAX_ENTRIES });
    // Whoever waits for it gets its error; nobody may wait.
    page.catch(() => undefined);
    return page;
  };
  let reached = from.afterLedger;
  let next = reached < through ? read(from) : null;
  while (next !== null) {
    const page = await next;
    if (page.readThrough <= reached)
      throw ledgerUnavailable(`The ledger server does not go on after ledger ${reached}`);
    reached = page.readThrough;
    next = reached < through ? read({ afterLedger: reached, afterHash: page.readThroughHash }) : null;
    yield page;
  }
}
