import type { LedgerHistory } from './read-feed.ts';

/** Which ledgers of [from, through] a server does not hold, as inclusive ranges in order. Pure. */
export function missingLedgers(
  history: LedgerHistory,
  from: number,
  through: number,
): [from: number, through: number][] {
  const missing: [number, number][] = [];
  let next = from;
  for (const [first, last] of history.completeLedgers) {
    const end = Math.min(last, history.validatedIndex);
    if (end < next) continue;
    if (first > through) break;
    if (first > next) missing.push([next, first - 1]);
    next = Math.max(next, end + 1);
  }
  if (next <= through) missing.push([next, through]);
  return missing;
}
