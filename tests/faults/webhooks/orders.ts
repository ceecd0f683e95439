import type { Strike } from './boundaries.ts';

/** What the campaign tells a process of the app. */
export type Order =
  | { kind: 'settings'; settings: Record<string, string | undefined> }
  /** What is to happen to it from now on; null for nothing. */
  | { kind: 'strike'; strike: Strike | null };

/** What a process reports. */
export type Report =
  | { kind: 'ready'; port: number }
  /** It is about to be struck; after SIGSTOP it answers nothing until it is continued. */
  | { kind: 'struck'; strike: Strike };
