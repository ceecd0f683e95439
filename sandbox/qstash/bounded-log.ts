/** The last `capacity` entries by key, oldest first; older ones are forgotten. */
export class BoundedLog<Entry> {
  readonly #entries = new Map<string, Entry>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    if (this.#entries.size <= this.#capacity) return;
    const oldest = this.#entries.keys().next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  delete(key: string): boolean {
    return this.#entries.delete(key);
  }

  newestFirst(): Entry[] {
    return [...this.#entries.values()].reverse();
  }
}
