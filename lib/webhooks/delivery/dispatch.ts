import { sql } from 'drizzle-orm';
import { deliveries, webhooks } from '#drizzle/schema/events.ts';
import type { Ctx } from '#lib/ctx.ts';
import { newId } from '#lib/platform/ids.ts';
import { Books } from './books.ts';
import { hasBody } from './claim.ts';
import { claimFirstAttempts } from './claim-first-attempts.ts';
import { hasEventsToFanOut } from './fan-out.ts';
import { Flights } from './flights.ts';
import { openSender } from './send.ts';
import type { Watch } from './watch.ts';

/** While slow receivers are waited for, new work is looked for this often. */
const LOOK_AGAIN_MS = 250;

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
 * Claims and starts attempts until there is no room, no time, or every webhook was offered all the room it has.
 * Gives the number started and the webhook to go on after.
 */
async function fillUp(ctx: Ctx, flights: Flights, afterWebhookId: string, deadlineMs: number) {
  let after = afterWebhookId;
  let started = 0;
  // A round that begins in the middle says nothing about the webhooks before it.
  let isWhole = after === '';
  while (flights.room.capacity > 0 && ctx.clock.nowMs() < deadlineMs) {
    const { claimed, nextAfter } = await claimFirstAttempts(ctx, { ...flights.room, afterWebhookId: after });
    for (const due of claimed) flights.start(due);
    started += claimed.length;
    after = nextAfter;
    if (after !== '') continue;
    if (isWhole) break;
    isWhole = true;
  }
  return { started, after };
}

/**
 * One slice of first attempts: claims, sends and records until nothing is due or `deadlineMs` (of ctx.clock); with a
 * `watch`, until that sees no reason to stay. Starts no attempt after the deadline and ends within WEBHOOK_TIMEOUT_MS of
 * it. Any number may run at once: rows are claimed with SKIP LOCKED. Outcomes are stored in batches of what ended
 * meanwhile, retries published and receivers judged, all beside the next claims.
 */
export async function dispatchFirstAttempts(ctx: Ctx, deadlineMs: number, watch?: Watch): Promise<DispatchResult> {
  const result: DispatchResult = { attempted: 0, success: 0, retrying: 0, failed: 0, more: false };
  const sender = openSender();
  const flights = new Flights(ctx, sender);
  const books = new Books(ctx);
  // Each slice begins elsewhere in the round, so that no webhook is always the first.
  let after = newId('wh', ctx.random);
  try {
    for (;;) {
      const filled = await fillUp(ctx, flights, after, deadlineMs);
      after = filled.after;
      result.attempted += filled.started;
      const outcomes = await flights.ended(LOOK_AGAIN_MS, watch === undefined ? [] : [watch.news]);
      // An end makes room where none was left, also one without an outcome: only a look with nothing under way, nothing
      // begun and no end is the last. Judged before any wait, in which attempts end whose outcomes are not among these.
      const isQuiet = filled.started === 0 && outcomes.length === 0 && flights.count === 0;
      await books.enter(outcomes);
      if (!isQuiet) continue;
      if (watch === undefined || !(await watch.stays())) break;
    }
  } finally {
    Object.assign(result, await books.close());
    await sender.close();
  }
  result.more = await hasDueFirstAttempts(ctx);
  return result;
}
