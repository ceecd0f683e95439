import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseAway } from '#lib/base/database-away.ts';
import type { Ctx } from '#lib/ctx.ts';
import { heedNews } from './heed-news.ts';
import { publishRetries } from './publish-retries.ts';
import { type Recorded, recordOutcomes } from './record.ts';
import type { Outcome } from './send.ts';

/** Outcomes are gathered for so long: a statement for each would cost more than all else. */
const GATHER_MS = 5;
/** Outcomes that one statement stores, and those that may wait before nothing more is claimed. */
const BATCH = 256;
const MOST_WAITING = 256;

/** A statement that fails is tried again for so long: a claim lasts far longer, and the function as well. */
const KEEP_TRYING_MS = 5_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
/** Tries by itself after which an outcome is to blame, when others were stored meanwhile. */
const MOST_TRIES_ALONE = 3;

/** Outcomes that were stored, by what the delivery came to. */
export interface Entered {
  success: number;
  retrying: number;
  failed: number;
}

/** Consecutive failures of storing, and how long to wait after each. */
class Failures {
  #sinceMs: number | undefined;
  #pauseMs = FIRST_PAUSE_MS;

  /** True while the last try failed. */
  get any(): boolean {
    return this.#sinceMs !== undefined;
  }

  /** Notes one, and waits. False, at once, when it has gone on for too long: then it is not worth another try. */
  async wait(): Promise<boolean> {
    this.#sinceMs ??= performance.now();
    if (performance.now() - this.#sinceMs >= KEEP_TRYING_MS) return false;
    await pause(this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    return true;
  }

  end(): void {
    this.#sinceMs = undefined;
    this.#pauseMs = FIRST_PAUSE_MS;
  }
}

/** Stores the outcome of an attempt that was made by itself, and tries again for a while when the statement fails. Throws what the last try threw. */
export async function storeOutcome(ctx: Ctx, outcome: Outcome): Promise<Recorded | undefined> {
  const failures = new Failures();
  for (;;) {
    try {
      const [recorded] = await recordOutcomes(ctx, [outcome]);
      return recorded;
    } catch (err) {
      if (!(await failures.wait())) throw err;
      ctx.log.warn({ err, delivery_id: outcome.deliveryId }, 'An outcome could not be stored; it is stored again');
    }
  }
}

/**
 * Stores the outcomes of a slice beside its work, a batch after the other, and does what follows from them. An outcome is kept
 * until it is stored: receivers would get those events again. What cannot be stored for long is given up with an error: the
 * claims of its deliveries run out, and the attempts are recorded as interrupted and made again.
 */
export class Books {
  readonly #ctx: Ctx;
  readonly #entered: Entered = { success: 0, retrying: 0, failed: 0 };
  readonly #failures = new Failures();
  #waiting: Outcome[] = [];
  #batch = BATCH;
  /** Of outcomes that could not be stored by themselves: how often that was tried, and how many were stored before. */
  readonly #triedAlone = new Map<Outcome, { tries: number; storedBefore: number }>();
  #stored = 0;
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

  /** Waits while too many wait to be stored, or storing fails. Throws when outcomes had to be given up. */
  async keepUp(): Promise<void> {
    while ((this.#waiting.length > MOST_WAITING || this.#failures.any) && this.#storing !== undefined)
      await this.#storing;
    this.#throwFailure();
  }

  /** Waits until all is stored and done. Throws when outcomes had to be given up. */
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
    while (this.#waiting.length > 0) {
      await pause(GATHER_MS);
      await this.#storeNext();
    }
    this.#storing = undefined;
  }

  async #storeNext(): Promise<void> {
    const outcomes = this.#waiting.slice(0, this.#batch);
    try {
      const recorded = await recordOutcomes(this.#ctx, outcomes);
      this.#waiting = this.#waiting.slice(outcomes.length);
      this.#failures.end();
      this.#batch = Math.min(this.#batch * 2, BATCH);
      this.#stored += outcomes.length;
      this.#follow(recorded);
    } catch (error) {
      await this.#afterFailure(outcomes, error);
    }
  }

  async #afterFailure(outcomes: readonly Outcome[], error: unknown): Promise<void> {
    if (!(await this.#failures.wait())) {
      this.#failure ??= { error };
      this.#giveUp(this.#waiting.length, error);
      return;
    }
    this.#ctx.log.warn(
      { err: error, outcomes: outcomes.length },
      'Outcomes could not be stored; they are stored again',
    );
    if (isDatabaseAway(error)) return;
    // Perhaps one of them is to blame: it must not keep the others from being stored.
    this.#batch = Math.max(1, Math.floor(outcomes.length / 2));
    const [alone] = outcomes;
    if (outcomes.length > 1 || alone === undefined) return;
    const { tries, storedBefore } = this.#triedAlone.get(alone) ?? { tries: 0, storedBefore: this.#stored };
    this.#triedAlone.set(alone, { tries: tries + 1, storedBefore });
    if (tries + 1 >= MOST_TRIES_ALONE && this.#stored > storedBefore) this.#giveUp(1, error);
    else this.#waiting = [...this.#waiting.slice(1), alone];
  }

  #giveUp(count: number, err: unknown): void {
    const deliveryIds = this.#waiting.slice(0, count).map(({ deliveryId }) => deliveryId);
    this.#waiting = this.#waiting.slice(count);
    this.#ctx.log.error(
      { err, outcomes: count, delivery_ids: deliveryIds },
      'Outcomes could not be stored; their attempts are made again when the claims run out',
    );
  }

  #follow(recorded: readonly Recorded[]): void {
    for (const { status } of recorded) {
      if (status !== 'cancelled') this.#entered[status] += 1;
    }
    this.#following = Promise.all([
      this.#following,
      publishRetries(this.#ctx, recorded),
      heedNews(this.#ctx, recorded),
    ]);
  }
}
