import { count } from '#tests/faults/counts.ts';
import type { PaymentKind } from './crowd.ts';
import type { FaultName } from './faults.ts';
import type { SaleKind } from './sales.ts';

/** What one seed did, and everything that was wrong at its end. */
export interface Report {
  violations: string[];
  kills: Map<string, number>;
  stops: number;
  faults: Map<FaultName, number>;
  payments: Map<PaymentKind, number>;
  sales: Map<SaleKind, number>;
  /** How the sales ended. */
  ends: Map<string, number>;
  figures: Map<string, number>;
}

export const newReport = (): Report => ({
  violations: [],
  kills: new Map(),
  stops: 0,
  faults: new Map(),
  payments: new Map(),
  sales: new Map(),
  ends: new Map(),
  figures: new Map(),
});

/** Adds one seed's figures to those of all. */
export function addReport(total: Report, { violations, stops, ...counts }: Report): void {
  total.violations.push(...violations);
  total.stops += stops;
  for (const [name, figures] of Object.entries(counts)) {
    const sums = total[name as keyof typeof counts] as Map<string, number>;
    for (const [key, times] of figures) count(sums, key, times);
  }
}
