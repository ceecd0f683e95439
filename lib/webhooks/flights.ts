import type { Ctx } from '#lib/ctx.ts';
import type { Claimed } from './claim.ts';
import { performAttempt } from './perform-attempt.ts';
import type { Outcome } from './record.ts';
import type { Sender } from './send.ts';

/** The attempts that a slice has under way, and the outcomes of those that ended since it last looked. */
export class Flights {
  /** Attempts under way by webhook. */
  readonly busy = new Map<string, number>();
  /** Attempts that a webhook may have under way: one at first and after a failure, twice as many with each success. */
  readonly #allowed = new Map<string, number>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #ctx: Ctx;
  readonly #sender: Sender;
  #ended: Outcome[] = [];

  constructor(ctx: Ctx, sender: Sender) {
    this.#ctx = ctx;
    this.#sender = sender;
  }

  get count(): number {
    return this.#underWay.size;
  }

  /** Attempts that may still start, by webhook; at most `most` under way. A receiver that hangs holds one place, not many. */
  left(most: number): Map<string, number> {
    const known = new Set([...this.#allowed.keys(), ...this.busy.keys()]);
    return new Map(
      [...known].map((id) => [id, Math.max(0, Math.min(most, this.#allowed.get(id) ?? 1) - (this.busy.get(id) ?? 0))]),
    );
  }

  start(claimed: Claimed): void {
    this.#change(claimed.webhookId, 1);
    const flight = this.#fly(claimed).finally(() => {
      this.#underWay.delete(flight);
      this.#change(claimed.webhookId, -1);
    });
    this.#underWay.add(flight);
  }

  /** Outcomes since the last call; waits up to `maxWaitMs` for one when there is none yet. */
  async ended(maxWaitMs: number): Promise<Outcome[]> {
    if (this.#ended.length === 0 && this.count > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, maxWaitMs);
      await Promise.race([promise, ...this.#underWay]);
      clearTimeout(timer);
    }
    const ended = this.#ended;
    this.#ended = [];
    return ended;
  }

  async #fly(claimed: Claimed): Promise<void> {
    try {
      const outcome = await performAttempt(this.#ctx, this.#sender, claimed);
      // Not before the wait: the list is exchanged for a new one while attempts are under way.
      this.#ended.push(outcome);
      const allowed = outcome.errorKind === null ? (this.#allowed.get(claimed.webhookId) ?? 1) * 2 : 1;
      this.#allowed.set(claimed.webhookId, Math.min(allowed, 64));
    } catch (err) {
      // Its lease runs out and it is made again: one broken row must not stop the slice.
      this.#ctx.log.error({ err, delivery_id: claimed.deliveryId }, 'A delivery attempt could not be made');
    }
  }

  #change(webhookId: string, by: number): void {
    const count = (this.busy.get(webhookId) ?? 0) + by;
    if (count === 0) this.busy.delete(webhookId);
    else this.busy.set(webhookId, count);
  }
}
