import { setTimeout as pause } from 'node:timers/promises';
import type { Ctx } from '#lib/ctx.ts';
import { fanOutEvents, hasEventsToFanOut } from './fan-out.ts';
import { holdWake } from './wake.ts';

/** How often a slice looks for events that were written since it began. */
const LOOK_MS = 25;
/** After so many looks in a row without any, waiting is left to the queue: a waiting function costs money too. */
const QUIET_LOOKS = 10;
/** Wakes are held back anew every so many looks: well before they would be let through. */
const RENEW_LOOKS = 100;

/**
 * Fans out what is written while a slice is at work, so that it takes no message to the queue for each event, nor another
 * slice. While it watches, `wakeDispatch` publishes nothing; who ends it must then look once more.
 */
export class Watch {
  readonly #ctx: Ctx;
  readonly #deadlineMs: number;
  readonly #ended: Promise<void>;
  #isOver = false;
  #quietLooks = 0;
  #failure: { error: unknown } | undefined;
  #look = Promise.withResolvers<void>();
  #news = Promise.withResolvers<void>();

  /** Watches until `deadlineMs` (of ctx.clock) at the latest. */
  constructor(ctx: Ctx, deadlineMs: number) {
    this.#ctx = ctx;
    this.#deadlineMs = deadlineMs;
    this.#ended = this.#autoRefresh();
  }

  /**
   * Resolves when deliveries were written that were not there before. Never once the watch is over: a dispatch past its
   * deadline would be woken by it again and again, without a turn in which its attempts could end.
   */
  get news(): Promise<void> {
    return this.#news.promise;
  }

  /** For who has nothing to do: waits for the next look, and is true while more of them are worth waiting for. */
  async stays(): Promise<boolean> {
    if (!this.#isOver && this.#quietLooks < QUIET_LOOKS) await this.#look.promise;
    return !this.#isOver && this.#quietLooks < QUIET_LOOKS;
  }

  /** Ends it. Throws what a look threw. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#ended;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #autoRefresh(): Promise<void> {
    try {
      for (let looks = 0; !this.#isOver && this.#ctx.clock.nowMs() < this.#deadlineMs; looks++) {
        if (looks % RENEW_LOOKS === 0) await holdWake(this.#ctx);
        await this.#lookOnce();
        this.#look.resolve();
        this.#look = Promise.withResolvers();
        await pause(LOOK_MS);
      }
    } catch (error) {
      this.#failure = { error };
    }
    this.#isOver = true;
    this.#look.resolve();
  }

  async #lookOnce(): Promise<void> {
    this.#quietLooks += 1;
    if (!(await hasEventsToFanOut(this.#ctx.db))) return;
    const { deliveries } = await fanOutEvents(this.#ctx, this.#deadlineMs);
    this.#quietLooks = 0;
    if (deliveries === 0) return;
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}
