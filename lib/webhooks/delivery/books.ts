import { setTimeout as pause } from 'node:timers/promises';
import type { Ctx } from '#lib/ctx.ts';
import { heedNews } from './heed-news.ts';
import { publishRetries } from './publish-retries.ts';
import { type Outcome, recordOutcomes } from './record.ts';

/** Outcomes are gathered for so long: a statement for each would cost more than all else. */
const GATHER_MS = 5;
/** Outcomes that one statement stores, and those that may wait before nothing more is claimed. */
const BATCH = 256;
const MOST_WAITING = 256;

/** Outcomes that were stored, by what the delivery came to. */
export interface Entered {
  success: number;
  retrying: number;
  failed: number;
}

/** Stores the outcomes of a slice beside its work, a batch after the other, and does what follows from them. */
export class Books {
  readonly #ctx: Ctx;
  readonly #entered: Entered = { success: 0, retrying: 0, failed: 0 };
  #waiting: Outcome[] = [];
  #storing: Promise<void> | undefined;
  #following: Promise<unknown> = Promise.resolve();
  #failure: { error: unknown } | undefined;

  constructor(ctx: Ctx) {
    this.#ctx = ctx;
  }

  /** Takes an outcome; it is stored soon. */
  enter(outcome: Outcome): void {
    this.#waiting.push(outcome);
    this.#storing ??= this.#storeAll();
  }

  /** Waits while too many wait to be stored. Throws what storing earlier ones threw. */
  async keepUp(): Promise<void> {
    while (this.#waiting.length > MOST_WAITING && this.#storing !== undefined) await this.#storing;
    this.#throwFailure();
  }

  /** Waits until all is stored and done. Throws what any of it threw. */
  async close(): Promise<Entered> {
    while (this.#storing !== undefined) await this.#storing;
    await this.#following;
    this.#throwFailure();
    return this.#entered;
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #storeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        await pause(GATHER_MS);
        await this.#store(this.#waiting.splice(0, BATCH));
      }
    } catch (error) {
      this.#failure ??= { error };
    }
    this.#storing = undefined;
  }

  async #store(outcomes: readonly Outcome[]): Promise<void> {
    const recorded = await recordOutcomes(this.#ctx, outcomes);
    for (const { status } of recorded) {
      if (status !== 'cancelled') this.#entered[status] += 1;
    }
    const follows = [publishRetries(this.#ctx, recorded), heedNews(this.#ctx, recorded)];
    this.#following = Promise.all([this.#following, ...follows]);
  }
}
