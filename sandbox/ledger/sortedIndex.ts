/** First position in an ascending list whose text is above `start`. */
export function positionAbove(sorted: readonly string[], start: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') <= start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Ledger keys under names that are read in ascending order; sorting waits until somebody reads. */
export class SortedIndex {
  private readonly keys = new Map<string, string>();
  private sorted: readonly string[] | undefined;

  set(name: string, key: string): void {
    if (!this.keys.has(name)) this.sorted = undefined;
    this.keys.set(name, key);
  }

  delete(name: string): void {
    if (this.keys.delete(name)) this.sorted = undefined;
  }

  /** Names and keys above a name, in order. */
  *above(start: string): Generator<{ name: string; key: string }> {
    this.sorted ??= [...this.keys.keys()].sort();
    const { sorted } = this;
    for (let at = positionAbove(sorted, start); at < sorted.length; at++) {
      const name = sorted[at] ?? '';
      const key = this.keys.get(name);
      if (key !== undefined) yield { name, key };
    }
  }
}
