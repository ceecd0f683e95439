import { describe, expect, test } from 'vitest';
import { Places } from '#lib/webhooks/delivery/places.ts';

const QUICK = { succeeded: true, durationMs: 1_000 };
const SLOW = { succeeded: true, durationMs: 1_001 };
const FAILED = { succeeded: false, durationMs: 10 };

/** How many may be under way at a receiver whose attempts came to this. */
function allowedAfter(...ends: (typeof QUICK)[]): number | undefined {
  const places = new Places({ first: 1, most: 8, ahead: 0 });
  for (const end of ends) places.judge('receiver', end);
  const { known, ofUnknown } = places.left;
  return known.get('receiver') ?? ofUnknown;
}

describe('the places of a receiver', () => {
  test('double with each success, up to the most', () => {
    expect(allowedAfter(QUICK)).toBe(2);
    expect(allowedAfter(QUICK, SLOW)).toBe(4);
    expect(allowedAfter(QUICK, QUICK, QUICK, QUICK, QUICK)).toBe(8);
  });

  test('are as at first after a failure', () => {
    expect(allowedAfter(QUICK, QUICK, FAILED)).toBe(1);
  });

  test('are fewer by what is under way elsewhere, once that and its own come to the most', () => {
    const places = new Places({ first: 1, most: 8, ahead: 0 });
    const left = () => places.left.known.get('receiver');
    places.noteElsewhere(new Map([['receiver', 7]]));
    expect([places.hasRoom('receiver'), left()]).toEqual([true, 1]);
    for (let n = 0; n < 3; n++) places.judge('receiver', QUICK);
    expect(left()).toBe(1);
    places.noteElsewhere(new Map([['receiver', 40]]));
    expect([places.hasRoom('receiver'), left()]).toEqual([false, 0]);
    places.noteElsewhere(new Map());
    expect(left()).toBe(8);
  });

  test('let more be claimed ahead for who answered quickly last, until one of those has to be given back', () => {
    const places = new Places({ first: 1, most: 8, ahead: 4 });
    const left = () => places.left.known.get('receiver');
    places.judge('receiver', QUICK);
    expect(left()).toBe(2 + 4);
    for (let n = 0; n < 3; n++) places.claim('receiver');
    places.begin('receiver');
    places.begin('receiver');
    expect(places.hasRoom('receiver')).toBe(false);
    expect(left()).toBe(3);
    places.giveBack('receiver');
    expect(left()).toBe(0);
    places.end('receiver');
    places.judge('receiver', SLOW);
    expect(left()).toBe(4 - 1);
  });
});
