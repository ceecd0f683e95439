import type { RunReport } from './rounds.ts';

const sum = (counts: ReadonlyMap<unknown, number>): number => [...counts.values()].reduce((a, b) => a + b, 0);
const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');

/** The figures of a campaign. */
export class Tally {
  readonly #startedAt = performance.now();
  readonly #kills = new Map<string, number>();
  readonly #faults = new Map<string, number>();
  readonly #worlds = new Map<string, number>();
  #obligations = 0;
  #paid = 0;
  #attempts = 0;
  #stops = 0;
  runs = 0;
  failedRuns = 0;

  add(report: RunReport | Pick<RunReport, 'violations'>): void {
    this.runs += 1;
    if (report.violations.length > 0) this.failedRuns += 1;
    if (!('kills' in report)) return;
    this.#obligations += report.obligations;
    this.#paid += report.paid;
    this.#attempts += report.attempts;
    this.#stops += report.stops;
    this.#worlds.set(report.world, (this.#worlds.get(report.world) ?? 0) + 1);
    for (const [name, times] of report.kills) this.#kills.set(name, (this.#kills.get(name) ?? 0) + times);
    for (const [name, times] of report.faults) this.#faults.set(name, (this.#faults.get(name) ?? 0) + times);
  }

  line(seed: string): string {
    const seconds = Math.round((performance.now() - this.#startedAt) / 1000);
    return `seed ${seed}: ${this.runs} runs, ${this.failedRuns} failed, ${sum(this.#kills)} kills, ${this.#stops} stops, ${sum(this.#faults)} faults, ${this.#paid} of ${this.#obligations} obligations paid, ${seconds} s`;
  }

  summary(seed: string): string {
    return [
      this.line(seed),
      `transactions on the ledger  ${this.#attempts}`,
      `kills by step               ${listed(this.#kills)}`,
      `worlds                      ${listed(this.#worlds)}`,
      `faults of the servers       ${listed(this.#faults)}`,
    ].join('\n');
  }
}
