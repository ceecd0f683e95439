import { beforeAll, expect, test } from 'vitest';
import { clientIp } from '#lib/api/client-ip.ts';
import { applyEnv } from '#lib/base/env.ts';
import { RateLimiter } from '#lib/base/rate-limiter.ts';
import { testEnv } from '#tests/support/env.ts';

beforeAll(() => void applyEnv(testEnv()));

const TEN_MINUTES_MS = 600_000;

test('a clock that was set back does not keep who used a window up waiting until it is there again', () => {
  const limiter = new RateLimiter();
  expect(limiter.takeCaller('caller', 1, TEN_MINUTES_MS).allowed).toBe(true);
  expect(limiter.takeCaller('caller', 1, TEN_MINUTES_MS).allowed).toBe(false);
  expect(limiter.isCallerFull('caller', 1, 0)).toBe(false);
  expect(limiter.takeCaller('caller', 1, 0)).toMatchObject({ allowed: true, resetSeconds: 60 });
});

test('a flood of ten thousand other callers forgives nobody who goes on calling', () => {
  const limiter = new RateLimiter();
  const flood = (from: number) => {
    for (let n = 0; n < 9_000; n += 1) limiter.takeCaller(`198.18.${from}.${n}`, 1, 0);
  };
  limiter.takeCaller('caller', 1, 0);
  for (const from of [1, 2, 3]) {
    flood(from);
    expect(limiter.takeCaller('caller', 1, 0).allowed).toBe(false);
  }
});

test('the callers of one IPv6 /48 may do four times as much as one of them, however many they are', () => {
  const limiter = new RateLimiter();
  const take = (subscriber: number) =>
    limiter.takeCaller(
      clientIp(new Headers({ 'x-forwarded-for': `2001:db8:1:${subscriber.toString(16)}00::1` })),
      10,
      0,
    );
  for (let n = 0; n < 10; n += 1) expect(take(1).allowed).toBe(true);
  expect(take(1)).toMatchObject({ allowed: false, limit: 10 });
  // Its 11th try counted in the wider network, too.
  for (let n = 0; n < 29; n += 1) expect(take(2 + n).allowed).toBe(true);
  expect(take(200)).toMatchObject({ allowed: false, limit: 40 });
  expect(limiter.takeCaller('32.1.13.184.0.2.1/56', 10, 0).allowed).toBe(true);
});

test('a window lasts one minute: who used it up is refused until its last millisecond and let in after it', () => {
  const limiter = new RateLimiter();
  limiter.takeCaller('caller', 1, TEN_MINUTES_MS);
  const endMs = TEN_MINUTES_MS + 60_000;
  expect(limiter.isCallerFull('caller', 1, endMs - 1)).toBe(true);
  expect(limiter.takeCaller('caller', 1, endMs - 1)).toMatchObject({ allowed: false, resetSeconds: 1 });
  expect(limiter.isCallerFull('caller', 1, endMs)).toBe(false);
  expect(limiter.takeCaller('caller', 1, endMs)).toMatchObject({ allowed: true, remaining: 0, resetSeconds: 60 });
});
