import { canonicalOrder, closeLedger } from './close.ts';
import { type Applied, applyTransaction } from './engine/apply.ts';
import { account } from './engine/view.ts';
import { type Entry, UNTHREADED, ZERO_HASH } from './entries.ts';
import { sha512Half } from './hashing.ts';
import { type ClosedLedger, History, RIPPLE_EPOCH_OFFSET, sealHeader } from './history.ts';
import { accountIndex, FEE_SETTINGS_INDEX } from './keylets.ts';
import { isSuccess, isTer, type ResultName } from './results.ts';
import type { NetworkRules } from './rules.ts';
import { LedgerOverlay, ValidatedState } from './state.ts';
import { sequenceKey, type Transaction } from './transaction.ts';

/** The account that holds everything at first; its seed is public (`masterpassphrase`). */
export const GENESIS_ADDRESS = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
export const GENESIS_SEED = 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb';
const GENESIS_DROPS = 100_000_000_000_000_000n;
/** Transactions that were refused or wait are remembered up to this many, as a server caches them. */
const MAX_REMEMBERED = 100_000;

export type SubmitOutcome = {
  readonly result: ResultName;
  readonly applied: boolean;
  /** The sender's next sequence right after this transaction, before what waited for it; 0 without an account. */
  readonly nextSequence: number;
};
export type ChainEvents = {
  /** A transaction went into the open ledger. */
  readonly proposed: (tx: Transaction, result: ResultName) => void;
  readonly closed: (ledger: ClosedLedger) => void;
};

/** The ledger itself: validated history, the open ledger over it, and what waits to be applied. */
export class Chain {
  readonly rules: NetworkRules;
  readonly state = new ValidatedState();
  readonly history = new History();
  open: LedgerOverlay;
  /** Transactions in the open ledger, by hash, in the order they came. */
  openTransactions = new Map<string, Transaction>();
  private readonly held = new Map<string, Transaction>();
  private readonly remembered = new Map<string, Transaction>();
  private readonly listeners: ChainEvents[] = [];
  private readonly nowMs: () => number;

  constructor(rules: NetworkRules, nowMs: () => number) {
    this.rules = rules;
    this.nowMs = nowMs;
    this.history.add(this.genesis());
    const second = closeLedger(this.state, this.history.last.header, [], this.nextCloseTime(), rules);
    this.history.add(second.ledger);
    this.open = new LedgerOverlay(this.state, 3);
  }

  /** Seconds since the ledger epoch. */
  get nowSeconds(): number {
    return Math.floor(this.nowMs() / 1000) - RIPPLE_EPOCH_OFFSET;
  }

  private genesis(): ClosedLedger {
    const entries = new Map<string, Entry>([
      [
        accountIndex(GENESIS_ADDRESS),
        {
          LedgerEntryType: 'AccountRoot',
          Account: GENESIS_ADDRESS,
          Balance: String(GENESIS_DROPS),
          Flags: 0,
          OwnerCount: 0,
          Sequence: 1,
          ...UNTHREADED,
        },
      ],
      [
        FEE_SETTINGS_INDEX,
        {
          LedgerEntryType: 'FeeSettings',
          BaseFeeDrops: String(this.rules.baseFeeDrops),
          Flags: 0,
          ReserveBaseDrops: String(this.rules.reserveBaseDrops),
          ReserveIncrementDrops: String(this.rules.reserveIncDrops),
        },
      ],
    ]);
    this.state.commit(entries, 1);
    const header = sealHeader({
      ledgerIndex: 1,
      parentHash: ZERO_HASH,
      accountHash: sha512Half(Buffer.from(JSON.stringify([...entries]))),
      transactionHash: ZERO_HASH,
      totalDrops: GENESIS_DROPS,
      closeTime: 0,
      parentCloseTime: 0,
    });
    return { header, transactions: [] };
  }

  private nextCloseTime(): number {
    return Math.max(this.nowSeconds, this.history.last.header.closeTime + 1);
  }

  on(events: ChainEvents): void {
    this.listeners.push(events);
  }

  /** A transaction that is known but not validated: in the open ledger, held, or refused lately. */
  pending(hash: string): Transaction | undefined {
    return this.openTransactions.get(hash) ?? this.remembered.get(hash);
  }

  private remember(tx: Transaction): void {
    this.remembered.set(tx.hash, tx);
    if (this.remembered.size <= MAX_REMEMBERED) return;
    for (const oldest of this.remembered.keys()) {
      this.remembered.delete(oldest);
      return;
    }
  }

  private applyToOpen(tx: Transaction, refuseTec: boolean): Applied {
    const applied = applyTransaction(this.open, tx, this.rules, { open: true, refuseTec });
    if (applied.applied) {
      this.openTransactions.set(tx.hash, tx);
      this.held.delete(tx.hash);
      for (const listener of this.listeners) listener.proposed(tx, applied.result);
    }
    return applied;
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
        progress = this.applyToOpen(tx, false).applied;
        if (progress) break;
      }
    }
  }

  /** Tries a transaction whose signatures were verified against the open ledger. */
  submit(tx: Transaction, options: { failHard?: boolean } = {}): SubmitOutcome {
    const failHard = options.failHard === true;
    this.remember(tx);
    const { result, applied } = this.applyToOpen(tx, failHard);
    if (isTer(result) && !failHard) this.held.set(tx.hash, tx);
    const nextSequence = account(this.open, tx.fields.Account)?.Sequence ?? 0;
    if (isSuccess(result)) this.applyUnblocked(tx.fields.Account);
    return { result, applied, nextSequence };
  }

  /** Closes the open ledger and opens the next. */
  close(): ClosedLedger {
    const { ledger, left } = closeLedger(
      this.state,
      this.history.last.header,
      [...this.openTransactions.values()],
      this.nextCloseTime(),
      this.rules,
    );
    this.history.add(ledger);
    for (const { tx } of ledger.transactions) this.remembered.delete(tx.hash);
    this.open = new LedgerOverlay(this.state, ledger.header.ledgerIndex + 1);
    this.openTransactions = new Map();
    const waiting = [...left, ...this.held.values()].filter(
      ({ fields }) => (fields.LastLedgerSequence ?? this.open.ledgerIndex) >= this.open.ledgerIndex,
    );
    this.held.clear();
    for (const tx of canonicalOrder(waiting)) {
      const { result } = this.applyToOpen(tx, false);
      if (isTer(result)) this.held.set(tx.hash, tx);
    }
    for (const listener of this.listeners) listener.closed(ledger);
    return ledger;
  }
}
