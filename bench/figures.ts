import { writeFileSync } from 'node:fs';

/** The least or the most that a figure may be. */
export type Target = { atLeast: number } | { atMost: number };

/** One result of a benchmark, as the table and the charts of docs/performance.md show it. */
export interface Figure {
  /** In a few words: `deliveries a second`. */
  what: string;
  value: number;
  /** `ms`, `times`, `MB` … */
  unit: string;
  target?: Target;
  /** Whose ratio it is: `pg-boss, same POSTs from the same database`. */
  comparedWith?: string;
}

/** What a benchmark reports. */
export interface Reported {
  name: string;
  figures: Figure[];
  /** The benchmark went to its end. */
  isWhole: boolean;
}

/** Null for a figure without a target. */
export function isMet({ value, target }: Figure): boolean | null {
  if (target === undefined) return null;
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
}

const reported: Figure[] = [];

/**
 * Adds figures to the file that BENCH_FIGURES names; without it, does nothing. A benchmark in parts calls it after each: what was
 * measured stands when a later part fails or is cut off.
 */
export function reportMetrics(name: string, figures: readonly Figure[]): void {
  const file = process.env.BENCH_FIGURES;
  if (!file) return;
  const write = (isWhole: boolean) =>
    writeFileSync(file, JSON.stringify({ name, figures: reported, isWhole } satisfies Reported));
  // A process that fails ends without this event.
  if (reported.length === 0) process.once('beforeExit', () => write(true));
  reported.push(...figures);
  write(false);
}
