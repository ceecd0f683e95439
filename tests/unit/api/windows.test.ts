import { beforeAll, expect, test } from 'vitest';
import { clientIp } from '#lib/api/client-ip.ts';
import { Windows } from '#lib/api/windows.ts';
import { putInForce } from '#lib/base/env.ts';
import { testEnv } from '#tests/support/env.ts';

beforeAll(() => void putInForce(testEnv()));

const TEN_MINUTES_MS = 600_000;

test('a clock that was set back does not keep who used a window up waiting until it is there again', () => {
  const windows = new Windows();
  expect(windows.takeCaller('caller', 1, TEN_MINUTES_MS).allowed).toBe(true);
  expect(windows.takeCaller('caller', 1, TEN_MINUTES_MS).allowed).toBe(false);
  expect(windows.isCallerFull('caller', 1, 0)).toBe(false);
  expect(windows.takeCaller('caller', 1, 0)).toMatchObject({ allowed: true, resetSeconds: 60 });
});

test('a flood of ten thousand other callers forgives nobody who goes on calling', () => {
  const windows = new Windows();
  const flood = (from: number) => {
    for (let n = 0; n < 9_000; n += 1) windows.takeCaller(`198.18.${from}.${n}`, 1, 0);
  };
  windows.takeCaller('caller', 1, 0);
  for (const from of [1, 2, 3]) {
    flood(from);
    expect(windows.takeCaller('caller', 1, 0).allowed).toBe(false);
  }
});

test('the callers of one IPv6 /48 may do four times as much as one of them, however many they are', () => {
  const windows = new Windows();
  const take = (subscriber: number) =>
    windows.takeCaller(
      clientIp(new Headers({ 'x-forwarded-for': `2001:db8:1:${subscriber.toString(16)}00::1` })),
      10,
      0,
    );
  for (let n = 0; n < 10; n += 1) expect(take(1).allowed).toBe(true);
  expect(take(1)).toMatchObject({ allowed: false, limit: 10 });
  // Its 11th try counted in the wider network, too.
  for (let n = 0; n < 29; n += 1) expect(take(2 + n).allowed).toBe(true);
  expect(take(200)).toMatchObject({ allowed: false, limit: 40 });
  expect(windows.takeCaller('32.1.13.184.0.2.1/56', 10, 0).allowed).toBe(true);
});

test('a window lasts one minute: who used it up is refused until its last millisecond and let in after it', () => {
  const windows = new Windows();
  windows.takeCaller('caller', 1, TEN_MINUTES_MS);
  const endMs = TEN_MINUTES_MS + 60_000;
  expect(windows.isCallerFull('caller', 1, endMs - 1)).toBe(true);
  expect(windows.takeCaller('caller', 1, endMs - 1)).toMatchObject({ allowed: false, resetSeconds: 1 });
  expect(windows.isCallerFull('caller', 1, endMs)).toBe(false);
  expect(windows.takeCaller('caller', 1, endMs)).toMatchObject({ allowed: true, remaining: 0, resetSeconds: 60 });
});
