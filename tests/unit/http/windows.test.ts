import { expect, test } from 'vitest';
import { Windows } from '#lib/http/windows.ts';

const TEN_MINUTES_MS = 600_000;

test('a clock that was set back does not keep who used a window up waiting until it is there again', () => {
  const windows = new Windows();
  expect(windows.take('caller', 1, TEN_MINUTES_MS).allowed).toBe(true);
  expect(windows.take('caller', 1, TEN_MINUTES_MS).allowed).toBe(false);
  expect(windows.isFull('caller', 1, 0)).toBe(false);
  expect(windows.take('caller', 1, 0)).toMatchObject({ allowed: true, resetSeconds: 60 });
});
