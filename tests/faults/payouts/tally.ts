import { count, listed, sum } from '#tests/faults/counts.ts';
import type { RunReport } from './rounds.ts';

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
    count(this.#worlds, report.world);
    for (const [name, times] of report.kills) count(this.#kills, name, times);
    for (const [name, times] of report.faults) count(this.#faults, name, times);
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
