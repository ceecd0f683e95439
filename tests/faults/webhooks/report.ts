import type { Outage } from './faults.ts';

/** What a campaign did, and everything that was wrong at its end. */
export interface Report {
  violations: string[];
  kills: Map<string, number>;
  /** Processes that hung until their claims had run out. */
  stops: number;
  outages: Map<Outage, number>;
}

export const count = <Key>(counts: Map<Key, number>, key: Key): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1);

export const sum = (counts: ReadonlyMap<unknown, number>): number => [...counts.values()].reduce((a, b) => a + b, 0);

export const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');
