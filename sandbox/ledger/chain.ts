import { canonicalOrder, closeLedger, openLedgerAfter } from './close.ts';
import { type Applied, applyTransaction, transactionCostDrops } from './engine/apply.ts';
import { account, TransactionView } from './engine/view.ts';
import { BASE_LEVEL, FeeMetrics, type FeeSetup, feeLevel, levelDrops } from './feeMetrics.ts';
import { genesisLedger } from './genesis.ts';
import { CLOSE_TIME_RESOLUTION, type ClosedLedger, History, RIPPLE_EPOCH_OFFSET } from './history.ts';
import { type Queued, TransactionQueue } from './queue.ts';
import { isFinalRefusal, isSuccess, isTer, type ResultName } from './results.ts';
import type { NetworkRules } from './rules.ts';
import { LedgerOverlay, ValidatedState, type WriteView } from './state.ts';
import { sequenceKey, type Transaction, type TransactionFields } from './transaction.ts';

/** Transactions that were refused or wait are remembered up to this many, as a server caches them. */
const MAX_REMEMBERED = 100_000;
/** A close time has 32 bits; some ledgers may yet follow the last that the clock can reach. */
const MAX_CLOSE_TIME = 2 ** 32 - 1_000_000;

export type SubmitOptions = {
  readonly failHard?: boolean;
  /** Rules of the server that was asked, where they differ from the chain's own (another network ID). */
  readonly rules?: NetworkRules;
  readonly loadFactor?: number;
};
export type SubmitOutcome = {
  readonly result: ResultName;
  readonly applied: boolean;
  readonly queued: boolean;
  /** The sender's next sequence right after this transaction, before what waited for it; 0 without an account. */
  readonly nextSequence: number;
  /** The next sequence that nothing in the queue uses. */
  readonly availableSequence: number;
};
export type ChainEvents = {
  /** A transaction went into the open ledger. */
  readonly proposed?: (tx: Transaction, result: ResultName) => void;
  readonly closed?: (ledger: ClosedLedger) => void;
  /** The chain returned to an earlier ledger. */
  readonly returned?: () => void;
};

/** Everything a chain returns to: a ledger, the open one over it, what waits, and where the clock stood. */
type Snapshot = {
  readonly ledger: ClosedLedger;
  readonly openChanges: LedgerOverlay['changes'];
  readonly burnedDrops: bigint;
  readonly openTransactions: readonly Transaction[];
  readonly held: readonly Transaction[];
  readonly queued: readonly Queued[];
  readonly fees: ReturnType<FeeMetrics['learned']>;
  readonly clockAheadMs: number;
};

/** There is no such snapshot, or its ledger is no longer held. */
export class SnapshotError extends Error {}
export type ChainOptions = {
  readonly rules: NetworkRules;
  readonly fees: FeeSetup;
  /** Ledgers to hold; 0 holds all. */
  readonly historyLedgers: number;
  /** How far the ledger's clock is ahead of the machine's at the start; 0 when absent. */
  readonly clockAheadMs?: number;
  /** Whether `settle` closes a ledger after each transaction that was applied. */
  readonly closesAfterEach?: boolean;
  /** The ledgers to go on from; those of a fresh standalone server when absent. */
  readonly saved?: { readonly state: ValidatedState; readonly history: History };
};

/** The ledger itself: validated history, the open ledger over it, and what waits to be applied. */
export class Chain {
  readonly rules: NetworkRules;
  readonly state: ValidatedState;
  readonly history: History;
  readonly metrics: FeeMetrics;
  readonly queue: TransactionQueue;
  open: LedgerOverlay;
  /** Transactions in the open ledger, by hash, in the order they came. */
  openTransactions = new Map<string, Transaction>();
  /** Accounts whose unsigned transactions pass. */
  impersonated: ReadonlySet<string> = new Set();
  private readonly held = new Map<string, Transaction>();
  private readonly remembered = new Map<string, Transaction>();
  private readonly listeners = new Set<ChainEvents>();
  private readonly historyLedgers: number;
  private readonly closesAfterEach: boolean;
  private readonly snapshots = new Map<number, Snapshot>();
  private lastSnapshot = 0;
  private clockAheadMs: number;
  private hasEntered = false;

  constructor({ rules, fees, historyLedgers, clockAheadMs, closesAfterEach, saved }: ChainOptions) {
    this.rules = rules;
    this.clockAheadMs = clockAheadMs ?? 0;
    this.closesAfterEach = closesAfterEach ?? false;
    this.historyLedgers = historyLedgers;
    this.metrics = new FeeMetrics(fees);
    this.queue = new TransactionQueue(rules, this.metrics);
    this.state = saved?.state ?? new ValidatedState();
    this.history = saved?.history ?? new History();
    if (!saved) {
      this.history.add(genesisLedger(this.state, rules));
      this.history.add(closeLedger(this.state, this.history.last.header, [], this.nextCloseTime(), rules).ledger);
    }
    this.open = openLedgerAfter(this.state, this.history.last.header);
  }

  /** The ledger's clock, in Unix time: the machine's own, moved by what it was started with and advanced by. */
  readonly nowMs = (): number => Date.now() + this.clockAheadMs;

  /** Seconds since the ledger epoch. */
  get nowSeconds(): number {
    return Math.floor(this.nowMs() / 1000) - RIPPLE_EPOCH_OFFSET;
  }

  /** Rounded as validators agree on it, and always later than the parent's. */
  private nextCloseTime(): number {
    const rounded = Math.round(this.nowSeconds / CLOSE_TIME_RESOLUTION) * CLOSE_TIME_RESOLUTION;
    return Math.max(rounded, this.history.last.header.closeTime + 1);
  }

  /** Tells a listener what happens from now on; the function returned ends that. */
  on(events: ChainEvents): () => void {
    this.listeners.add(events);
    return () => this.listeners.delete(events);
  }

  /** A transaction that is known but not validated: in the open ledger, waiting, or refused lately. */
  pending(hash: string): Transaction | undefined {
    return this.openTransactions.get(hash) ?? this.remembered.get(hash);
  }

  /** Fee level that the next transaction needs to enter the open ledger. */
  get requiredLevel(): bigint {
    return this.metrics.requiredLevel(this.openTransactions.size);
  }

  /** What a transaction like this has to pay to enter the open ledger now, in drops. */
  openLedgerCostDrops(fields: TransactionFields): bigint {
    return levelDrops(this.requiredLevel, transactionCostDrops(fields, this.rules, this.open));
  }

  private remember(tx: Transaction): void {
    this.remembered.set(tx.hash, tx);
    const [oldest] = this.remembered.size > MAX_REMEMBERED ? this.remembered.keys() : [];
    if (oldest !== undefined) this.remembered.delete(oldest);
  }

  private applyToOpen(tx: Transaction, { failHard, rules, loadFactor }: SubmitOptions): Applied {
    const options = { open: true, refuseTec: failHard === true, loadFactor: loadFactor ?? 1 };
    const applied = applyTransaction(this.open, tx, rules ?? this.rules, options);
    if (applied.applied) this.entered(tx, applied.result);
    return applied;
  }

  private entered(tx: Transaction, result: ResultName): void {
    this.openTransactions.set(tx.hash, tx);
    this.hasEntered = true;
    this.held.delete(tx.hash);
    if (this.queue.size > 0) this.queue.remove(tx);
    for (const listener of this.listeners) listener.proposed?.(tx, result);
  }

  /** Whether the fee alone decides: the sequence fits, but the open ledger asks for more than is paid. */
  private mustQueue(tx: Transaction, level: bigint): boolean {
    const root = account(this.open, tx.fields.Account);
    if (!root || level < BASE_LEVEL) return false;
    const key = sequenceKey(tx.fields);
    const follows = !key.isTicket && key.value > root.Sequence && this.queue.ofAccount(root.Account).length > 0;
    return follows || (level < this.requiredLevel && (key.isTicket || key.value === root.Sequence));
  }

  /** Puts a transaction into the open ledger or, when that is too full for its fee, into the queue. */
  private enter(tx: Transaction, options: SubmitOptions): { result: ResultName; applied: boolean } {
    const level = feeLevel(tx, this.rules, this.open);
    if (!this.mustQueue(tx, level)) return this.applyToOpen(tx, options);
    const cleared = this.clearQueueUpTo(tx, level);
    if (cleared) return cleared;
    return { result: this.queue.offer(tx, level, this.open, options.failHard === true), applied: false };
  }

  /** A transaction may pay for those queued before it: then all of them enter at once, or none does. */
  private clearQueueUpTo(tx: Transaction, level: bigint): Applied | undefined {
    const series = this.queue.payableSeries(tx, level, this.openTransactions.size);
    if (series.length === 0) return undefined;
    const trial = new LedgerOverlay(this.open, this.open);
    const entering = [...series.map((queued) => queued.tx), tx];
    const outcomes = entering.map((each) =>
      applyTransaction(trial, each, this.rules, { open: true, refuseTec: false }),
    );
    if (outcomes.some(({ applied }) => !applied)) return undefined;
    this.open.absorb(trial);
    entering.forEach((each, i) => {
      this.entered(each, outcomes[i]?.result ?? 'tesSUCCESS');
    });
    return outcomes.at(-1);
  }

  /** Applies what waited for the transaction just applied; each success may free the next. */
  private applyUnblocked(address: string): void {
    for (let progress = true; progress; ) {
      progress = false;
      const sequence = account(this.open, address)?.Sequence;
      for (const tx of this.held.values()) {
        const key = sequenceKey(tx.fields);
        if (tx.fields.Account !== address || key.isTicket || key.value !== sequence) continue;
        this.held.delete(tx.hash);
        progress = this.enter(tx, {}).applied;
        if (progress) break;
      }
    }
  }

  /** Tries a transaction whose signatures were verified against the open ledger. */
  submit(tx: Transaction, options: SubmitOptions = {}): SubmitOutcome {
    this.remember(tx);
    const { result, applied } = this.enter(tx, options);
    const queued = result === 'terQUEUED';
    if (isTer(result) && !queued && options.failHard !== true) this.held.set(tx.hash, tx);
    const { Account: address } = tx.fields;
    const nextSequence = account(this.open, address)?.Sequence ?? 0;
    const availableSequence = this.queue.nextSequence(address, nextSequence);
    if (isSuccess(result)) this.applyUnblocked(address);
    return { result, applied, queued, nextSequence, availableSequence };
  }

  /** Moves what the new open ledger has room for out of the queue, best paying first. */
  private acceptQueued(): void {
    const failed = new Set<Transaction>();
    for (let progress = true; progress; ) {
      progress = false;
      for (const queued of this.queue.byFee()) {
        const { tx, level } = queued;
        if (failed.has(tx)) continue;
        const [first] = this.queue.ofAccount(tx.fields.Account);
        if (!sequenceKey(tx.fields).isTicket && first?.tx !== tx) continue;
        if (level < this.requiredLevel) return;
        const { result, applied } = this.applyToOpen(tx, {});
        progress = applied;
        if (applied) break;
        failed.add(tx);
        queued.lastResult = result;
        queued.retriesLeft -= 1;
        if (isFinalRefusal(result) || queued.retriesLeft < 0) this.queue.remove(tx);
      }
    }
  }

  /** Opens the next ledger with what is left over, what was held and what was queued. */
  private openNext(closed: ClosedLedger, left: readonly Transaction[]): void {
    const { ledgerIndex } = closed.header;
    this.metrics.ledgerClosed(closed.transactions.map(({ tx }) => feeLevel(tx, this.rules, this.open)));
    this.queue.expire(ledgerIndex);
    this.open = openLedgerAfter(this.state, closed.header);
    this.openTransactions = new Map();
    const waiting = [...left, ...this.held.values()].filter(
      ({ fields }) => (fields.LastLedgerSequence ?? this.open.ledgerIndex) >= this.open.ledgerIndex,
    );
    this.held.clear();
    for (const tx of canonicalOrder(waiting)) {
      const { result } = this.enter(tx, {});
      if (isTer(result) && result !== 'terQUEUED') this.held.set(tx.hash, tx);
    }
    if (this.queue.size > 0) this.acceptQueued();
  }

  private forgetOldLedgers(): void {
    if (this.historyLedgers === 0) return;
    const first = this.history.lastIndex - this.historyLedgers + 1;
    for (let index = this.history.ledger(1) ? 1 : this.history.firstIndex; index < first; index++) {
      this.history.forget(index);
      this.state.forget(index);
    }
  }

  /** Everything that waits for a ledger, in the order in which it may enter one: open, held, queued. */
  get waiting(): Transaction[] {
    return [...this.openTransactions.values(), ...this.held.values(), ...this.queue.byFee().map(({ tx }) => tx)];
  }

  /** Whether the clock can be moved on by that: whole seconds, to a time that a ledger can hold. */
  canAdvance(seconds: number): boolean {
    return Number.isSafeInteger(seconds) && seconds > 0 && this.nowSeconds + seconds < MAX_CLOSE_TIME;
  }

  /** Moves the clock on and closes a ledger that much later than the last, so that the next transaction sees the new time. */
  advanceTime(seconds: number): ClosedLedger {
    if (!this.canAdvance(seconds)) throw new RangeError('the clock moves on by whole seconds, up to the year 2136');
    // Ledgers that closed in a row have close times ahead of the clock, and the next is rounded: it is to be as much later.
    const { closeTime } = this.history.last.header;
    const due = Math.ceil((closeTime + seconds) / CLOSE_TIME_RESOLUTION) * CLOSE_TIME_RESOLUTION;
    this.clockAheadMs += Math.max(seconds, due - this.nowSeconds) * 1000;
    return this.close();
  }

  /** How far the ledger's clock is ahead of the machine's. */
  get aheadMs(): number {
    return this.clockAheadMs;
  }

  /** Keeps everything as it is now for `restore`, under the number that it returns. */
  snapshot(): number {
    this.lastSnapshot += 1;
    this.snapshots.set(this.lastSnapshot, {
      ledger: this.history.last,
      openChanges: new Map(this.open.changes),
      burnedDrops: this.open.burnedDrops,
      openTransactions: [...this.openTransactions.values()],
      held: [...this.held.values()],
      queued: this.queue.byFee().map((queued) => ({ ...queued })),
      fees: this.metrics.learned(),
      clockAheadMs: this.clockAheadMs,
    });
    return this.lastSnapshot;
  }

  /**
   * Returns to a snapshot, which stays; later ones are forgotten with their ledgers. Throws SnapshotError when there is
   * none of that number, or when its ledger is no longer held.
   */
  restore(number: number): ClosedLedger {
    const kept = this.snapshots.get(number);
    if (!kept) throw new SnapshotError(`there is no snapshot ${number}`);
    const { header } = kept.ledger;
    if (this.history.ledger(header.ledgerIndex) !== kept.ledger) {
      throw new SnapshotError(`ledger ${header.ledgerIndex} of snapshot ${number} is no longer held`);
    }
    for (const later of this.snapshots.keys()) if (later > number) this.snapshots.delete(later);
    this.state.rewind(header.ledgerIndex);
    this.history.rewind(header.ledgerIndex);
    this.open = openLedgerAfter(this.state, header);
    for (const [index, entry] of kept.openChanges) this.open.set(index, entry);
    this.open.burnedDrops = kept.burnedDrops;
    this.openTransactions = new Map(kept.openTransactions.map((tx) => [tx.hash, tx]));
    this.hasEntered = false;
    this.held.clear();
    for (const tx of kept.held) this.held.set(tx.hash, tx);
    this.metrics.restore(kept.fees);
    this.queue.restore(kept.queued);
    for (const tx of this.waiting) this.remember(tx);
    this.clockAheadMs = kept.clockAheadMs;
    for (const listener of this.listeners) listener.returned?.();
    return kept.ledger;
  }

  /** Closes ledgers until every transaction that was applied is validated, on a chain that closes after each. */
  settle(): void {
    while (this.closesAfterEach && this.hasEntered) {
      this.hasEntered = false;
      // What is left over enters the next ledger; one that took nothing would leave the same again.
      if (this.close().transactions.length === 0) return;
    }
  }

  /** Closes a ledger in which something is written without a transaction. When that throws, none is closed. */
  write(change: (view: WriteView) => void): ClosedLedger {
    return this.close([], (ledger) => {
      const view = new TransactionView(ledger);
      change(view);
      view.commit();
    });
  }

  /** Closes the open ledger, or one with exactly these transactions, and opens the next. */
  close(
    transactions: readonly Transaction[] = [...this.openTransactions.values()],
    prepare?: (ledger: LedgerOverlay) => void,
  ): ClosedLedger {
    const { ledger, left } = closeLedger(
      this.state,
      this.history.last.header,
      transactions,
      this.nextCloseTime(),
      this.rules,
      prepare,
    );
    this.history.add(ledger);
    for (const { tx } of ledger.transactions) this.remembered.delete(tx.hash);
    this.openNext(ledger, left);
    this.forgetOldLedgers();
    for (const listener of this.listeners) listener.closed?.(ledger);
    return ledger;
  }
}
