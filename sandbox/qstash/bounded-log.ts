/** An entry and its number; numbers rise by one an entry and are never used again. */
export interface Numbered<Entry> {
  number: number;
  entry: Entry;
}

/** The last `capacity` entries by key, oldest first; older ones are forgotten. */
export class BoundedLog<Entry> {
  readonly #entries = new Map<string, Numbered<Entry>>();
  readonly #capacity: number;
  #added = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(key: string, entry: Entry): void {
    this.#added += 1;
    this.#entries.set(key, { number: this.#added, entry });
    if (this.#entries.size <= this.#capacity) return;
    const oldest = this.#entries.keys().next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key)?.entry;
  }

  delete(key: string): boolean {
    return this.#entries.delete(key);
  }

  newestFirst(): Numbered<Entry>[] {
    return [...this.#entries.values()].reverse();
  }
}
