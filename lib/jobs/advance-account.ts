import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import { depositAccounts, projects } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { ServerState } from '#lib/ledger/types.ts';
import { env } from '#lib/platform/env.ts';
import { confirm } from '#lib/sale/confirm.ts';
import { resubmitMoves } from '#lib/sale/moves/resubmit-moves.ts';
import { recognise } from '#lib/sale/recognise.ts';

/** Entries of one transaction (design section 4, "Receiving"). */
const MAX_PAGE_ENTRIES = 2_000;

export interface Advanced {
  from: number;
  to: number;
  recognised: number;
  confirmed: number;
  refused: number;
  tiersCompleted: number;
  /** Deliveries that were written for the first time. */
  deliveries: number;
  /** The time was up before the feed's end. */
  more: boolean;
}

/**
 * Reads the account's feed to the newest validated ledger and decides what is confirmable, page by page, until done or
 * `deadlineMs`. Safe beside any number of others: every write is a compare-and-set on the account's row.
 */
export async function advanceAccount(
  ctx: Ctx,
  input: { account: string; server: ServerState; deadlineMs: number; stillMine: () => Promise<boolean> },
): Promise<Advanced> {
  const { account, server } = input;
  await resubmitMoves(ctx, account);
  const start = await readPlace(ctx, account);
  const total: Advanced = {
    from: start.cursorLedger,
    to: start.cursorLedger,
    recognised: 0,
    confirmed: 0,
    refused: 0,
    tiersCompleted: 0,
    deliveries: 0,
    more: false,
  };
  let place = start;
  for (;;) {
    if (place.cursorLedger < server.validatedIndex) {
      const page = await ctx.ledger.readFeed({
        account,
        afterLedger: place.cursorLedger,
        afterHash: place.cursorHash,
        throughLedger: server.validatedIndex,
        maxEntries: MAX_PAGE_ENTRIES,
      });
      if (page.readThrough <= place.cursorLedger) {
        // The server has nothing new (it may lag behind another); what is recognised already can still be confirmed.
        await confirmThrough(ctx, account, confirmable(place.cursorLedger, server), total);
        break;
      }
      const recognised = await recognise(ctx, { account, afterLedger: place.cursorLedger, page });
      total.recognised += recognised.payments;
      total.deliveries += recognised.deliveries;
      // Another process was faster: go on from where it has come to.
      place = recognised.advanced
        ? { ...place, cursorLedger: page.readThrough, cursorHash: page.readThroughHash }
        : await readPlace(ctx, account);
      if (!recognised.advanced && place.cursorLedger <= total.to) break;
    }
    total.to = place.cursorLedger;
    await confirmThrough(ctx, account, confirmable(place.cursorLedger, server), total);
    if (place.cursorLedger >= server.validatedIndex) break;
    if (ctx.clock.nowMs() >= input.deadlineMs || !(await input.stillMine())) {
      total.more = true;
      break;
    }
  }
  return total;
}

/** The last ledger that may be decided now. */
const confirmable = (cursorLedger: number, server: ServerState): number =>
  Math.min(cursorLedger, server.validatedIndex - env().CONFIRMATIONS);

async function confirmThrough(ctx: Ctx, account: string, throughLedger: number, total: Advanced): Promise<void> {
  if (throughLedger <= (await readPlace(ctx, account)).confirmedLedger) return;
  const closedAtMs = await closeTimeIfAnEndIsNear(ctx, account, throughLedger);
  for (let more = true; more; ) {
    const confirmed = await confirm(ctx, { account, throughLedger, closedAtMs });
    total.confirmed += confirmed.confirmed;
    total.refused += confirmed.refused;
    total.tiersCompleted += confirmed.tiersCompleted;
    total.deliveries += confirmed.deliveries;
    more = confirmed.more;
  }
}

/** Only a sale whose `ends_at` has come needs to know the ledger's time; for all others the request is saved. */
async function closeTimeIfAnEndIsNear(ctx: Ctx, account: string, ledgerIndex: number): Promise<number | null> {
  const [ending] = await ctx.db
    .select({ id: projects.id })
    .from(projects)
    .where(
      and(
        eq(projects.depositAddress, account),
        inArray(projects.status, ['active', 'paused']),
        // Ledgers may run ahead of this clock; a minute too early costs one request and decides nothing.
        lte(projects.endsAt, new Date(ctx.clock.nowMs() + 60_000)),
      ),
    )
    .limit(1);
  return ending === undefined ? null : ctx.ledger.closedAtMs(ledgerIndex);
}

interface Place {
  cursorLedger: number;
  cursorHash: string;
  confirmedLedger: number;
}

async function readPlace(ctx: Ctx, account: string): Promise<Place> {
  const [row] = await ctx.db
    .select({
      cursorLedger: depositAccounts.cursorLedger,
      cursorHash: depositAccounts.cursorHash,
      confirmedLedger: depositAccounts.confirmedLedger,
    })
    .from(depositAccounts)
    .where(sql`${depositAccounts.address} = ${account}`);
  if (row === undefined) throw new Error(`No deposit account ${account}`);
  return row;
}
