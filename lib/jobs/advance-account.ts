import { env } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import { readAgreedFeed } from '#lib/sales/feed/agreed-feed.ts';
import { type Place, readPlace } from '#lib/sales/feed/load-state.ts';
import { recognise } from '#lib/sales/feed/recognise.ts';
import { reconcile } from '#lib/sales/feed/reconcile.ts';
import { resubmitMoves } from '#lib/sales/moves/resubmit-moves.ts';
import type { FeedPage, ServerState } from '#lib/xrpl/types.ts';
import { confirmThrough } from './confirm-through.ts';

/** Entries of one transaction: whole ledgers are written at once, and this bounds what one holds. */
const MAX_PAGE_ENTRIES = 2_000;

export interface Advanced {
  from: number;
  to: number;
  recognised: number;
  confirmed: number;
  refused: number;
  tiersCompleted: number;
  /** The time was up before the feed's end. */
  more: boolean;
}

/**
 * Reads the account's feed to the newest validated ledger and decides what is confirmable, page by page, until done or
 * `deadlineMs`. While one page is written the next one is read. Safe beside any number of others: every write is a
 * compare-and-set on the account's row.
 */
export async function advanceAccount(
  ctx: Ctx,
  input: { account: string; server: ServerState; deadlineMs: number; stillMine: () => Promise<boolean> },
): Promise<Advanced> {
  const { account, server } = input;
  await resubmitMoves(ctx, account, server.validatedIndex);
  let place = await readPlace(ctx.db, account);
  const total: Advanced = {
    from: place.cursorLedger,
    to: place.cursorLedger,
    recognised: 0,
    confirmed: 0,
    refused: 0,
    tiersCompleted: 0,
    more: false,
  };
  const mayGoOn = async () => ctx.clock.nowMs() < input.deadlineMs && (await input.stillMine());
  const decide = (cursorLedger: number) =>
    confirmThrough(ctx, { account, throughLedger: confirmable(cursorLedger, server), server, mayGoOn }, total);
  const pages = new PagesAhead(ctx, account, server.validatedIndex);
  for (;;) {
    if (place.cursorLedger < server.validatedIndex) {
      const page = await pages.after(place);
      if (page.readThrough <= place.cursorLedger) {
        // The server has nothing new (it may lag behind another); what is recognised already can still be confirmed.
        total.more = !(await decide(place.cursorLedger));
        break;
      }
      const recognised = await recognise(ctx, { account, afterLedger: place.cursorLedger, page });
      total.recognised += recognised.payments;
      // Another process was faster: go on from where it has come to.
      place = recognised.advanced ? { ...place, ...endOf(page) } : await readPlace(ctx.db, account);
      if (!recognised.advanced && place.cursorLedger <= total.to) break;
    }
    total.to = place.cursorLedger;
    const decided = await decide(place.cursorLedger);
    if (decided && place.cursorLedger >= server.validatedIndex) break;
    if (!decided || !(await mayGoOn())) {
      total.more = true;
      break;
    }
  }
  if (total.to > total.from) await reconcile(ctx, account);
  return total;
}

/** The last ledger that may be decided now. */
const confirmable = (cursorLedger: number, server: ServerState): number =>
  Math.min(cursorLedger, server.validatedIndex - env().CONFIRMATIONS);

const endOf = (page: FeedPage) => ({ cursorLedger: page.readThrough, cursorHash: page.readThroughHash });

type Cursor = Pick<Place, 'cursorLedger' | 'cursorHash'>;

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

  async after(place: Cursor): Promise<FeedPage> {
    const ahead = this.#next;
    this.#next = null;
    const page = await (ahead?.after === place.cursorLedger ? ahead.page : this.#read(place));
    // A page without entries is soon written: reading ahead would only add to a slice that is about to end.
    if (page.entries.length > 0 && page.readThrough < this.#throughLedger) {
      const next = this.#read(endOf(page));
      // Whoever asks for it gets its error; nobody may ask.
      next.catch(() => undefined);
      this.#next = { after: page.readThrough, page: next };
    }
    return page;
  }

  #read({ cursorLedger, cursorHash }: Cursor): Promise<FeedPage> {
    return readAgreedFeed(this.#ctx, {
      account: this.#account,
      afterLedger: cursorLedger,
      afterHash: cursorHash,
      throughLedger: this.#throughLedger,
      maxEntries: MAX_PAGE_ENTRIES,
    });
  }
}
