import { describe, expect, test } from 'vitest';
import { LATENCY_BOUNDS_MS, type LatencyCount, percentileMs } from '#lib/ops/status/delivery-minutes.ts';
import { deliveriesOfDay } from '#lib/ops/status/read-figures.ts';

const counted = (latenciesMs: readonly number[]): LatencyCount[] =>
  LATENCY_BOUNDS_MS.map((belowMs, index) => ({
    belowMs,
    count: latenciesMs.filter((ms) => ms < belowMs && ms >= (LATENCY_BOUNDS_MS[index - 1] ?? 0)).length,
  }));

describe('a percentile out of counts', () => {
  test('is that of the latencies themselves, to a quarter', () => {
    const latenciesMs = Array.from({ length: 5_000 }, (_, n) => Math.floor(8 * 1.002 ** n));
    for (const part of [0.5, 0.95]) {
      const exact = latenciesMs[Math.floor(part * latenciesMs.length)] ?? 0;
      const shown = percentileMs(counted(latenciesMs), part) ?? 0;
      expect(Math.abs(shown - exact) / exact).toBeLessThan(0.25);
    }
  });

  test('of one latency lies within its bounds; of none there is none', () => {
    expect(percentileMs([{ belowMs: 100, count: 1 }], 0.95)).toBe(99);
    expect(percentileMs([], 0.5)).toBeNull();
  });
});

describe('the success of a day', () => {
  test('is never rounded up to all', () => {
    const counts = [
      { outcome: 'delivered' as const, belowMs: 5, count: 999_999 },
      { outcome: 'given_up' as const, belowMs: 0, count: 1 },
      { outcome: 'retried' as const, belowMs: 0, count: 6 },
    ];
    expect(deliveriesOfDay(counts)).toMatchObject({
      delivered: 999_999,
      given_up: 1,
      failed_attempts: 7,
      success_rate: 0.9999,
    });
  });

  test('is unknown while nothing ended', () => {
    expect(deliveriesOfDay([{ outcome: 'retried', belowMs: 0, count: 3 }])).toMatchObject({
      success_rate: null,
      failed_attempts: 3,
    });
  });
});
