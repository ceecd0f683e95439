/** Latencies are counted below these bounds, milliseconds: to within a quarter or so, up to half a day. */
export const LATENCY_BOUNDS_MS: readonly number[] = [
  ...[5, 10, 20, 30, 40, 50, 65, 80, 100, 125, 160, 200, 250, 320, 400, 500, 650, 800],
  ...[1_000, 1_250, 1_600, 2_000, 2_500, 3_200, 4_000, 5_000, 6_500, 8_000, 10_000, 15_000, 30_000, 60_000],
  ...[120_000, 300_000, 900_000, 3_600_000, 14_400_000, 43_200_000],
];

export interface LatencyCount {
  /** One of LATENCY_BOUNDS_MS. */
  belowMs: number;
  count: number;
}

/**
 * The latency in milliseconds that the given part (0 to 1) of the counted stays below, as if those below one bound lay
 * evenly between it and the one before; null when nothing was counted. Pure.
 */
export function percentileMs(counts: readonly LatencyCount[], part: number): number | null {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  let left = part * total;
  for (const { belowMs, count } of counts.toSorted((a, b) => a.belowMs - b.belowMs)) {
    if (count === 0) continue;
    if (left <= count) {
      const fromMs = LATENCY_BOUNDS_MS[LATENCY_BOUNDS_MS.indexOf(belowMs) - 1] ?? 0;
      return Math.round(fromMs + ((belowMs - fromMs) * left) / count);
    }
    left -= count;
  }
  return null;
}
