import type { Left } from './claim-first-attempts.ts';

/** A receiver that takes longer holds its places for long. */
const QUICK_MS = 1_000;

/**
 * Counts attempts by name (of a webhook, of a host). Each name may have `first` of them under way at first and after a
 * failure, twice as many with each success, and `most` at last: who hangs holds few places, who answers gets many. For who
 * answered quickly last, `ahead` more may be claimed, so that the next attempt begins with the end of another and waits for
 * no statement. What is under way elsewhere takes places away from the most.
 */
export class Places {
  readonly #first: number;
  readonly #most: number;
  readonly #ahead: number;
  readonly #allowed = new Map<string, number>();
  readonly #quick = new Set<string>();
  readonly #succeeded = new Set<string>();
  readonly #claimed = new Map<string, number>();
  readonly #underWay = new Map<string, number>();
  #elsewhere: ReadonlyMap<string, number> = new Map();

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

  /** What may be claimed. */
  get left(): Left {
    const names = new Set([...this.#allowed.keys(), ...this.#claimed.keys(), ...this.#elsewhere.keys()]);
    return {
      ofUnknown: this.#first,
      known: new Map([...names].map((name) => [name, Math.max(0, this.#claimable(name))])),
    };
  }

  /** Notes how many others have under way. */
  noteElsewhere(counts: ReadonlyMap<string, number>): void {
    this.#elsewhere = counts;
  }

  /** True while one more that was claimed may begin. */
  hasRoom(name: string): boolean {
    return (this.#underWay.get(name) ?? 0) < this.#allowedBeside(name);
  }

  /** True while one more may begin however its receiver has answered. */
  hasFirstRoom(name: string): boolean {
    return (this.#underWay.get(name) ?? 0) < this.#first;
  }

  isQuick(name: string): boolean {
    return this.#quick.has(name);
  }

  claim(name: string): void {
    count(this.#claimed, name, 1);
  }

  begin(name: string): void {
    count(this.#underWay, name, 1);
  }

  end(name: string): void {
    count(this.#underWay, name, -1);
    count(this.#claimed, name, -1);
  }

  /** One that was claimed will not begin: until a quick success nothing is claimed ahead for the name. */
  giveBack(name: string): void {
    count(this.#claimed, name, -1);
    this.#quick.delete(name);
  }

  /** What an attempt came to, and how long it took, decides how many may be under way from now on. */
  judge(name: string, { succeeded, durationMs }: { succeeded: boolean; durationMs: number }): void {
    this.#allowed.set(name, succeeded ? Math.min(this.#allowedOf(name) * 2, this.#most) : this.#first);
    if (succeeded) this.#succeeded.add(name);
    if (succeeded && durationMs <= QUICK_MS) this.#quick.add(name);
    else this.#quick.delete(name);
  }

  #allowedOf(name: string): number {
    return this.#allowed.get(name) ?? this.#first;
  }

  #allowedBeside(name: string): number {
    return Math.min(this.#allowedOf(name), this.#most - (this.#elsewhere.get(name) ?? 0));
  }

  #claimable(name: string): number {
    const ahead = this.isQuick(name) ? this.#ahead : 0;
    return this.#allowedBeside(name) + ahead - (this.#claimed.get(name) ?? 0);
  }
}

function count(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const total = (counts.get(name) ?? 0) + by;
  if (total > 0) counts.set(name, total);
  else counts.delete(name);
}
