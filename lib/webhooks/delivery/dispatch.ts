import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { deliveries, webhooks } from '#drizzle/schema/events.ts';
import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';
import { AttemptLimiter, type LimitedAttempt } from './attempt-limiter.ts';
import { claimFirstAttempts, findInFlight, hasBody, returnClaims, stillInFlight } from './claim.ts';
import { hasEventsToFanOut, type Watch } from './fan-out.ts';
import { openSender, performAttempt, type Sender, Signers } from './send.ts';
import { OutcomeWriter } from './store-outcomes.ts';

/** While slow receivers are waited for, new work is looked for this often. */
const LOOK_AGAIN_MS = 250;
/** How often those attempts of other workers are looked for that were in flight. */
const LOOK_AT_OTHERS_MS = 250;
/** After a claim that found nothing, ends are gathered for so long before the next. */
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

interface DispatchOptions {
  /** Until this sees no reason to stay, the slice does. */
  watch?: Pick<Watch, 'news' | 'stays'>;
  /** Ends it before the deadline. */
  isLost?: () => boolean;
  /** Called once nothing more is begun, while what hangs is still in flight. */
  handOver?: () => Promise<void>;
}

/** A slice at work: it claims attempts into the limiter, sends those that may begin, and gives their outcomes to the writer. */
interface Slice {
  ctx: Ctx;
  isOver: () => boolean;
  limiter: AttemptLimiter;
  sender: Sender;
  signers: Signers;
  writer: OutcomeWriter;
  inFlight: Set<Promise<void>>;
  begun: number;
  ended: number;
  /** Resolved when an attempt has ended and more should be claimed. */
  wantsMore: PromiseWithResolvers<void>;
}

/**
 * One slice of first attempts: claims, sends and stores until nothing is due or `deadlineMs` (of ctx.clock). Starts no attempt
 * after the deadline and ends within WEBHOOK_TIMEOUT_MS of it. Any number may run at once: rows are claimed with SKIP LOCKED.
 * What other workers have in flight as it begins, its predecessor above all, is taken off the limits of their receivers until
 * it ends. Claiming, sending and storing go on side by side: a receiver that answers quickly has its next attempts claimed
 * before they may begin, and outcomes are stored in batches of what ended meanwhile.
 */
export async function dispatchFirstAttempts(
  ctx: Ctx,
  deadlineMs: number,
  { watch, isLost, handOver }: DispatchOptions = {},
): Promise<DispatchResult> {
  const slice: Slice = {
    ctx,
    isOver: () => ctx.clock.nowMs() >= deadlineMs || isLost?.() === true,
    limiter: new AttemptLimiter(),
    sender: openSender(),
    signers: new Signers(),
    writer: new OutcomeWriter(ctx),
    inFlight: new Set(),
    begun: 0,
    ended: 0,
    wantsMore: Promise.withResolvers(),
  };
  const stored = { success: 0, retrying: 0, failed: 0 };
  try {
    await claimUntilOver(slice, watch);
    await within(BEFORE_HAND_OVER_MS, allEnded(slice));
    await handOver?.();
  } finally {
    await within(env().WEBHOOK_TIMEOUT_MS + BEYOND_TIMEOUT_MS, allEnded(slice));
    try {
      Object.assign(stored, await slice.writer.close());
    } finally {
      await slice.sender.close();
    }
  }
  return { attempted: slice.begun, ...stored, more: await hasDueFirstAttempts(ctx) };
}

async function claimUntilOver(slice: Slice, watch: DispatchOptions['watch']): Promise<void> {
  const { ctx, limiter, writer, isOver } = slice;
  const returnQueued = () => returnClaims(ctx, limiter.removeQueued(ctx.clock.nowMs(), isOver()));
  // Each slice begins elsewhere in the round, so that no webhook is always the first.
  let after = newId('wh', ctx.random);
  let others = await findInFlight(ctx);
  let lookedAtMs = performance.now();
  limiter.noteOthers(others);
  while (!isOver()) {
    if (others.length > 0 && performance.now() - lookedAtMs >= LOOK_AT_OTHERS_MS) {
      lookedAtMs = performance.now();
      others = await stillInFlight(ctx, others);
      limiter.noteOthers(others);
      sendQueued(slice);
    }
    // Taken before the claim, which may not see what is written meanwhile.
    const news = watch === undefined ? [] : [watch.news];
    const endedBefore = slice.ended;
    const filled = await fillUp(slice, after);
    after = filled.after;
    // An end makes room where none was left, here or at another worker: only a look with nothing in hand, nothing claimed and no
    // end is the last.
    // What waits for a rate limit is let through by time.
    if (filled.paced || filled.count > 0 || limiter.count + others.length > 0 || slice.ended > endedBefore) {
      // Most ends are of webhooks for which nothing waits: a look for each would cost more than the attempts.
      if (filled.count === 0) await within(AFTER_NOTHING_MS, ...news);
      await within(LOOK_AGAIN_MS, slice.wantsMore.promise, ...news);
      slice.wantsMore = Promise.withResolvers();
    } else if (watch === undefined || !(await watch.stays())) return;
    await returnQueued();
    await writer.keepUp();
  }
  await returnQueued();
}

/**
 * Claims attempts until there is no room, no time, or every webhook was offered all the room it has. Gives the number claimed,
 * the webhook to go on after, and whether something waits for a rate limit.
 */
async function fillUp(slice: Slice, afterWebhookId: string): Promise<{ count: number; after: string; paced: boolean }> {
  const { ctx, limiter, isOver } = slice;
  let after = afterWebhookId;
  let count = 0;
  let isPaced = false;
  // A round that begins in the middle says nothing about the webhooks before it.
  let isWhole = after === '';
  while (limiter.wantsMore && !isOver()) {
    const { claimed, nextAfter, paced } = await claimFirstAttempts(ctx, { ...limiter.room, afterWebhookId: after });
    limiter.queue(claimed, ctx.clock.nowMs());
    sendQueued(slice);
    count += claimed.length;
    isPaced ||= paced;
    after = nextAfter;
    if (after !== '') continue;
    if (isWhole) break;
    isWhole = true;
  }
  return { count, after, paced: isPaced };
}

/** Sends what is queued and may begin. Whenever an attempt ends, the next ones follow at once. */
function sendQueued(slice: Slice): void {
  while (!slice.isOver()) {
    const attempt = slice.limiter.next();
    if (attempt === undefined) return;
    slice.begun += 1;
    const sending = sendOne(slice, attempt).then(() => {
      slice.inFlight.delete(sending);
      slice.ended += 1;
      sendQueued(slice);
      if (slice.limiter.wantsMore) slice.wantsMore.resolve();
    });
    slice.inFlight.add(sending);
  }
}

/** Makes an attempt and gives its outcome to the writer. Never throws. */
async function sendOne({ ctx, limiter, sender, signers, writer }: Slice, attempt: LimitedAttempt): Promise<void> {
  const { due } = attempt;
  try {
    const outcome = await performAttempt(ctx, sender, due, signers);
    limiter.learn(due, outcome);
    writer.add(outcome);
    // Its connection is free in the turn after the next: another attempt that began before would open a new one.
    await nextTurn();
    await nextTurn();
  } catch (err) {
    // Its claim runs out and it is made again: one broken row must not stop the slice.
    logFailure(ctx, { err, delivery_id: due.deliveryId }, 'A delivery attempt could not be made');
  }
  limiter.end(attempt);
}

async function allEnded({ inFlight }: Slice): Promise<void> {
  while (inFlight.size > 0) await Promise.all(inFlight);
}

/** Waits for the first of these, `ms` at most. */
async function within(ms: number, ...any: Promise<void>[]): Promise<void> {
  const { promise: tooLong, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([tooLong, ...any]);
  clearTimeout(timer);
}
