/** Ledgers from one index to another, both included. */
export type LedgerRange = { readonly from: number; readonly to: number };

/** What is wrong with a server at the moment. The values of `NO_FAULTS` mean: nothing. */
export type Faults = {
  /** The server's newest validated ledger stays that many behind the chain's. */
  readonly lagLedgers: number;
  /** Ledgers the server does not have. */
  readonly missingLedgers: readonly LedgerRange[];
  /** Ledgers that every `account_tx` range silently loses at either end. */
  readonly narrowAccountTx: { readonly dropOldest: number; readonly dropNewest: number };
  /** The n-th request from now that continues from a marker has its connection dropped instead of an answer; 0 never. */
  readonly dropSocketOnPage: number;
  /** That many submits are answered as if taken, and forgotten. */
  readonly loseSubmits: number;
  /** That many submits are applied, but the connection drops before the answer. */
  readonly loseSubmitAnswers: number;
  /** Every answer comes that much later. */
  readonly answerDelayMs: number;
  /** The server says it is loaded and asks for that many times the usual fee. */
  readonly loadFactor: number;
  /** The server is no Clio: it does not know the commands that only Clio has. */
  readonly lacksClioCommands: boolean;
};

export const NO_FAULTS: Faults = {
  lagLedgers: 0,
  missingLedgers: [],
  narrowAccountTx: { dropOldest: 0, dropNewest: 0 },
  dropSocketOnPage: 0,
  loseSubmits: 0,
  loseSubmitAnswers: 0,
  answerDelayMs: 0,
  loadFactor: 1,
  lacksClioCommands: false,
};

type Counter = 'dropSocketOnPage' | 'loseSubmits' | 'loseSubmitAnswers';

/** The faults of one server: set from tests or by `sandbox_faults`, counted down as they strike. */
export class FaultBoard {
  private faults: Faults = NO_FAULTS;
  private readonly onChange: () => void;

  constructor(onChange: () => void) {
    this.onChange = onChange;
  }

  get current(): Faults {
    return this.faults;
  }

  /** Changes the faults that are named and leaves the others. */
  set(changes: Partial<Faults>): Faults {
    this.faults = { ...this.faults, ...changes };
    this.onChange();
    return this.faults;
  }

  /** Ends every fault. */
  clear(): Faults {
    return this.set(NO_FAULTS);
  }

  private countDown(counter: Counter): number {
    const left = this.faults[counter];
    if (left > 0) this.faults = { ...this.faults, [counter]: left - 1 };
    return left;
  }

  /** Whether this submit is to be lost. */
  losesSubmit(): boolean {
    return this.countDown('loseSubmits') > 0;
  }

  /** Whether the answer to this submit is to be lost. */
  losesSubmitAnswer(): boolean {
    return this.countDown('loseSubmitAnswers') > 0;
  }

  /** Whether the connection is to drop at this page. */
  dropsPage(): boolean {
    return this.countDown('dropSocketOnPage') === 1;
  }
}
