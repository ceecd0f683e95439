import type { Ctx } from '#lib/ctx.ts';
import { heedNews } from './heed-news.ts';
import { publishRetries } from './publish-retries.ts';
import { type Outcome, recordOutcomes } from './record.ts';

/** Statements that store outcomes beside the next claim: more would take the connections of others. */
const MOST_AT_ONCE = 1;

/** Outcomes that were stored, by what the delivery came to. */
export interface Entered {
  success: number;
  retrying: number;
  failed: number;
}

/** Stores the outcomes of a slice beside its work, and does what follows from them. */
export class Books {
  readonly #ctx: Ctx;
  readonly #storing = new Set<Promise<void>>();
  readonly #following: Promise<void>[] = [];
  readonly #entered: Entered = { success: 0, retrying: 0, failed: 0 };
  #failure: { error: unknown } | undefined;

  constructor(ctx: Ctx) {
    this.#ctx = ctx;
  }

  /** Begins to store; waits while too much is being stored. Throws what storing earlier ones threw. */
  async enter(outcomes: readonly Outcome[]): Promise<void> {
    if (outcomes.length > 0) {
      const stored = this.#store(outcomes).catch((error: unknown) => {
        this.#failure ??= { error };
      });
      this.#storing.add(stored);
      void stored.finally(() => this.#storing.delete(stored));
    }
    while (this.#storing.size > MOST_AT_ONCE) await Promise.race(this.#storing);
    this.#throwFailure();
  }

  /** Waits until all is stored and done. Throws what any of it threw. */
  async close(): Promise<Entered> {
    await Promise.all(this.#storing);
    await Promise.all(this.#following);
    this.#throwFailure();
    return this.#entered;
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #store(outcomes: readonly Outcome[]): Promise<void> {
    const recorded = await recordOutcomes(this.#ctx.db, outcomes);
    for (const { status } of recorded) {
      if (status !== 'cancelled') this.#entered[status] += 1;
    }
    this.#following.push(publishRetries(this.#ctx, recorded), heedNews(this.#ctx, recorded));
  }
}
