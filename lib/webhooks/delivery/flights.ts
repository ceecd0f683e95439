import type { Ctx } from '#lib/ctx.ts';
import type { DueAttempt } from './claim.ts';
import type { Room } from './claim-first-attempts.ts';
import { performAttempt } from './perform-attempt.ts';
import { Places } from './places.ts';
import type { Outcome } from './record.ts';
import type { Sender } from './send.ts';

/** Attempts under way at once: in a slice, for one webhook (design section 6), and at one host over all webhooks. */
const MOST = 64;
const PER_WEBHOOK = { first: 1, most: 8 };
const PER_HOST = { first: 4, most: 16 };
/** Whoever controls many names can let them all hang: those known to fail share so many places, the others have the rest. */
const OF_FAILING = 16;

/** The attempts that a slice has under way, and the outcomes of those that ended since it last looked. */
export class Flights {
  readonly #webhooks = new Places(PER_WEBHOOK);
  readonly #hosts = new Places(PER_HOST);
  readonly #underWay = new Set<Promise<void>>();
  #failing = 0;
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

  /** What may still start. */
  get room(): Omit<Room, 'afterWebhookId'> {
    return {
      capacity: MOST - this.count,
      webhooks: this.#webhooks.left,
      hosts: this.#hosts.left,
      failing: OF_FAILING - this.#failing,
    };
  }

  start(due: DueAttempt): void {
    this.#webhooks.take(due.webhookId);
    this.#hosts.take(due.host);
    if (due.failing) this.#failing += 1;
    const flight = this.#fly(due).finally(() => {
      this.#underWay.delete(flight);
      this.#webhooks.giveBack(due.webhookId);
      this.#hosts.giveBack(due.host);
      if (due.failing) this.#failing -= 1;
    });
    this.#underWay.add(flight);
  }

  /** Outcomes since the last call; waits up to `maxWaitMs` for one, or for `news`, when there is none yet. */
  async ended(maxWaitMs: number, news: Promise<void>[]): Promise<Outcome[]> {
    if (this.#ended.length === 0 && this.count > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, maxWaitMs);
      await Promise.race([promise, ...news, ...this.#underWay]);
      clearTimeout(timer);
    }
    const ended = this.#ended;
    this.#ended = [];
    return ended;
  }

  async #fly(due: DueAttempt): Promise<void> {
    try {
      const outcome = await performAttempt(this.#ctx, this.#sender, due);
      // Not before the wait: the list is exchanged for a new one while attempts are under way.
      this.#ended.push(outcome);
      const ended = { succeeded: outcome.errorKind === null, durationMs: outcome.durationMs };
      this.#webhooks.judge(due.webhookId, ended);
      this.#hosts.judge(due.host, ended);
    } catch (err) {
      // Its lease runs out and it is made again: one broken row must not stop the slice.
      this.#ctx.log.error({ err, delivery_id: due.deliveryId }, 'A delivery attempt could not be made');
    }
  }
}
