import type { PayoutRun } from '#lib/payouts/run-payouts.ts';

/** Submissions of one slice that the network holds back. */
export interface Delay {
  /** The first so many submissions. */
  count: number;
  /** How many ledgers later they arrive; past LastLedgerSequence they arrive in vain. */
  ledgers: number;
  /** Whether the server says that it has queued them, or the connection breaks. */
  answered: boolean;
}

/** One of them. */
export interface Held {
  blob: string;
  ledgers: number;
}

/** One slice of paying out, as the campaign orders it of a process. */
export interface SliceOrder {
  settings: Record<string, string | undefined>;
  delay: Delay | null;
}

export interface SliceResult {
  /** Null when the slice as a whole failed. */
  run: PayoutRun | null;
  /** What failed while database and ledger could be reached. */
  faults: readonly string[];
}
