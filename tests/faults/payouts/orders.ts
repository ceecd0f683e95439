import type { PayoutRun } from '#lib/payouts/run-payouts.ts';
import type { Strike } from '#tests/faults/strike.ts';

/** Submissions of one slice that the network holds back. */
export interface Delay {
  /** The first so many submissions. */
  count: number;
  /** How many ledgers later they arrive; past LastLedgerSequence they arrive in vain. */
  ledgers: number;
  /** Whether the server says that it has queued them, or the connection breaks. */
  answered: boolean;
}

/** One slice of paying out, as the campaign orders it of a process. */
export interface Order {
  settings: Record<string, string | undefined>;
  strike: Strike | null;
  delay: Delay | null;
}

/** What a process reports. */
export type Report =
  | { kind: 'ready' }
  /** With the lines of the log that tell of accounts whose slice failed without an outage. */
  | { kind: 'done'; run: PayoutRun; faults: readonly string[] }
  | { kind: 'failed'; error: string }
  /** It is about to be struck; after SIGSTOP nothing more comes until it is continued. */
  | { kind: 'struck'; strike: Strike }
  | { kind: 'late'; blob: string; ledgers: number };
