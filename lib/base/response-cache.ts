import { LRUCache } from 'lru-cache';

interface Entry<T> {
  askedAtMs: number;
  answer: Promise<T>;
  isUnderWay: boolean;
}

interface Options<T> {
  maxAgeMs: number;
  maxEntries?: number;
  /** Of all keys and answers together. */
  maxBytes?: number;
  /** Whether an answer may serve those who ask after it was made. */
  keeps: (answer: T) => boolean;
  bytesOf?: (answer: T) => number;
  /** Requests that come while an answer is being made share it, however long that takes: never are two made at a time. */
  sharesSlowAnswers?: boolean;
}

/**
 * Answers that are the same for all callers, in this process. Callers share one that is being made, and one that may be kept
 * serves until `maxAgeMs` after it was asked for. A failure is not kept. The least recently used make room.
 */
export class ResponseCache<T> {
  readonly #entries: LRUCache<string, Entry<T>>;
  readonly #options: Options<T>;

  constructor(options: Options<T>) {
    const { maxEntries = 1, maxBytes } = options;
    this.#options = options;
    this.#entries = new LRUCache({ max: maxEntries, ...(maxBytes === undefined ? {} : { maxSize: maxBytes }) });
  }

  /**
   * `make` may throw at once, for a question that cannot be answered: that takes no room. `fresh` is for a caller that has to
   * see its own write: what is kept, or being made, may be from before it, and is replaced.
   */
  get(key: string, nowMs: number, make: () => Promise<T>, { fresh = false }: { fresh?: boolean } = {}): Promise<T> {
    const known = this.#entries.get(key);
    if (known !== undefined && !fresh && this.#serves(known, nowMs)) return known.answer;
    const entry: Entry<T> = { askedAtMs: nowMs, answer: make(), isUnderWay: true };
    this.#set(key, entry);
    entry.answer.then(
      (answer) => {
        entry.isUnderWay = false;
        if (this.#entries.peek(key) !== entry) return;
        if (this.#options.keeps(answer)) this.#set(key, entry, this.#options.bytesOf?.(answer));
        else this.#entries.delete(key);
      },
      () => {
        if (this.#entries.peek(key) === entry) this.#entries.delete(key);
      },
    );
    return entry.answer;
  }

  /** From now on answers are made anew. */
  forget(): void {
    this.#entries.clear();
  }

  #serves({ askedAtMs, isUnderWay }: Entry<T>, nowMs: number): boolean {
    if (isUnderWay && this.#options.sharesSlowAnswers === true) return true;
    // A clock that was set back makes nothing younger.
    const ageMs = nowMs - askedAtMs;
    return ageMs >= 0 && ageMs < this.#options.maxAgeMs;
  }

  #set(key: string, entry: Entry<T>, bytes = 0): void {
    this.#entries.set(key, entry, this.#options.maxBytes === undefined ? {} : { size: key.length + bytes });
  }
}
