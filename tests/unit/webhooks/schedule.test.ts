import { expect, test } from 'vitest';
import { delaySecondsAfter, MAX_ATTEMPTS, RETRY_DELAYS_SECONDS } from '#lib/webhooks/schemas.ts';

test('retries come after 5 s, 25 s, 2 min, 10 min, 1 h, 6 h', () => {
  expect(RETRY_DELAYS_SECONDS).toEqual([5, 25, 2 * 60, 10 * 60, 60 * 60, 6 * 60 * 60]);
  expect([1, 2, 3, 4, 5, 6].map(delaySecondsAfter)).toEqual([...RETRY_DELAYS_SECONDS]);
});

test('the seventh attempt is the last', () => {
  expect(MAX_ATTEMPTS).toBe(7);
  expect(delaySecondsAfter(7)).toBeNull();
});
