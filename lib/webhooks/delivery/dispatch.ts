import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { deliveries, webhooks } from '#drizzle/schema/events.ts';
import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import { Books } from './books.ts';
import { hasBody } from './claim.ts';
import { claimFirstAttempts } from './claim-first-attempts.ts';
import { Elsewhere } from './elsewhere.ts';
import { hasEventsToFanOut } from './fan-out.ts';
import { Flights } from './flights.ts';
import { giveBack } from './give-back.ts';
import { openSender } from './send.ts';
import type { Watch } from './watch.ts';

/** While slow receivers are waited for, new work is looked for this often. */
const LOOK_AGAIN_MS = 250;

/** After a look that found nothing, ends are gathered for so long before the next. */
const AFTER_NOTHING_MS = 10;
/** Most attempts end within this once a slice is over; its successor is not kept waiting for those that hang. */
const BEFORE_HAND_OVER_MS = 250;
/** An attempt ends by itself within its time-out and far less than this. */
const BEYOND_TIMEOUT_MS = 5_000;

/** What a slice did. */
export interface DispatchResult {
  attempted: number;
  success: number;
  retrying: number;
  failed: number;
  /** First attempts are still due that a slice could claim now, or events wait to be fanned out. */
  more: boolean;
}

/** True while first attempts are due that a slice could claim now, or may be once an event is fanned out. */
export async function hasDueFirstAttempts(ctx: Ctx): Promise<boolean> {
  const result = await ctx.db.execute<{ due: boolean }>(sql`
    select exists (
      select from ${deliveries} d join ${webhooks} w on w.id = d.webhook_id and w.active and w.deleted_at is null
      where d.status = 'pending' and d.leased_until is null and d.due_at <= now() and ${hasBody}
    ) as due`);
  return result.rows[0]?.due === true || hasEventsToFanOut(ctx.db);
}

/**
 * Claims attempts until there is no room, no time, or every webhook was offered all the room it has. Gives the number claimed
 * and the webhook to go on after.
 */
async function fillUp(ctx: Ctx, flights: Flights, afterWebhookId: string, isOver: () => boolean) {
  let after = afterWebhookId;
  let count = 0;
  // A round that begins in the middle says nothing about the webhooks before it.
  let isWhole = after === '';
  while (flights.wantsMore && !isOver()) {
    const { claimed, nextAfter } = await claimFirstAttempts(ctx, { ...flights.room, afterWebhookId: after });
    flights.add(claimed);
    count += claimed.length;
    after = nextAfter;
    if (after !== '') continue;
    if (isWhole) break;
    isWhole = true;
  }
  return { count, after };
}

export interface DispatchOptions {
  /** Until this sees no reason to stay, the slice does. */
  watch?: Watch;
  /** Ends it before the deadline. */
  isLost?: () => boolean;
  /** Called once nothing more is begun, while what hangs is still under way. */
  handOver?: () => Promise<void>;
}

/**
 * One slice of first attempts: claims, sends and records until nothing is due or `deadlineMs` (of ctx.clock). Starts no attempt
 * after the deadline and ends within WEBHOOK_TIMEOUT_MS of it. Any number may run at once: rows are claimed with SKIP LOCKED.
 * What others have under way as it begins, its predecessor above all, counts for the places of their receivers until it ends.
 * Claiming, sending and storing go on beside each other: who answers quickly has its next attempts claimed before their place
 * is free, and outcomes are stored in batches of what ended meanwhile.
 */
export async function dispatchFirstAttempts(
  ctx: Ctx,
  deadlineMs: number,
  { watch, isLost, handOver }: DispatchOptions = {},
): Promise<DispatchResult> {
  const result: DispatchResult = { attempted: 0, success: 0, retrying: 0, failed: 0, more: false };
  const isOver = () => ctx.clock.nowMs() >= deadlineMs || isLost?.() === true;
  const sender = openSender();
  const books = new Books(ctx);
  const flights = new Flights(ctx, sender, isOver, (outcome) => books.enter(outcome));
  try {
    await claimUntilOver(ctx, { flights, books, isOver, watch });
    await flights.allEnded(BEFORE_HAND_OVER_MS);
    await handOver?.();
  } finally {
    await flights.allEnded(env().WEBHOOK_TIMEOUT_MS + BEYOND_TIMEOUT_MS);
    try {
      Object.assign(result, await books.close(), { attempted: flights.begun });
    } finally {
      await sender.close();
    }
  }
  result.more = await hasDueFirstAttempts(ctx);
  return result;
}

interface Slice {
  flights: Flights;
  books: Books;
  isOver: () => boolean;
  watch: Watch | undefined;
}

async function claimUntilOver(ctx: Ctx, { flights, books, isOver, watch }: Slice): Promise<void> {
  // Each slice begins elsewhere in the round, so that no webhook is always the first.
  let after = newId('wh', ctx.random);
  const elsewhere = await Elsewhere.find(ctx);
  flights.makeRoomFor(elsewhere);
  while (!isOver()) {
    if (await elsewhere.hasFewer()) flights.makeRoomFor(elsewhere);
    const endsBefore = flights.ends;
    const filled = await fillUp(ctx, flights, after, isOver);
    after = filled.after;
    const news = watch === undefined ? [] : [watch.news];
    // An end makes room where none was left, here or elsewhere: only a look with nothing in hand, nothing claimed and no end is
    // the last.
    if (filled.count > 0 || flights.count + elsewhere.count > 0 || flights.ends > endsBefore) {
      // Most ends are of webhooks for which nothing waits: a look for each would cost more than the attempts.
      if (filled.count === 0) await Promise.race([pause(AFTER_NOTHING_MS), ...news]);
      await flights.change(LOOK_AGAIN_MS, news);
    } else if (watch === undefined || !(await watch.stays())) return;
    await giveBack(ctx, flights.surplus());
    await books.keepUp();
  }
  await giveBack(ctx, flights.surplus());
}
