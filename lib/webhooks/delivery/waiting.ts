import type { DueAttempt } from './claim.ts';

interface Waiter {
  due: DueAttempt;
  sinceMs: number;
}

/** Claimed attempts that have not begun: in order within a webhook, and webhooks by turns. */
export class Waiting {
  readonly #ofWebhook = new Map<string, Waiter[]>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(due: DueAttempt, sinceMs: number): void {
    const waiters = this.#ofWebhook.get(due.webhookId);
    if (waiters === undefined) this.#ofWebhook.set(due.webhookId, [{ due, sinceMs }]);
    else waiters.push({ due, sinceMs });
    this.#count += 1;
  }

  /** Takes out the next one that `may` begin; its webhook comes last from now on. */
  next(may: (due: DueAttempt) => boolean): DueAttempt | undefined {
    for (const [webhookId, waiters] of this.#ofWebhook) {
      const [first] = waiters;
      if (first === undefined || !may(first.due)) continue;
      waiters.shift();
      this.#count -= 1;
      this.#ofWebhook.delete(webhookId);
      if (waiters.length > 0) this.#ofWebhook.set(webhookId, waiters);
      return first.due;
    }
    return undefined;
  }

  /** Takes out all of those webhooks whose first one `must` go. */
  removeWhere(must: (first: Waiter) => boolean): DueAttempt[] {
    const removed: DueAttempt[] = [];
    for (const [webhookId, waiters] of this.#ofWebhook) {
      const [first] = waiters;
      if (first === undefined || !must(first)) continue;
      this.#ofWebhook.delete(webhookId);
      this.#count -= waiters.length;
      removed.push(...waiters.map(({ due }) => due));
    }
    return removed;
  }
}
