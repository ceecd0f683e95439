import type { Draw } from './draw.ts';
import type { Step, Steps } from './steps.ts';

/** Before the step, once it is on its way but not answered, or once it is answered but nothing more was done. */
const SIDES = ['before', 'sent', 'after'] as const;
export type Side = (typeof SIDES)[number];

/** What happens to a process itself at one of its steps. */
export interface Strike {
  step: Step;
  side: Side;
  /** At the n-th time the step is reached, from 1. */
  nth: number;
  /** SIGSTOP makes it a process that hangs for longer than its claims and then goes on. */
  signal: 'SIGKILL' | 'SIGSTOP';
}

/** How a scenario's strikes are drawn. */
export interface StrikeWeights {
  /** Groups of steps, each taken up to its mark between 0 and 1; the last mark is 1. */
  among: readonly (readonly [upTo: number, steps: Steps])[];
  /** At the how many-th time a step is struck. */
  nth(step: Step, draw: Draw): number;
  /** Of the struck processes, so many hang rather than end. */
  shareStopped: number;
}

export function drawStrike(draw: Draw, { among, nth, shareStopped }: StrikeWeights): Strike {
  const mark = draw.fraction();
  const group = among.find(([upTo]) => mark < upTo) ?? among[0];
  if (group === undefined) throw new Error('There is nothing to strike');
  const step = draw.pick(group[1]);
  return {
    step,
    side: draw.pick(SIDES),
    nth: nth(step, draw),
    signal: draw.chance(shareStopped) ? 'SIGSTOP' : 'SIGKILL',
  };
}

/** What a campaign tells a process of the app. */
export type Order =
  | { kind: 'settings'; settings: Record<string, string | undefined> }
  /** What is to happen to it from now on: the one whose step it comes to first. */
  | { kind: 'strike'; strikes: readonly Strike[] }
  /** How far its clock is off from now on. */
  | { kind: 'clock'; offsetMs: number }
  /** Something to do, where it serves no requests. */
  | { kind: 'task'; task: unknown };

/** What such a process reports. */
export type Told =
  | { kind: 'ready'; port: number | null }
  /** It is about to be struck; after SIGSTOP it answers nothing until it is continued. */
  | { kind: 'struck'; strike: Strike }
  /** It was stopped, and goes on. */
  | { kind: 'continued' }
  /** Something on the way of its task. */
  | { kind: 'news'; news: unknown }
  | { kind: 'done'; result: unknown };
