import { describe, expect, test } from 'vitest';
import { amountAxis, anchorOf, dayAxis, thinned, tickText, timeAxis } from '../../../app/(site)/_ui/chart/geometry.ts';
import { percent } from '../../../app/(site)/_ui/chart/percent.ts';
import { placeOfLabel } from '../../../app/(site)/_ui/chart/plot.tsx';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-24T00:00:00Z');

describe('an axis of amounts', () => {
  test('goes from the foot to the head of the chart, with round numbers that hold the most', () => {
    const { yOf, ticks } = amountAxis(3_803, 180);
    expect([yOf(0), ticks[0], ticks.at(-1)]).toEqual([180, { y: 180, text: '0' }, { y: 0, text: '4K' }]);
    expect(yOf(2_000)).toBe(90);
  });

  test('of nothing has a height all the same, and one of people no half ones', () => {
    expect(amountAxis(0, 100).yOf(0)).toBe(100);
    const { ticks } = amountAxis(2, 100, { isWhole: true });
    expect(ticks.map(({ text }) => text)).toEqual(['0', '1', '2']);
  });

  test('says no number twice, however close they are', () => {
    const { ticks } = amountAxis(10_240, 100, { least: 10_234, isWhole: true });
    expect(new Set(ticks.map(({ text }) => text)).size).toBe(ticks.length);
    expect(amountAxis(7, 100, { least: 7 }).yOf(7)).toBe(100);
  });

  test('a million is an M, and small numbers keep their digits', () => {
    expect(['400000000', '12500', '0.125', '0.0005'].map((text) => tickText(Number(text)))).toEqual([
      '400M',
      '12.5K',
      '0.125',
      '0.0005',
    ]);
  });
});

describe('an axis of time', () => {
  test.each([
    [60_000, 'second'],
    [3_600_000, 'minute'],
    [6 * DAY_MS, 'day'],
    [700 * DAY_MS, 'month'],
  ])('of %i ms has a few ticks, written as %s', (length, form) => {
    const { xOf, ticks } = timeAxis(NOW, NOW + length);
    expect(ticks.length).toBeGreaterThan(1);
    expect(ticks.length).toBeLessThan(9);
    expect(ticks.every((tick) => tick.form === form && tick.x >= 0 && tick.x <= 1)).toBe(true);
    expect([xOf(NOW), xOf(NOW + length / 2), xOf(NOW + length)]).toEqual([0, 0.5, 1]);
  });

  test('keeps what lies outside at its ends, and one of no length is none the worse', () => {
    const { xOf } = timeAxis(NOW, NOW + DAY_MS);
    expect([xOf(NOW - DAY_MS), xOf(NOW + 2 * DAY_MS)]).toEqual([0, 1]);
    expect(timeAxis(NOW, NOW).xOf(NOW)).toBe(0);
  });

  test('without a known start counts days', () => {
    const { xOf, ticks } = dayAxis(400);
    expect(ticks[0]).toEqual({ x: 0, text: 'day 0' });
    expect(xOf(200 * DAY_MS)).toBe(0.5);
  });
});

test('labels that would lie over each other give way to the more important ones', () => {
  expect(thinned([100, 0, 95, 110, 116], (y) => y, 15)).toEqual([100, 0, 116]);
  expect([anchorOf(0), anchorOf(0.5), anchorOf(1)]).toEqual(['middle', 'middle', 'end']);
  expect(percent(1 / 3)).toBe('33.33%');
});

test('the name of a mark keeps clear of the line: left above it before the crossing, else at the right below it', () => {
  const late = [
    { x: 0, y: 180 },
    { x: 0.8, y: 40 },
  ];
  const early = [
    { x: 0, y: 180 },
    { x: 0.1, y: 40 },
  ];
  expect(placeOfLabel(100, late, 180)).toEqual({ isRight: false, isBelow: false });
  expect(placeOfLabel(100, early, 180)).toEqual({ isRight: true, isBelow: true });
  // Never out of the picture: at the foot above, at the head below.
  expect(placeOfLabel(175, early, 180)).toEqual({ isRight: true, isBelow: false });
  expect(placeOfLabel(0, late, 180)).toEqual({ isRight: false, isBelow: true });
});
