import type { TokenUnits } from './amounts.ts';

/** As published in the terms. `immediate_bps` of 10,000 is no vesting. */
export interface Vesting {
  immediate_bps: number;
  cliff_days: number;
  period_days: number;
  periods: number;
}

export interface DistributionPart {
  /** Counts from 1. */
  part: number;
  units: TokenUnits;
  dueAtMs: number;
}

const MS_PER_DAY = 86_400_000;
const ALL_BPS = 10_000n;

/** What is due at once, rounded down to a unit; all of it when no period follows that could bring the rest. */
export const immediateUnitsFloor = (totalUnits: TokenUnits, vesting: Vesting): TokenUnits =>
  vesting.periods === 0 ? totalUnits : (totalUnits * BigInt(vesting.immediate_bps)) / ALL_BPS;

/**
 * An investment's tokens in parts: `immediate_bps` at `baseMs`, the rest in `periods` equal parts, the k-th one
 * `cliff_days + k * period_days` later. After k periods `floor(rest * k / periods)` have been given, so the parts sum to
 * the whole. Parts without a unit are left out. Pure.
 */
export function distributionParts(totalUnits: TokenUnits, vesting: Vesting, baseMs: number): DistributionPart[] {
  const atOnce = immediateUnitsFloor(totalUnits, vesting);
  const rest = totalUnits - atOnce;
  const periods = BigInt(vesting.periods);
  const vested = (k: number): TokenUnits => (rest * BigInt(k)) / periods;
  const shares = [{ units: atOnce, dueAtMs: baseMs }];
  for (let k = 1; k <= vesting.periods; k++) {
    const days = vesting.cliff_days + k * vesting.period_days;
    shares.push({ units: vested(k) - vested(k - 1), dueAtMs: baseMs + days * MS_PER_DAY });
  }
  return shares.filter(({ units }) => units > 0n).map((share, index) => ({ part: index + 1, ...share }));
}
