import type { RoomByName } from './claim.ts';
import type { Outcome } from './send.ts';

/** A receiver that takes longer is slow. */
const QUICK_MS = 1_000;

/** How many of something there are, by name. */
export class Counter {
  readonly #counts = new Map<string, number>();
  #total = 0;

  /** Of all names. */
  get total(): number {
    return this.#total;
  }

  get names(): Iterable<string> {
    return this.#counts.keys();
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(name: string, by: 1 | -1): void {
    this.#total += by;
    const count = this.of(name) + by;
    if (count > 0) this.#counts.set(name, count);
    else this.#counts.delete(name);
  }

  /** What each name may still have of `most`. */
  roomBelow(most: number): RoomByName {
    return {
      ofUnknown: most,
      known: new Map([...this.#counts].map(([name, count]) => [name, Math.max(0, most - count)])),
    };
  }
}

/** What an attempt came to, as far as limits learn from it. */
export type Ended = Pick<Outcome, 'errorKind' | 'durationMs'>;

/**
 * Limits attempts by name (of a webhook, of a host). Each name may have `first` of them in flight at first and after a
 * failure, twice as many with each success, and `most` at last: a receiver that hangs holds few, one that answers gets many.
 * For one that answered quickly last, `ahead` more may be claimed, so that the next attempt begins with the end of another and
 * waits for no statement. What other workers have in flight is taken off the most.
 */
export class ConcurrencyLimits {
  readonly #first: number;
  readonly #most: number;
  readonly #ahead: number;
  readonly #allowed = new Map<string, number>();
  readonly #quick = new Set<string>();
  readonly #succeeded = new Set<string>();
  readonly #claimed = new Counter();
  readonly #inFlight = new Counter();
  #ofOthers = new Counter();

  constructor({ first, most, ahead }: { first: number; most: number; ahead: number }) {
    this.#first = first;
    this.#most = most;
    this.#ahead = ahead;
  }

  /** Those that answered quickly last, and those that have succeeded at all. */
  get quick(): ReadonlySet<string> {
    return this.#quick;
  }
  get succeeded(): ReadonlySet<string> {
    return this.#succeeded;
  }

  /** What may be claimed for one. */
  roomOf(name: string): number {
    return Math.max(0, this.#claimable(name));
  }

  /** Nothing is claimed for one. */
  isIdle(name: string): boolean {
    return this.#claimed.of(name) === 0;
  }

  /** Of what may be claimed in all for one, half or more is free. */
  isHalfEmpty(name: string): boolean {
    return this.#claimable(name) >= this.#claimed.of(name);
  }

  /** What may be claimed. */
  get room(): RoomByName {
    const names = new Set([...this.#allowed.keys(), ...this.#claimed.names, ...this.#ofOthers.names]);
    return {
      ofUnknown: this.#first,
      known: new Map([...names].map((name) => [name, Math.max(0, this.#claimable(name))])),
    };
  }

  /** Takes note of what other workers have in flight: a name for each attempt. */
  noteOthers(names: readonly string[]): void {
    this.#ofOthers = new Counter();
    for (const name of names) this.#ofOthers.add(name, 1);
  }

  /** Of what may be claimed for one, what could begin at once. */
  startable(name: string): number {
    return Math.max(0, this.#allowedBesideOthers(name) - this.#claimed.of(name));
  }

  /** True while one more that was claimed may begin. */
  hasRoom(name: string): boolean {
    return this.#inFlight.of(name) < this.#allowedBesideOthers(name);
  }

  /** True while one more may begin however its receiver has answered. */
  hasFirstRoom(name: string): boolean {
    return this.#inFlight.of(name) < this.#first;
  }

  claim(name: string): void {
    this.#claimed.add(name, 1);
  }

  begin(name: string): void {
    this.#inFlight.add(name, 1);
  }

  end(name: string): void {
    this.#inFlight.add(name, -1);
    this.#claimed.add(name, -1);
  }

  /** A claimed attempt will not begin: until a quick success nothing more is claimed ahead for the name. */
  returnClaim(name: string): void {
    this.#claimed.add(name, -1);
    this.#quick.delete(name);
  }

  /** How an attempt ended decides how many may be in flight from now on. */
  learn(name: string, { errorKind, durationMs }: Ended): void {
    const succeeded = errorKind === null;
    this.#allowed.set(name, succeeded ? Math.min(this.#allowedOf(name) * 2, this.#most) : this.#first);
    if (succeeded) this.#succeeded.add(name);
    if (succeeded && durationMs <= QUICK_MS) this.#quick.add(name);
    else this.#quick.delete(name);
  }

  #allowedOf(name: string): number {
    return this.#allowed.get(name) ?? this.#first;
  }

  #allowedBesideOthers(name: string): number {
    return Math.min(this.#allowedOf(name), this.#most - this.#ofOthers.of(name));
  }

  #claimable(name: string): number {
    const ahead = this.#quick.has(name) ? this.#ahead : 0;
    return this.#allowedBesideOthers(name) + ahead - this.#claimed.of(name);
  }
}
