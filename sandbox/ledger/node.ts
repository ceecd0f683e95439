import type { Chain, SubmitOutcome } from './chain.ts';
import { applyTransaction } from './engine/apply.ts';
import { account } from './engine/view.ts';
import { FaultBoard, type LedgerRange } from './faults.ts';
import type { ClosedLedger, ValidatedTransaction } from './history.ts';
import { Markers } from './markers.ts';
import type { NetworkRules } from './rules.ts';
import type { ReadView } from './state.ts';
import type { Transaction } from './transaction.ts';

export type NodeOptions = {
  readonly networkId?: number | undefined;
  /** The first ledger this server has; the chain's first when absent. */
  readonly heldFrom?: number | undefined;
  readonly markerLifeMs: number;
  /** Whether it has what real servers have, and nothing else. */
  readonly isStrict?: boolean;
  readonly mayImpersonate?: boolean;
};

/** How many of the last ledgers' hashes each ledger keeps. */
const RECENT_HASHES = 256;

/**
 * One server's view of the chain: which ledgers it has, how far it has come, what it says its network is, and what is
 * wrong with it. Several servers may stand on one chain.
 */
export class ServerNode {
  readonly chain: Chain;
  readonly rules: NetworkRules;
  readonly faults: FaultBoard;
  readonly markers: Markers;
  readonly isStrict: boolean;
  readonly mayImpersonate: boolean;
  readonly startedAtMs = Date.now();
  private readonly heldFrom: number;
  private readonly onValidated = new Set<(ledger: ClosedLedger) => void>();
  private announcedIndex: number;
  private readonly leaveChain: () => void;

  constructor(chain: Chain, { networkId, heldFrom, markerLifeMs, isStrict, mayImpersonate }: NodeOptions) {
    this.chain = chain;
    this.isStrict = isStrict ?? false;
    this.mayImpersonate = mayImpersonate ?? false;
    this.rules = networkId === undefined ? chain.rules : { ...chain.rules, networkId };
    this.heldFrom = heldFrom ?? 1;
    this.markers = new Markers(chain.nowMs, markerLifeMs);
    this.faults = new FaultBoard(() => this.announce());
    this.announcedIndex = chain.history.lastIndex;
    this.leaveChain = chain.on({ closed: () => this.announce(), returned: () => this.forgetLater() });
  }

  /** Calls back with every ledger as this server comes to have it validated. */
  whenValidated(listener: (ledger: ClosedLedger) => void): void {
    this.onValidated.add(listener);
  }

  /**
   * Lets unsigned transactions of exactly these accounts pass. Throws where anybody else could send them: at an address
   * other than loopback, unless that was asked for.
   */
  impersonate(accounts: readonly string[]): void {
    if (!this.mayImpersonate) throw new Error('accounts are impersonated on a loopback address only');
    this.chain.impersonated = new Set(accounts);
  }

  /** Ends this server's part in the chain. */
  stop(): void {
    this.leaveChain();
  }

  private announce(): void {
    while (this.announcedIndex < this.lastIndex) {
      this.announcedIndex += 1;
      const ledger = this.chain.history.ledger(this.announcedIndex);
      if (ledger) for (const listener of this.onValidated) listener(ledger);
    }
  }

  /** The chain returned to an earlier ledger: nobody is told, and what was paged is no more. */
  private forgetLater(): void {
    this.announcedIndex = this.lastIndex;
    this.markers.expireAll();
  }

  /** Index of the newest ledger this server has validated. */
  get lastIndex(): number {
    const { firstIndex, lastIndex } = this.chain.history;
    return Math.max(firstIndex, lastIndex - this.faults.current.lagLedgers);
  }

  get last(): ClosedLedger {
    return this.chain.history.ledger(this.lastIndex) ?? this.chain.history.last;
  }

  /** Whether this server is behind the chain, so that it does not see the open ledger. */
  get lags(): boolean {
    return this.lastIndex < this.chain.history.lastIndex;
  }

  get openIndex(): number {
    return this.lastIndex + 1;
  }

  /** The open ledger as this server sees it; one that lags sees none beyond its last validated ledger. */
  get openView(): ReadView {
    if (!this.lags) return this.chain.open;
    const { header } = this.last;
    return { ...this.chain.state.view(header), ledgerIndex: this.openIndex, parentCloseTime: header.closeTime };
  }

  get openTransactions(): Iterable<Transaction> {
    return this.lags ? [] : this.chain.openTransactions.values();
  }

  /** The unbroken stretches of ledgers that count as held, oldest first. */
  get heldRanges(): readonly LedgerRange[] {
    const gaps = [...this.faults.current.missingLedgers].sort((a, b) => a.from - b.from);
    const ranges: LedgerRange[] = [];
    let from = Math.max(this.chain.history.firstIndex, this.heldFrom);
    for (const gap of gaps) {
      if (gap.from > from) ranges.push({ from, to: Math.min(gap.from - 1, this.lastIndex) });
      from = Math.max(from, gap.to + 1);
    }
    if (from <= this.lastIndex) ranges.push({ from, to: this.lastIndex });
    return ranges.filter((range) => range.from <= range.to);
  }

  /** `2-17`, or `2-9,13-17` with a gap. */
  get completeLedgers(): string {
    const ranges = this.heldRanges.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`));
    return ranges.length > 0 ? ranges.join(',') : 'empty';
  }

  /** The ledgers an account's history can be asked for: the newest unbroken stretch. */
  get searchable(): LedgerRange {
    return this.heldRanges.at(-1) ?? { from: this.lastIndex, to: this.lastIndex };
  }

  /** Whether every ledger from one to the other is held. */
  holdsAll(min: number, max: number): boolean {
    return this.heldRanges.some(({ from, to }) => from <= min && max <= to);
  }

  private holds(ledgerIndex: number): boolean {
    // Genesis is part of no range, but later ledgers know it as long as it is among the hashes they keep.
    const knowsGenesis = this.heldFrom === 1 && this.lastIndex - 1 <= RECENT_HASHES;
    return this.holdsAll(ledgerIndex, ledgerIndex) || (ledgerIndex === 1 && knowsGenesis);
  }

  ledger(ledgerIndex: number): ClosedLedger | undefined {
    return this.holds(ledgerIndex) ? this.chain.history.ledger(ledgerIndex) : undefined;
  }

  ledgerByHash(hash: string): ClosedLedger | undefined {
    const ledger = this.chain.history.ledgerByHash(hash);
    return ledger && this.holds(ledger.header.ledgerIndex) ? ledger : undefined;
  }

  transaction(hash: string): ValidatedTransaction | undefined {
    const entry = this.chain.history.transaction(hash);
    return entry && this.holds(entry.ledger.ledgerIndex) ? entry : undefined;
  }

  /** A transaction this server knows but does not show as validated. */
  pending(hash: string): Transaction | undefined {
    const entry = this.lags ? this.chain.history.transaction(hash) : undefined;
    if (entry && entry.ledger.ledgerIndex > this.lastIndex) return entry.tx;
    return this.chain.pending(hash);
  }

  /** Hands a transaction to the chain, or pretends to. */
  submit(tx: Transaction, failHard: boolean): SubmitOutcome {
    const { loadFactor } = this.faults.current;
    if (!this.faults.losesSubmit()) {
      return this.chain.submit(tx, { failHard, rules: this.rules, loadFactor });
    }
    const options = { open: true, refuseTec: failHard, dryRun: true, loadFactor };
    const { result, applied } = applyTransaction(this.chain.open, tx, this.rules, options);
    const sequence = account(this.chain.open, tx.fields.Account)?.Sequence ?? 0;
    const nextSequence = applied && tx.fields.Sequence === sequence ? sequence + 1 : sequence;
    return { result, applied, queued: false, nextSequence, availableSequence: nextSequence };
  }
}
