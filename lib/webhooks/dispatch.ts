import { sql } from 'drizzle-orm';
import { deliveries, webhooks } from '#drizzle/schema/events.ts';
import type { Ctx } from '#lib/ctx.ts';
import { newId } from '#lib/platform/ids.ts';
import { claimFirstAttempts } from './claim.ts';
import { hasEventsToFanOut } from './fan-out.ts';
import { Flights } from './flights.ts';
import { publishRetries } from './publish-retries.ts';
import { recordOutcomes } from './record.ts';
import { openSender } from './send.ts';

/** Attempts under way at once, in a slice and for one webhook (design section 6). */
const MAX_IN_FLIGHT = 64;
const MAX_IN_FLIGHT_PER_WEBHOOK = 8;
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
      where d.status = 'pending' and d.leased_until is null and d.due_at <= now()
    ) as due`);
  return result.rows[0]?.due === true || hasEventsToFanOut(ctx.db);
}

/**
 * Claims and starts attempts until there is no room, no time, or a look over all webhooks finds nothing.
 * Gives the number started and the webhook to go on after.
 */
async function fillUp(ctx: Ctx, flights: Flights, afterWebhookId: string, deadlineMs: number) {
  let after = afterWebhookId;
  let started = 0;
  while (flights.count < MAX_IN_FLIGHT && ctx.clock.nowMs() < deadlineMs) {
    const claimed = await claimFirstAttempts(ctx, {
      capacity: MAX_IN_FLIGHT - flights.count,
      perNewWebhook: 1,
      left: flights.left(MAX_IN_FLIGHT_PER_WEBHOOK),
      afterWebhookId: after,
    });
    if (claimed.length === 0 && after === '') break;
    for (const attempt of claimed) flights.start(attempt);
    started += claimed.length;
    after =
      claimed
        .map(({ webhookId }) => webhookId)
        .toSorted()
        .at(-1) ?? '';
  }
  return { started, after };
}

/**
 * One slice of first attempts: claims, sends and records until nothing is due or `deadlineMs` (of ctx.clock). Starts no
 * attempt after the deadline and ends within WEBHOOK_TIMEOUT_MS of it. Any number may run at once: rows are claimed
 * with SKIP LOCKED. Outcomes are stored in batches of what ended meanwhile; retries are published beside the work.
 */
export async function dispatchFirstAttempts(ctx: Ctx, deadlineMs: number): Promise<DispatchResult> {
  const result: DispatchResult = { attempted: 0, success: 0, retrying: 0, failed: 0, more: false };
  const sender = openSender();
  const flights = new Flights(ctx, sender);
  const publishing: Promise<void>[] = [];
  // Each slice begins elsewhere in the round, so that no webhook is always the first.
  let after = newId('wh', ctx.random);
  try {
    for (;;) {
      const filled = await fillUp(ctx, flights, after, deadlineMs);
      after = filled.after;
      result.attempted += filled.started;
      const outcomes = await flights.ended(LOOK_AGAIN_MS);
      // An end makes room at a webhook that had none left, so only a look with nothing under way and no end is the last.
      if (outcomes.length === 0 && flights.count === 0) break;
      const recorded = await recordOutcomes(ctx.db, outcomes);
      for (const { status } of recorded) {
        if (status !== 'cancelled') result[status] += 1;
      }
      publishing.push(publishRetries(ctx, recorded));
    }
  } finally {
    await Promise.all(publishing);
    await sender.close();
  }
  result.more = await hasDueFirstAttempts(ctx);
  return result;
}
