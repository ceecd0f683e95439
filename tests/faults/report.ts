import type { Worker } from './crew.ts';

/** Counts by name, and names by what they count: `kills`, `faults`, and what a scenario adds. */
type Tables = Map<string, Map<string, number>>;

/** What one play of a scenario, or all of them together, did, and everything that was wrong at its end. */
export class Report {
  readonly violations: string[] = [];
  readonly #tables: Tables = new Map();

  count(table: string, name: string, times = 1): void {
    const counts = this.#tables.get(table) ?? new Map<string, number>();
    this.#tables.set(table, counts.set(name, (counts.get(name) ?? 0) + times));
  }

  /** Counts those that have ended, by the step at which they were struck. */
  countEnded(ended: readonly Worker[]): void {
    for (const { armedWith: strike, wasKilled, crashed } of ended) {
      if (crashed) this.violations.push('a process of the app ended by itself');
      else this.count('kills', strike === null || wasKilled ? 'any time' : `${strike.side} ${strike.step}`);
    }
  }

  add(other: Report): void {
    this.violations.push(...other.violations);
    for (const [table, counts] of other.#tables) {
      for (const [name, times] of counts) this.count(table, name, times);
    }
  }

  /** One figure of a table; 0 where it was never counted. */
  figure(table: string, name: string): number {
    return this.#tables.get(table)?.get(name) ?? 0;
  }

  sum(table: string): number {
    return [...(this.#tables.get(table)?.values() ?? [])].reduce((a, b) => a + b, 0);
  }

  /** A table in a line, the commonest first. */
  listed(table: string): string {
    return [...(this.#tables.get(table) ?? [])]
      .sort(([, a], [, b]) => b - a)
      .map(([name, times]) => `${name} ${times}`)
      .join(', ');
  }
}
