import type { Side } from './edges.ts';

/** What happens to a process itself at one of its steps. */
export interface Strike<Boundary extends string = string> {
  boundary: Boundary;
  side: Side;
  /** At the n-th time the step is reached, from 1. */
  nth: number;
  /** SIGSTOP makes it a process that hangs for longer than its claims and then goes on. */
  signal: 'SIGKILL' | 'SIGSTOP';
}

/** What a campaign tells a process of the app. */
export type AppOrder =
  | { kind: 'settings'; settings: Record<string, string | undefined> }
  /** What is to happen to it from now on: the one whose step it comes to first. */
  | { kind: 'strike'; strikes: readonly Strike[] }
  /** How far its clock is off from now on. */
  | { kind: 'clock'; offsetMs: number };

/** What such a process reports. */
export type AppReport =
  | { kind: 'ready'; port: number }
  /** It is about to be struck; after SIGSTOP it answers nothing until it is continued. */
  | { kind: 'struck'; strike: Strike };
