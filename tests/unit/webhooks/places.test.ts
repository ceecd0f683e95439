import { describe, expect, test } from 'vitest';
import { Places } from '#lib/webhooks/delivery/places.ts';

const QUICK = { succeeded: true, durationMs: 1_000 };
const SLOW = { succeeded: true, durationMs: 1_001 };
const FAILED = { succeeded: false, durationMs: 10 };

/** How many may be under way at a receiver whose attempts came to this. */
function allowedAfter(...ends: (typeof QUICK)[]): number | undefined {
  const places = new Places({ first: 1, most: 8 });
  for (const end of ends) places.judge('receiver', end);
  const { known, ofUnknown } = places.left;
  return known.get('receiver') ?? ofUnknown;
}

describe('the places of a receiver', () => {
  test('double with each quick success, up to the most', () => {
    expect(allowedAfter(QUICK)).toBe(2);
    expect(allowedAfter(QUICK, QUICK, QUICK, QUICK, QUICK)).toBe(8);
  });

  test('stay as they are after a slow success: who answers slowly must not take all of them', () => {
    expect(allowedAfter(SLOW, SLOW, SLOW)).toBe(1);
    expect(allowedAfter(QUICK, QUICK, SLOW)).toBe(4);
  });

  test('are as at first after a failure', () => {
    expect(allowedAfter(QUICK, QUICK, FAILED)).toBe(1);
  });
});
