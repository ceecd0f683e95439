import { scaleLinear, scaleUtc } from 'd3-scale';

/** Where things stand in a chart. Numbers are for pictures: amounts stay decimal texts. Heights are pixels, widths parts of the whole. */

/** Of a digit or letter in the smallest print of a chart. */
const LETTER_PX = 6.4;
/** Room that two labels above each other need. */
export const LINE_PX = 15;

export const widthOf = (text: string): number => Math.ceil(text.length * LETTER_PX);

// Of British English a million is an `m`, which may be a thousandth.
const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 4 });
const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 12 });

/** A number as short as an axis needs it: `12.5K`. */
export const tickText = (value: number): string => SHORT.format(value);

/** The numbers of an axis: short, unless two would then look alike. */
function tickTexts(values: readonly number[]): string[] {
  const short = values.map(tickText);
  return new Set(short).size === values.length ? short : values.map((value) => WHOLE.format(value));
}

/** Of labels in the order of their importance, those that stand `gap` apart from every one kept before. Pure. */
export function thinned<T>(labels: readonly T[], placeOf: (label: T) => number, gap = LINE_PX): T[] {
  const kept: T[] = [];
  for (const label of labels) {
    if (kept.every((other) => Math.abs(placeOf(other) - placeOf(label)) >= gap)) kept.push(label);
  }
  return kept;
}

const Y_TICKS = 4;

/** An axis of amounts from 0, or from a round number below `least`, to one above `most`, `height` pixels high. Pure. */
export function amountAxis(most: number, height: number, { least = 0, isWhole = false } = {}) {
  const scale = scaleLinear([least, most > least ? most : least + 1], [height, 0]).nice(Y_TICKS);
  const yOf = (value: number): number => Math.round(scale(value) * 10) / 10;
  const ticks = scale.ticks(Y_TICKS).filter((value) => !isWhole || Number.isInteger(value));
  const texts = tickTexts(ticks);
  return { yOf, ticks: ticks.map((value, index) => ({ y: yOf(value), text: texts[index] ?? '' })) };
}

/** How a tick of time is written: the shorter the whole, the finer. */
export type TickForm = 'second' | 'minute' | 'day' | 'month';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FORMS: readonly [number, TickForm][] = [
  [4 * MINUTE_MS, 'second'],
  [1.5 * DAY_MS, 'minute'],
  [300 * DAY_MS, 'day'],
];
const X_TICKS = 4;

/** An axis of time. `x` is a part of the width, from 0 to 1. Pure. */
export function timeAxis(fromMs: number, toMs: number) {
  const scale = scaleUtc([fromMs, Math.max(toMs, fromMs + 1)], [0, 1]).clamp(true);
  const [, form = 'month'] = FORMS.find(([longest]) => toMs - fromMs < longest) ?? [];
  return {
    xOf: (ms: number): number => Math.round(scale(ms) * 1e4) / 1e4,
    ticks: scale.ticks(X_TICKS).map((time) => ({ x: scale(time), at: time.toISOString(), form: form as TickForm })),
  };
}

/** An axis of days from a time that is not known; `xOf` takes milliseconds since it. Pure. */
export function dayAxis(days: number) {
  const scale = scaleLinear([0, Math.max(days, 1)], [0, 1]).clamp(true);
  return {
    xOf: (ms: number): number => Math.round(scale(ms / DAY_MS) * 1e4) / 1e4,
    ticks: scale
      .ticks(X_TICKS)
      .filter(Number.isInteger)
      .map((day) => ({ x: scale(day), text: `day ${day}` })),
  };
}

/** At the right end a label stands before its place: beside a chart there is no room for half of it. */
export const anchorOf = (x: number): 'middle' | 'end' => (x > 0.97 ? 'end' : 'middle');
