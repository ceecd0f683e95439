'use client';

import type { SVGProps } from 'react';
import { useTimeZone } from '../time.tsx';
import type { TickForm } from './geometry.ts';

const OPTIONS: Record<TickForm, Intl.DateTimeFormatOptions> = {
  second: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  minute: { hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
};
/** Made once for each form and zone: making one costs far more than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function tickTime(at: string, form: TickForm, timeZone: string): string {
  const key = `${form} ${timeZone}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...OPTIONS[form], timeZone });
  formats.set(key, format);
  return format.format(new Date(at));
}

/** A tick of an axis of time, in the visitor’s zone as every time of the page. */
export function TickTime({ at, form, ...rest }: { at: string; form: TickForm } & SVGProps<SVGTextElement>) {
  return <text {...rest}>{tickTime(at, form, useTimeZone())}</text>;
}
