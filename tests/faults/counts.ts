export const count = <Key>(counts: Map<Key, number>, key: Key, times = 1): void =>
  void counts.set(key, (counts.get(key) ?? 0) + times);

export const sum = (counts: ReadonlyMap<unknown, number>): number => [...counts.values()].reduce((a, b) => a + b, 0);

/** The commonest first. */
export const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');
