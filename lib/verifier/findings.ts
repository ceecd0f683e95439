import type { Counts, Difference, Unchecked } from './types.ts';

/** A report names this many differences; all are counted. */
const MAX_NAMED = 1_000;

export const noCounts = (): Counts => ({
  ledgers: 0,
  entries: 0,
  payments: 0,
  allocations: 0,
  payouts: 0,
  payouts_validated: 0,
  payouts_owed: 0,
  payouts_cancelled: 0,
  payouts_to_come: 0,
});

/** What a verification has found so far. */
export interface Findings {
  counts: Counts;
  differences: Difference[];
  differencesTotal: number;
  unchecked: Unchecked[];
}

export const noFindings = (): Findings => ({ counts: noCounts(), differences: [], differencesTotal: 0, unchecked: [] });

export function addDifference(
  findings: Findings,
  difference: Pick<Difference, 'kind' | 'subject' | 'message'> & Partial<Difference>,
): void {
  findings.differencesTotal += 1;
  if (findings.differences.length >= MAX_NAMED) return;
  findings.differences.push({ ledger_index: null, field: null, expected: null, found: null, ...difference });
}

/** Adds what was found elsewhere. */
export function addFindings(findings: Findings, more: Findings): void {
  for (const name of Object.keys(more.counts) as (keyof Counts)[]) findings.counts[name] += more.counts[name];
  findings.differencesTotal += more.differencesTotal;
  findings.differences.push(...more.differences.slice(0, MAX_NAMED - findings.differences.length));
  findings.unchecked.push(...more.unchecked);
}

const shown = (value: unknown): string => (value === null || value === undefined ? 'nothing' : String(value));

/** The fields in which a published row is not what it must be, one difference each. */
export function addFieldDifferences<Row extends object>(
  findings: Findings,
  difference: Pick<Difference, 'kind' | 'subject'> & Partial<Difference>,
  expected: Partial<Row>,
  published: Row,
): void {
  for (const field of Object.keys(expected) as (keyof Row & string)[]) {
    if (expected[field] === published[field]) continue;
    const [must, is] = [shown(expected[field]), shown(published[field])];
    addDifference(findings, {
      ...difference,
      field,
      expected: must,
      found: is,
      message: `${difference.subject}: ${field} must be ${must}, and is published as ${is}`,
    });
  }
}
