import type { Inputs } from './inputs.ts';
import type { Progress } from './progress.ts';
import type { LedgerSource, PublishedSource } from './types.ts';

/** What every phase of a verification works with. */
export interface Work {
  source: PublishedSource;
  ledger: LedgerSource;
  inputs: Inputs;
  progress: Progress;
  /** Called after every page; false stops there. */
  pageDone: () => Promise<boolean>;
}
