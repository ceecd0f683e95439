import type { Ctx } from '#lib/ctx.ts';
import { resubmitActions } from '#lib/sales/actions/submit-action.ts';
import { readAgreedFeed } from '#lib/sales/feed/agreed-feed.ts';
import { feedEnd } from '#lib/sales/feed/feed-end.ts';
import { type Position, readFeedPosition } from '#lib/sales/feed/load-state.ts';
import type { Undecided } from '#lib/sales/feed/quote-arrivals.ts';
import { readCredentials, toldThrough } from '#lib/sales/feed/read-credentials.ts';
import { recognise } from '#lib/sales/feed/recognise.ts';
import { reconcile } from '#lib/sales/feed/reconcile.ts';
import type { FeedPage } from '#lib/xrpl/types.ts';
import { type AccountShare, eachAccount } from './each-account.ts';
import { defineJob } from './engine.ts';

/** Entries of one transaction: whole ledgers are written at once, and this bounds what one holds. */
const MAX_PAGE_ENTRIES = 2_000;
/** While so many payments wait to be decided, a slice reads one page: what waits is read as a whole by the next slice. */
const MAX_UNDECIDED = 10_000;

/** Reads the feeds of the deposit accounts and records what came. */
export const intake = defineJob({
  name: 'intake',
  schedule: 'every slice',
  budgetMs: 6_000,
  leaseSeconds: 15,
  faultName: 'read_feeds',
  async run(ctx, slice) {
    const ledger: { from: number | null; to: number | null } = { from: null, to: null };
    let recognised = 0;
    const { more, failures } = await eachAccount(ctx, slice, async (share) => {
      const taken = await takeIn(ctx, share);
      ledger.from = Math.min(ledger.from ?? taken.from, taken.from);
      ledger.to = Math.max(ledger.to ?? taken.to, taken.to);
      recognised += taken.recognised;
      return taken.more;
    });
    return { ledger, recognised, more, failures, faults: failures.map(({ account }) => `read_feeds ${account}`) };
  },
});

export interface TakenIn {
  from: number;
  to: number;
  recognised: number;
  /** The time was up before the feed's end. */
  more: boolean;
}

/**
 * Reads the account's feed as far as it may be recorded (`feedEnd`), page by page; while one page is written the next one is read. Safe
 * beside any number of others: every write is a compare-and-set on the account's row.
 */
export async function takeIn(ctx: Ctx, { account, server, deadlineMs, stillMine }: AccountShare): Promise<TakenIn> {
  await resubmitActions(ctx, account, server.validatedIndex);
  let position = await readFeedPosition(ctx.db, account);
  const total: TakenIn = { from: position.cursorLedger, to: position.cursorLedger, recognised: 0, more: false };
  const throughLedger = await feedEnd(ctx, account, position, server.validatedIndex);
  const pages = new PagesAhead(ctx, account, throughLedger);
  const mayGoOn = async () => ctx.clock.nowMs() < deadlineMs && (await stillMine());
  let kept: Undecided | null = null;
  while (position.cursorLedger < throughLedger) {
    const read = await pages.after(position);
    // The server has nothing new: it may lag behind another.
    if (read.readThrough <= position.cursorLedger) break;
    const { page, untold } = await asFarAsTold(ctx, account, position, { page: read, mayGoOn });
    if (page === null) {
      total.more = true;
      break;
    }
    const recognised = await recognise(ctx, { account, afterLedger: position.cursorLedger, page, kept });
    kept = recognised.undecided;
    total.recognised += recognised.payments;
    // Another process was faster: go on from where it has come to.
    position = recognised.advanced ? { ...position, ...endOf(page) } : await readFeedPosition(ctx.db, account);
    if (!recognised.advanced && position.cursorLedger <= total.to) break;
    total.to = position.cursorLedger;
    if (untold !== null) throw untold;
    if (position.cursorLedger >= throughLedger) break;
    if ((kept?.payments ?? 0) >= MAX_UNDECIDED || !(await mayGoOn())) {
      total.more = true;
      break;
    }
  }
  if (total.to > total.from) await reconcile(ctx, account);
  return total;
}

interface Told {
  /** What can be recorded; null when the time was up before that is known. */
  page: FeedPage | null;
  /** Why not all of it can; null when all can. */
  untold: unknown;
}

/**
 * Reads what a page's payments depend on, so that what they are expected to buy can be told. Where the servers do not tell a
 * credential, what comes before that payment is recorded all the same; the feed waits from there on.
 */
async function asFarAsTold(
  ctx: Ctx,
  account: string,
  position: Position,
  read: { page: FeedPage; mayGoOn: () => Promise<boolean> },
): Promise<Told> {
  let { page } = read;
  let untold: unknown = null;
  // Most pages bring none.
  while (position.requiresCredentials && page.entries.some(({ kind }) => kind !== 'other')) {
    try {
      const wanted = { account, throughLedger: page.readThrough, arriving: page.entries };
      return (await readCredentials(ctx, wanted, read.mayGoOn)) ? { page, untold } : { page: null, untold };
    } catch (error) {
      untold ??= error;
      const throughLedger = toldThrough(error);
      if (throughLedger === null || throughLedger <= position.cursorLedger) throw untold;
      page = await readPage(ctx, account, position, throughLedger);
      if (page.readThrough <= position.cursorLedger) throw untold;
    }
  }
  return { page, untold };
}

const endOf = (page: FeedPage) => ({ cursorLedger: page.readThrough, cursorHash: page.readThroughHash });

type Cursor = Pick<Position, 'cursorLedger' | 'cursorHash'>;

/** Pages of a feed, each read while the one before it is being written. */
class PagesAhead {
  readonly #ctx: Ctx;
  readonly #account: string;
  readonly #throughLedger: number;
  #next: { after: number; page: Promise<FeedPage> } | null = null;

  constructor(ctx: Ctx, account: string, throughLedger: number) {
    this.#ctx = ctx;
    this.#account = account;
    this.#throughLedger = throughLedger;
  }

  async after(position: Cursor): Promise<FeedPage> {
    const ahead = this.#next;
    this.#next = null;
    const page = await (ahead?.after === position.cursorLedger ? ahead.page : this.#read(position));
    // A page without entries is soon written: reading ahead would only add to a slice that is about to end.
    if (page.entries.length > 0 && page.readThrough < this.#throughLedger) {
      const next = this.#read(endOf(page));
      // Its error is thrown where the page is asked for, if it is.
      next.catch(() => undefined);
      this.#next = { after: page.readThrough, page: next };
    }
    return page;
  }

  #read(position: Cursor): Promise<FeedPage> {
    return readPage(this.#ctx, this.#account, position, this.#throughLedger);
  }
}

const readPage = (
  ctx: Ctx,
  account: string,
  { cursorLedger: afterLedger, cursorHash: afterHash }: Cursor,
  throughLedger: number,
): Promise<FeedPage> =>
  readAgreedFeed(ctx, { account, afterLedger, afterHash, throughLedger, maxEntries: MAX_PAGE_ENTRIES });
