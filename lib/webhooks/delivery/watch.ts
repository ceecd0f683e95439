import type { Ctx } from '#lib/ctx.ts';
import type { Supply } from './attempt-limiter.ts';
import { type DueAttempt, returnClaims } from './claim.ts';
import {
  type FannedOutSlice,
  FEW,
  fanOutFew,
  fanOutSlice,
  hasEventsToFanOut,
  listAll,
  PlannerNews,
  type QuickRoom,
} from './fan-out.ts';
import { hearWakes, holdWake } from './wake.ts';

/**
 * How often a slice looks for events that were written since it began: a part of the usual time between them, so that looking
 * costs little beside delivering them.
 */
const LOOK_MS = { least: 3, most: 25 };
const LOOKS_AN_EVENT = 2;
/** So long after the last ones, in usual times between two looks that find some, the next ones are expected. */
const EXPECTED = { from: 0.75, to: 2 };
/** After so long without any, waiting is left to the queue: a waiting function costs money too. */
const QUIET_MS = 250;
/** What was written for webhooks that fail or have a rate limit is told so much later: a claim for it is beside what all others wait for. */
const LIMITED_AFTER_MS = 20;
/** Wakes are held back anew so often: well before they would be let through. */
const RENEW_MS = 2_500;
/** Events are listed so often for GET /api/events: once for each would cost more than delivering it. */
const LIST_MS = 200;
/** And so often while a look goes on: it then is beside much else. */
const LIST_IN_A_LOOK_MS = 1_000;
/** Deliveries that one statement of a look writes: its own and what is written meanwhile wait for its end. The first one is short. */
const BESIDE = { first: 250, least: 64, most: 2_000 };
/** So long a look waits for room for what it writes next. Events of others wait for it too. */
const WAIT_FOR_ROOM_MS = 50;

/** What one statement of a look writes at most. */
interface Portion {
  deliveries: number;
  events: number;
}
const portionOf = (deliveries: number): Portion => ({ deliveries, events: deliveries });

/** A slice that takes in what is claimed for it. */
export interface Taker {
  room(): QuickRoom;
  /** Waits until it has room for what is written next, `ms` at most, and tells what it has to begin then. */
  supplyWithin(ms: number): Promise<Supply>;
  /**
   * Takes what was claimed for it, but for what would overtake earlier ones and has to be returned, and notes for which webhooks
   * something waits. `isTaken` tells that it claims all that by itself.
   */
  take(
    claimed: readonly DueAttempt[],
    backlog: readonly string[],
  ): { isTaken: boolean; overtaking: readonly DueAttempt[] };
}

/**
 * Fans out what is written while a slice is at work, so that it takes no message to the queue for each event, nor another
 * slice. While it watches, `wakeDispatch` publishes nothing; who ends it must then look once more. A wake of this process makes
 * it look at once.
 */
export class Watch {
  readonly #ctx: Ctx;
  readonly #deadlineMs: number;
  readonly #planner: PlannerNews;
  readonly #ended: Promise<void>;
  #isOver = false;
  #failure: { error: unknown } | undefined;
  #look = Promise.withResolvers<void>();
  #news = Promise.withResolvers<void>();
  #woken = Promise.withResolvers<void>();
  #isWoken = false;
  #looksForWake = false;
  #taker: Taker | null = null;
  /** Of performance.now(): when a look last found something, and the usual time between two of them. */
  #foundAtMs = performance.now();
  #gapMs = LOOK_MS.least * LOOKS_AN_EVENT;
  #heldAtMs = Number.NEGATIVE_INFINITY;
  /** Deliveries that the next statement of a look writes for a slice that is short of them. */
  #ofShort = BESIDE.least;
  /** The last statement of a look had little to write. */
  #isFew = true;
  #listing: Promise<unknown> | undefined;
  #isUnlisted = false;
  #telling: NodeJS.Timeout | undefined;
  #listedAtMs = 0;

  /** Watches until `deadlineMs` (of ctx.clock) at the latest. */
  constructor(ctx: Ctx, deadlineMs: number) {
    this.#ctx = ctx;
    this.#deadlineMs = deadlineMs;
    this.#planner = new PlannerNews(ctx);
    this.#ended = this.#autoRefresh();
  }

  /**
   * Resolves when deliveries were written that were not there before, or may have been, and that nobody has claimed. Never once the
   * watch is over: a dispatch past its deadline would be woken by it again and again, without a turn in which its attempts could
   * end.
   */
  get news(): Promise<void> {
    return this.#news.promise;
  }

  /** From now on what is written goes to this slice, as far as that has room; to none with null. */
  giveTo(taker: Taker | null): void {
    this.#taker = taker;
  }

  /**
   * For who has nothing to do: waits for the next look, and is true while more of them are worth waiting for. After a wake the
   * next one always is: nobody else was woken.
   */
  async stays(): Promise<boolean> {
    if (!this.#isOver && !this.#isQuiet) await this.#look.promise;
    return !this.#isOver && !this.#isQuiet;
  }

  /** Ends it. Throws what a look threw. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#woken.resolve();
    await this.#ended;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  get #isQuiet(): boolean {
    return !this.#isWoken && !this.#looksForWake && performance.now() - this.#foundAtMs >= QUIET_MS;
  }

  get #isAtWork(): boolean {
    return !this.#isOver && this.#ctx.clock.nowMs() < this.#deadlineMs;
  }

  async #autoRefresh(): Promise<void> {
    const stopHearing = hearWakes(this.#ctx, () => {
      this.#isWoken = true;
      this.#woken.resolve();
    });
    try {
      while (this.#isAtWork) {
        await this.#holdWakes();
        await this.#lookOnce();
        this.#look.resolve();
        this.#look = Promise.withResolvers();
        this.#listSometimes(LIST_MS);
        if (!this.#isWoken) await this.#pause();
      }
    } catch (error) {
      this.#failure = { error };
    }
    this.#isOver = true;
    stopHearing();
    this.#look.resolve();
    await this.#listing;
    if (this.#isUnlisted) await listAll(this.#ctx, this.#deadlineMs);
  }

  async #holdWakes(): Promise<void> {
    if (performance.now() - this.#heldAtMs < RENEW_MS) return;
    this.#heldAtMs = performance.now();
    await holdWake(this.#ctx);
  }

  /** Waits for the next look, or for a wake. */
  async #pause(): Promise<void> {
    const sinceMs = performance.now() - this.#foundAtMs;
    const lookMs = Math.max(this.#gapMs, sinceMs) / LOOKS_AN_EVENT;
    const timer = setTimeout(this.#woken.resolve, Math.min(Math.max(lookMs, LOOK_MS.least), LOOK_MS.most));
    await this.#woken.promise;
    clearTimeout(timer);
  }

  async #lookOnce(): Promise<void> {
    this.#looksForWake = this.#isWoken;
    this.#isWoken = false;
    this.#woken = Promise.withResolvers();
    const first = (this.#expectsEvents ? await this.#fanOutFew() : null) ?? (await this.#fanOutFirst());
    if (first !== null && first.events > 0) await this.#goOnAfter(first);
    // Who wakes may have written deliveries and no event.
    else if (this.#looksForWake) this.#tell();
    this.#looksForWake = false;
  }

  /** In a steady stream it is about time for the next ones: the statement that takes them on finds out by itself whether there are any. */
  get #expectsEvents(): boolean {
    const gaps = (performance.now() - this.#foundAtMs) / this.#gapMs;
    return gaps >= EXPECTED.from && gaps <= EXPECTED.to;
  }

  async #fanOutFirst(): Promise<FannedOutSlice | null> {
    const hasEvents = await hasEventsToFanOut(this.#ctx.db);
    return hasEvents && this.#isAtWork ? this.#fanOutNext(portionOf(BESIDE.first)) : null;
  }

  async #goOnAfter(first: FannedOutSlice): Promise<void> {
    let slice = first;
    while (slice.events > 0) {
      this.#noteFound();
      this.#isUnlisted = true;
      const { isTaken, overtaking } = this.#taker?.take(slice.claimed, slice.backlog) ?? {
        isTaken: false,
        overtaking: slice.claimed,
      };
      await returnClaims(this.#ctx, overtaking);
      if (slice.deliveries > 0 && !isTaken) this.#tell();
      else if (slice.writesForLimited) this.#tellSoon();
      await this.#planner.note(slice.deliveries);
      this.#listSometimes(LIST_IN_A_LOOK_MS);
      const portion = slice.isFull ? await this.#nextPortion(slice) : null;
      if (portion === null || !this.#isAtWork) return;
      await this.#holdWakes();
      slice = await this.#fanOutNext(portion);
    }
  }

  async #fanOutNext({ deliveries, events }: Portion): Promise<FannedOutSlice> {
    const slice =
      (await this.#fanOutFew()) ?? (await fanOutSlice(this.#ctx.db, deliveries, this.#taker?.room(), events));
    this.#isFew = slice.events <= FEW.events && slice.deliveries <= FEW.deliveries && !slice.isFull;
    return slice;
  }

  /** By the short statement, where the last one has taken on no more than that could. */
  async #fanOutFew(): Promise<FannedOutSlice | null> {
    if (this.#taker === null || !this.#isFew) return null;
    const slice = await fanOutFew(this.#ctx.db, this.#taker.room());
    this.#isFew = slice !== null;
    return slice;
  }

  /**
   * What is claimed as it is written costs far less than what is claimed afterwards, so the next statement writes what the slice
   * has room for, once it has. A slice that has enough to begin gets little meanwhile, for the turns of others. One that is
   * short of it gets twice as much each time, and at last as much as fits without a pause: what is written for slow receivers
   * shall not keep back the rest.
   */
  async #nextPortion({ deliveries, events }: FannedOutSlice): Promise<Portion> {
    if (this.#taker === null || deliveries === 0) return portionOf(BESIDE.most);
    const portion = (most: number): Portion => ({
      deliveries: BESIDE.most,
      events: Math.max(1, Math.floor((most * events) / deliveries)),
    });
    const ofShort = this.#ofShort;
    const supply = await this.#taker.supplyWithin(ofShort === BESIDE.most ? 0 : WAIT_FOR_ROOM_MS);
    if (supply === 'short') {
      this.#ofShort = Math.min(ofShort * 2, BESIDE.most);
      return portion(ofShort);
    }
    this.#ofShort = Math.max(ofShort / 2, BESIDE.least);
    return portion(supply === 'room' ? (this.#taker?.room().capacity ?? 0) : BESIDE.least);
  }

  #noteFound(): void {
    const nowMs = performance.now();
    this.#gapMs = (this.#gapMs + Math.min(nowMs - this.#foundAtMs, LOOK_MS.most * LOOKS_AN_EVENT)) / 2;
    this.#foundAtMs = nowMs;
  }

  #tellSoon(): void {
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      if (!this.#isOver) this.#tell();
    }, LIMITED_AFTER_MS);
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }

  /** Beside the looks. */
  #listSometimes(everyMs: number): void {
    if (!this.#isUnlisted || this.#listing !== undefined || performance.now() - this.#listedAtMs < everyMs) return;
    this.#isUnlisted = false;
    this.#listing = listAll(this.#ctx, this.#deadlineMs).then((isListed) => {
      this.#isUnlisted ||= !isListed;
      this.#listedAtMs = performance.now();
      this.#listing = undefined;
    });
  }
}
