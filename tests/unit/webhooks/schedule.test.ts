import { describe, expect, test } from 'vitest';
import { delaySecondsAfter, delaySecondsAsked, MAX_ATTEMPTS, RETRY_DELAYS_SECONDS } from '#lib/webhooks/schemas.ts';

test('retries come after 5 s, 25 s, 2 min, 10 min, 1 h, 6 h', () => {
  expect(RETRY_DELAYS_SECONDS).toEqual([5, 25, 2 * 60, 10 * 60, 60 * 60, 6 * 60 * 60]);
  expect([1, 2, 3, 4, 5, 6].map(delaySecondsAfter)).toEqual([...RETRY_DELAYS_SECONDS]);
});

test('the seventh attempt is the last', () => {
  expect(MAX_ATTEMPTS).toBe(7);
  expect(delaySecondsAfter(7)).toBeNull();
});

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');
const asked = (attempt: number, retryAfter: string | null, responseCode: number | null = 503) =>
  delaySecondsAsked(attempt, { responseCode, retryAfter }, NOW_MS);

describe('a Retry-After', () => {
  test.each([
    ['7', 7],
    [' 7 ', 7],
    ['Sat, 21 Nov 2026 12:00:09 GMT', 9],
  ])('of %j puts the retry off to the time that it names', (retryAfter, seconds) => {
    expect(asked(1, retryAfter)).toBe(seconds);
    expect(asked(1, retryAfter, 429)).toBe(seconds);
  });

  test.each(['0', '4', 'Sat, 21 Nov 2026 11:00:00 GMT', 'Sat, 21 Nov 2026 12:00:01 GMT'])(
    'of %j, sooner than the schedule, changes nothing',
    (retryAfter) => expect(asked(1, retryAfter)).toBe(5),
  );

  test.each(['26', '99999999999999999999999', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'of %j is bounded by the delay that comes next, and the last retry comes as scheduled',
    (retryAfter) => {
      expect([1, 2, 3, 4, 5, 6].map((attempt) => asked(attempt, retryAfter))).toEqual(
        retryAfter === '26' ? [25, 26, 120, 600, 3600, 21600] : [25, 120, 600, 3600, 21600, 21600],
      );
      expect(asked(7, retryAfter)).toBeNull();
    },
  );

  test.each(['', 'soon', '-1', '1.5', '1e3', '0x10', '2026-11-21T12:00:09Z', 'Sat, 99 Nov 2026 12:00:09 GMT', '7, 8'])(
    'of %j is nothing that HTTP knows, and changes nothing',
    (retryAfter) => expect(asked(1, retryAfter)).toBe(5),
  );

  test.each([200, 301, 400, 404, 410, 500, 502, 504, null])('with the status %s changes nothing', (code) => {
    expect(asked(1, '20', code)).toBe(5);
  });
});
