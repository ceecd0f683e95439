import type { PublishedVesting } from './publications.ts';
import type { Decision, SaleResult } from './results.ts';

const DAY_MS = 86_400_000;

export interface Share {
  part: number;
  units: bigint;
  dueAt: number;
}

/** The tokens that one decision is owed, part by part (docs/verification.md section 6). */
export function sharesOf(sale: SaleResult, decision: Decision): Share[] {
  const base = baseTime(sale, decision);
  if (base === null) return [];
  return vest(unitsOf(decision), base, sale.terms.vesting)
    .filter(({ units }) => units > 0n)
    .map((share, index) => ({ part: index + 1, ...share }));
}

export function unitsOf({ allocations }: Decision): bigint {
  return allocations.reduce((sum, { units }) => sum + units, 0n);
}

function baseTime(sale: SaleResult, decision: Decision): number | null {
  if (sale.terms.distribution === 'immediate') return decision.by.at;
  return sale.status === 'completed' ? sale.endedAt : null;
}

function vest(total: bigint, base: number, vesting: PublishedVesting): Omit<Share, 'part'>[] {
  const periods = BigInt(vesting.periods);
  const now = periods === 0n ? total : (total * BigInt(vesting.immediate_bps)) / 10_000n;
  const rest = total - now;
  const list = [{ units: now, dueAt: base }];
  for (let k = 1; k <= vesting.periods; k += 1) {
    const vested = (rest * BigInt(k)) / periods;
    const before = (rest * BigInt(k - 1)) / periods;
    list.push({ units: vested - before, dueAt: base + (vesting.cliff_days + k * vesting.period_days) * DAY_MS });
  }
  return list;
}
