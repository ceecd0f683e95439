import type { Left } from './claim-first-attempts.ts';

/** A receiver that takes longer would hold many places for long, and the others would wait for them. */
const QUICK_MS = 1_000;

/**
 * Counts attempts under way by name (of a webhook, of a host). Each name may have `first` of them at first and after a
 * failure, twice as many with each quick success, and `most` at last: who hangs holds few places, who answers gets many, and
 * who answers slowly keeps what it has.
 */
export class Places {
  readonly #first: number;
  readonly #most: number;
  readonly #allowed = new Map<string, number>();
  readonly #busy = new Map<string, number>();

  constructor({ first, most }: { first: number; most: number }) {
    this.#first = first;
    this.#most = most;
  }

  get left(): Left {
    const names = new Set([...this.#allowed.keys(), ...this.#busy.keys()]);
    return {
      ofUnknown: this.#first,
      known: new Map(
        [...names].map((name) => [name, Math.max(0, this.#allowedOf(name) - (this.#busy.get(name) ?? 0))]),
      ),
    };
  }

  take(name: string): void {
    this.#busy.set(name, (this.#busy.get(name) ?? 0) + 1);
  }

  giveBack(name: string): void {
    const busy = (this.#busy.get(name) ?? 0) - 1;
    if (busy > 0) this.#busy.set(name, busy);
    else this.#busy.delete(name);
  }

  /** What an attempt came to, and how long it took, decides how many may be under way from now on. */
  judge(name: string, { succeeded, durationMs }: { succeeded: boolean; durationMs: number }): void {
    if (!succeeded) this.#allowed.set(name, this.#first);
    else if (durationMs <= QUICK_MS) this.#allowed.set(name, Math.min(this.#allowedOf(name) * 2, this.#most));
  }

  #allowedOf(name: string): number {
    return this.#allowed.get(name) ?? this.#first;
  }
}
