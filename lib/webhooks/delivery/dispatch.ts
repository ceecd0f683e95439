import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { deliveries, webhooks } from '#drizzle/schema/events.ts';
import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';
import { AttemptLimiter, type LimitedAttempt, type Supply } from './attempt-limiter.ts';
import { claimBacklog, claimFirstAttempts, findInFlight, hasBody, returnClaims, stillInFlight } from './claim.ts';
import { hasEventsToFanOut } from './fan-out.ts';
import { openSender, performAttempt, type Sender, Signers } from './send.ts';
import { OutcomeWriter } from './store-outcomes.ts';
import type { Watch } from './watch.ts';

/** While slow receivers are waited for, new work is looked for this often. */
const LOOK_AGAIN_MS = 250;
/** And while nothing is under way: what another worker has fanned out is told by nobody. */
const LOOK_AGAIN_IDLE_MS = 100;
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
  /** Until this sees no reason to stay, the slice does. What it fans out goes to the slice where that has room for it. */
  watch?: Pick<Watch, 'news' | 'stays'> & Partial<Pick<Watch, 'giveTo'>>;
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
  /** Something may wait to be claimed for which there was no room: the end of an attempt makes some. */
  isLeft: boolean;
  /** The next turn is to claim; else time alone says so. */
  isClaimDue: boolean;
  /** Resolved when a turn is due before its time. */
  turn: PromiseWithResolvers<void>;
  /** Resolved when there is room for what is written next; there while somebody waits for it. */
  room: PromiseWithResolvers<void> | undefined;
  /** Under way while backlogs of quick receivers are claimed from; and what went wrong with it. */
  refilling: Promise<void> | undefined;
  failure: { error: unknown } | undefined;
  /** Nothing more is claimed or begun. */
  isClosed: boolean;
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
    writer: new OutcomeWriter(ctx, () => sendQueued(slice)),
    inFlight: new Set(),
    begun: 0,
    ended: 0,
    isLeft: false,
    isClaimDue: true,
    turn: Promise.withResolvers(),
    room: undefined,
    refilling: undefined,
    failure: undefined,
    isClosed: false,
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
  watch?.giveTo?.({
    room: () => ({ ...slice.limiter.offerAsWritten(), ...(slice.writer.isBehind ? { capacity: 0 } : {}) }),
    supplyWithin: (ms) => supplyWithin(slice, ms),
    take(claimed, backlog) {
      const overtaking = slice.limiter.takeIn(claimed, 'asWritten', slice.ctx.clock.nowMs());
      const isNoted = backlog.length === 0 || slice.limiter.noteBacklog(backlog);
      sendQueued(slice);
      refill(slice);
      return { isTaken: isNoted && overtaking.length === 0, overtaking };
    },
  });
  try {
    await claimByTurns(slice, watch);
  } finally {
    watch?.giveTo?.(null);
    slice.isClosed = true;
    slice.room?.resolve();
    await slice.refilling;
    await returnClaims(slice.ctx, slice.limiter.removeQueued(slice.ctx.clock.nowMs(), true));
  }
  if (slice.failure !== undefined) throw slice.failure.error;
}

const takesMore = ({ writer, isClosed }: Slice): boolean => !writer.isBehind && !isClosed;
const hasRoomToWrite = (slice: Slice): boolean => takesMore(slice) && slice.limiter.hasRoomToWrite;

/** Waits for room, `ms` at most, and tells what there is then. */
async function supplyWithin(slice: Slice, ms: number): Promise<Supply> {
  if (ms > 0 && !hasRoomToWrite(slice)) {
    slice.room = Promise.withResolvers();
    await within(ms, slice.room.promise);
    slice.room = undefined;
  }
  return takesMore(slice) ? slice.limiter.supply : 'enough';
}

/** Gives back what was claimed and shall not wait any longer: all of it once the slice is over. */
async function returnQueued({ ctx, limiter, isOver }: Slice): Promise<number> {
  const removed = limiter.removeQueued(ctx.clock.nowMs(), isOver());
  await returnClaims(ctx, removed);
  return removed.length;
}

/**
 * A claim costs more than an attempt, so one is made only when something is known to wait that was not claimed as it was written:
 * after news, when room is made for what was left, and four times a second for what nobody tells of.
 */
async function claimByTurns(slice: Slice, watch: DispatchOptions['watch']): Promise<void> {
  const { ctx, limiter, writer, isOver } = slice;
  // Each slice begins elsewhere in the round, so that no webhook is always the first.
  let after = newId('wh', ctx.random);
  let others = await findInFlight(ctx);
  let lookedAtMs = performance.now();
  let claimedAtMs = 0;
  let isPaced = false;
  let heard: Promise<void> | undefined;
  limiter.noteOthers(others);
  while (!isOver() && slice.failure === undefined) {
    if (others.length > 0 && performance.now() - lookedAtMs >= LOOK_AT_OTHERS_MS) {
      lookedAtMs = performance.now();
      others = await stillInFlight(ctx, others);
      limiter.noteOthers(others);
      sendQueued(slice);
    }
    // Taken before the claim, which may not see what is written meanwhile.
    if (watch !== undefined && heard !== watch.news) {
      heard = watch.news;
      void heard.then(() => callForTurn(slice, true));
    }
    const endedBefore = slice.ended;
    const againMs = limiter.count > 0 ? LOOK_AGAIN_MS : LOOK_AGAIN_IDLE_MS;
    const claims = slice.isClaimDue || performance.now() - claimedAtMs >= againMs;
    let foundNothing = false;
    if (claims) {
      slice.isClaimDue = false;
      const filled = await fillUp(slice, after);
      claimedAtMs = performance.now();
      after = filled.after;
      isPaced = filled.paced;
      slice.isLeft = filled.left;
      if (filled.left && slice.ended > endedBefore) slice.isClaimDue = true;
      foundNothing = filled.count === 0;
    }
    // What waits for a rate limit is let through by time.
    if (isPaced || limiter.count + others.length > 0 || slice.refilling !== undefined) {
      // Most ends are of webhooks for which nothing waits: a look for each would cost more than the attempts.
      if (foundNothing && slice.isClaimDue) await within(AFTER_NOTHING_MS, ...(heard === undefined ? [] : [heard]));
      if (!slice.isClaimDue) await within(claimedAtMs + LOOK_AGAIN_MS - performance.now(), slice.turn.promise);
    } else if (watch === undefined || !(await Promise.race([watch.stays(), slice.turn.promise.then(() => true)]))) {
      // Only a claim with nothing in hand, which found nothing and saw no end, is the last.
      if (foundNothing && slice.ended === endedBefore) return;
      slice.isClaimDue = true;
    }
    slice.turn = Promise.withResolvers();
    if ((await returnQueued(slice)) > 0) slice.isLeft = true;
    await writer.keepUp();
  }
}

/** Claims from the backlogs of quick receivers beside the turns, while that is worth it. */
function refill(slice: Slice): void {
  if (slice.refilling === undefined && slice.limiter.wantsRefill && !slice.isClosed)
    slice.refilling = claimBacklogs(slice);
}

/** Never throws. */
async function claimBacklogs(slice: Slice): Promise<void> {
  const { ctx, limiter, writer, isOver } = slice;
  try {
    for (;;) {
      await writer.keepUp();
      if (!limiter.wantsRefill || isOver() || slice.isClosed) return;
      const counts = limiter.refill();
      if (counts.size === 0) return;
      const overtaking = limiter.refilled(await claimBacklog(ctx.db, counts), ctx.clock.nowMs());
      sendQueued(slice);
      await returnClaims(ctx, overtaking);
      if (overtaking.length > 0) callForTurn(slice, true);
    }
  } catch (error) {
    slice.failure = { error };
  } finally {
    // At once: an end that asks for a refill now begins it.
    slice.refilling = undefined;
    callForTurn(slice, false);
  }
}

function callForTurn(slice: Slice, isClaimDue: boolean): void {
  slice.isClaimDue ||= isClaimDue;
  slice.turn.resolve();
}

/**
 * Claims attempts until there is no room, no time, or every webhook was offered all the room it has. Gives the number claimed,
 * the webhook to go on after, whether something waits for a rate limit alone, and whether something waits for room.
 */
async function fillUp(
  slice: Slice,
  afterWebhookId: string,
): Promise<{ count: number; after: string; paced: boolean; left: boolean }> {
  const { ctx, limiter, isOver } = slice;
  let after = afterWebhookId;
  let count = 0;
  let isPaced = false;
  let isLeft = false;
  // A round that begins in the middle says nothing about the webhooks before it.
  let isWhole = after === '';
  while (limiter.wantsMore && !isOver()) {
    const room = { ...limiter.offer(), afterWebhookId: after };
    const { claimed, nextAfter, paced, left, backlog } = await claimFirstAttempts(ctx, room);
    limiter.queue(claimed, ctx.clock.nowMs());
    limiter.offerEnded();
    isLeft = !limiter.noteBacklog(backlog) || isLeft;
    sendQueued(slice);
    refill(slice);
    count += claimed.length;
    isPaced ||= paced;
    isLeft ||= left;
    after = nextAfter;
    if (after !== '') continue;
    if (isWhole) return { count, after, paced: isPaced, left: isLeft };
    isWhole = true;
    isLeft = false;
  }
  return { count, after, paced: isPaced, left: true };
}

/** Sends what is queued and may begin. Whenever an attempt ends, or outcomes were stored, the next ones follow at once. */
function sendQueued(slice: Slice): void {
  while (!slice.isOver() && !slice.isClosed && !slice.writer.isBehind) {
    const attempt = slice.limiter.next(slice.ctx.clock.nowMs());
    if (attempt === undefined) return;
    slice.begun += 1;
    const sending = sendOne(slice, attempt).then(() => {
      slice.inFlight.delete(sending);
      slice.ended += 1;
      slice.isLeft ||= slice.limiter.takeLeft();
      sendQueued(slice);
      if (slice.isLeft && slice.limiter.wantsMore) callForTurn(slice, true);
      else if (slice.limiter.count === 0) callForTurn(slice, false);
      refill(slice);
      if (slice.room !== undefined && hasRoomToWrite(slice)) slice.room.resolve();
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

/** Waits for the first of these, `ms` at most: nothing where that is over already. */
async function within(ms: number, ...any: Promise<void>[]): Promise<void> {
  const { promise: tooLong, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.max(0, ms));
  await Promise.race([tooLong, ...any]);
  clearTimeout(timer);
}
