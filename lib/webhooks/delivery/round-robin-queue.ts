/** Items in order within a key, and keys by turns. */
export class RoundRobinQueue<Item> {
  readonly #ofKey = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(key: string, item: Item): void {
    const items = this.#ofKey.get(key);
    if (items === undefined) this.#ofKey.set(key, [item]);
    else items.push(item);
    this.#size += 1;
  }

  /** Takes out the first item of a key that `may` go; its key comes last from now on. */
  next(may: (first: Item) => boolean): Item | undefined {
    for (const [key, items] of this.#ofKey) {
      const [first] = items;
      if (first === undefined || !may(first)) continue;
      items.shift();
      this.#size -= 1;
      this.#ofKey.delete(key);
      if (items.length > 0) this.#ofKey.set(key, items);
      return first;
    }
    return undefined;
  }

  /** How many items those keys have whose first one is `such`. */
  countWhere(such: (first: Item) => boolean): number {
    let count = 0;
    for (const items of this.#ofKey.values()) {
      const [first] = items;
      if (first !== undefined && such(first)) count += items.length;
    }
    return count;
  }

  /** Takes out all items of those keys whose first one `must` go. */
  removeWhere(must: (first: Item) => boolean): Item[] {
    const removed: Item[] = [];
    for (const [key, items] of this.#ofKey) {
      const [first] = items;
      if (first === undefined || !must(first)) continue;
      this.#ofKey.delete(key);
      this.#size -= items.length;
      removed.push(...items);
    }
    return removed;
  }
}
