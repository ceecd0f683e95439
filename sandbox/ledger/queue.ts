import { checkTransaction } from './engine/apply.ts';
import { account } from './engine/view.ts';
import { BASE_LEVEL, type FeeMetrics } from './feeMetrics.ts';
import { accountIndex, ticketIndex } from './keylets.ts';
import { isSuccess, isTec, type ResultName } from './results.ts';
import type { NetworkRules } from './rules.ts';
import { LedgerOverlay } from './state.ts';
import { sequenceKey, type Transaction, type TransactionFields } from './transaction.ts';

const MAX_PER_ACCOUNT = 10;
/** A queued transaction must stay valid for at least this many ledgers. */
const MIN_LEDGERS_LEFT = 2;
const REPLACEMENT_PERCENT = 125n;
const RETRIES = 10;

/** AccountSet flags that change who may sign or hold: nothing of the account may wait behind them. */
const BLOCKING_FLAGS = new Set([2, 4, 5]);

export type Queued = {
  readonly tx: Transaction;
  readonly level: bigint;
  readonly isBlocker: boolean;
  /** XRP it may take out of the account, besides its fee. */
  readonly spendDrops: bigint;
  retriesLeft: number;
  lastResult: ResultName | undefined;
};

export const feeDrops = ({ fields }: Transaction): bigint => BigInt(String(fields.Fee));

function blocks(fields: TransactionFields): boolean {
  if (fields.TransactionType === 'AccountSet') {
    return BLOCKING_FLAGS.has(fields.SetFlag ?? 0) || BLOCKING_FLAGS.has(fields.ClearFlag ?? 0);
  }
  return ['AccountDelete', 'SetRegularKey', 'SignerListSet'].includes(fields.TransactionType);
}

/** Types that can spend more XRP than their fee. */
const SPENDING_TYPES = new Set(['Payment', 'EscrowCreate', 'PaymentChannelCreate', 'PaymentChannelFund']);

function spendDrops({ Amount: amount, SendMax: sendMax, TransactionType: type }: TransactionFields): bigint {
  const most = sendMax ?? amount;
  return SPENDING_TYPES.has(type) && typeof most === 'string' ? BigInt(most) : 0n;
}

/** Sequences come before tickets, each ascending. */
function before(a: Transaction, b: Transaction): number {
  const [x, y] = [sequenceKey(a.fields), sequenceKey(b.fields)];
  return x.isTicket === y.isTicket ? x.value - y.value : x.isTicket ? 1 : -1;
}

function sameKey(a: Transaction, b: Transaction): boolean {
  return a.fields.Account === b.fields.Account && before(a, b) === 0;
}

/** Sequences a transaction uses up; a ticket creation leaves as many behind it as it makes tickets. */
function followingSequence({ fields }: Transaction): number {
  return fields.Sequence + (fields.TransactionType === 'TicketCreate' ? (fields.TicketCount ?? 1) : 1);
}

/** Transactions that pay enough for an idle ledger but not for the one that is open. */
export class TransactionQueue {
  private readonly byAccount = new Map<string, Queued[]>();
  private readonly rules: NetworkRules;
  private readonly metrics: FeeMetrics;
  size = 0;

  constructor(rules: NetworkRules, metrics: FeeMetrics) {
    this.rules = rules;
    this.metrics = metrics;
  }

  /** What an account has waiting, in the order it can apply. */
  ofAccount(address: string): readonly Queued[] {
    return this.byAccount.get(address) ?? [];
  }

  /** Everything that waits, best paying first; equal payers in order of arrival. */
  byFee(): Queued[] {
    return [...this.byAccount.values()].flat().sort((a, b) => (a.level > b.level ? -1 : a.level < b.level ? 1 : 0));
  }

  get isFull(): boolean {
    return this.metrics.maxQueueSize !== undefined && this.size >= this.metrics.maxQueueSize;
  }

  /** The next sequence of an account that nothing waits with yet. */
  nextSequence(address: string, accountSequence: number): number {
    let next = accountSequence;
    for (const { tx } of this.ofAccount(address)) {
      if (!sequenceKey(tx.fields).isTicket && tx.fields.Sequence === next) next = followingSequence(tx);
    }
    return next;
  }

  remove(tx: Transaction): void {
    const waiting = this.byAccount.get(tx.fields.Account);
    const left = waiting?.filter((queued) => !sameKey(queued.tx, tx)) ?? [];
    this.size -= (waiting?.length ?? 0) - left.length;
    if (left.length > 0) this.byAccount.set(tx.fields.Account, left);
    else this.byAccount.delete(tx.fields.Account);
  }

  private put(queued: Queued): void {
    const { Account: address } = queued.tx.fields;
    this.remove(queued.tx);
    this.byAccount.set(
      address,
      [...this.ofAccount(address), queued].sort((a, b) => before(a.tx, b.tx)),
    );
    this.size += 1;
  }

  /** Holds exactly these, as `byFee` gave them before. */
  restore(waiting: readonly Queued[]): void {
    this.byAccount.clear();
    this.size = 0;
    for (const queued of waiting) this.put({ ...queued });
  }

  /** Drops what can no longer be validated after a ledger closed. */
  expire(closedIndex: number): void {
    for (const { tx } of this.byFee()) {
      if ((tx.fields.LastLedgerSequence ?? Number.POSITIVE_INFINITY) <= closedIndex) this.remove(tx);
    }
  }

  private mayBeHeld({ fields }: Transaction, open: LedgerOverlay, replaces: boolean, failHard: boolean): ResultName {
    if (fields.AccountTxnID !== undefined || failHard) return 'telCAN_NOT_QUEUE';
    if (fields.TransactionType === 'Batch' || fields.Delegate !== undefined) return 'telCAN_NOT_QUEUE';
    const lastLedger = fields.LastLedgerSequence ?? Number.POSITIVE_INFINITY;
    if (lastLedger < open.ledgerIndex + MIN_LEDGERS_LEFT) return 'telCAN_NOT_QUEUE';
    const full = this.ofAccount(fields.Account).length >= MAX_PER_ACCOUNT;
    return full && !replaces ? 'telCAN_NOT_QUEUE_FULL' : 'tesSUCCESS';
  }

  /**
   * Whether the queue takes the transaction, by everything but its place among others that pay. `tesSUCCESS` means yes.
   */
  private admissible(tx: Transaction, level: bigint, open: LedgerOverlay, failHard: boolean): ResultName {
    const { Account: address } = tx.fields;
    const root = account(open, address);
    if (!root) return 'terNO_ACCOUNT';
    const key = sequenceKey(tx.fields);
    if (key.isTicket && !open.get(ticketIndex(address, key.value))) {
      return key.value < root.Sequence ? 'tefNO_TICKET' : 'terPRE_TICKET';
    }
    const waiting = this.ofAccount(address);
    const replaced = waiting.find((queued) => sameKey(queued.tx, tx));
    const alone = waiting.length === 1 && replaced !== undefined;
    if (blocks(tx.fields) && waiting.length > 0 && !alone) return 'telCAN_NOT_QUEUE_BLOCKS';
    if (waiting[0]?.isBlocker && !alone) return 'telCAN_NOT_QUEUE_BLOCKED';
    if (replaced && level <= (replaced.level * REPLACEMENT_PERCENT) / 100n) return 'telCAN_NOT_QUEUE_FEE';
    if (!key.isTicket && key.value < root.Sequence) return 'tefPAST_SEQ';
    if (!key.isTicket && waiting.length === 0 && key.value > root.Sequence) return 'terPRE_SEQ';
    const held = this.mayBeHeld(tx, open, replaced !== undefined, failHard);
    if (!isSuccess(held)) return held;
    const next = this.nextSequence(address, root.Sequence);
    if (!key.isTicket && !replaced && key.value !== next) return 'telCAN_NOT_QUEUE';

    const others = waiting.filter((queued) => queued !== replaced);
    const fees = others.reduce((sum, queued) => sum + feeDrops(queued.tx), 0n);
    const balance = BigInt(root.Balance);
    const reserve = this.rules.reserveBaseDrops;
    if (others.length > 0 && (fees >= balance || (reserve > 10n * this.rules.baseFeeDrops && fees >= reserve))) {
      return 'telCAN_NOT_QUEUE_BALANCE';
    }
    const spend = others.reduce((sum, queued) => sum + queued.spendDrops, 0n);
    const spare = balance > reserve ? balance - reserve : 0n;
    // Tried as if everything before it had applied: its sequence is next, and what they may spend is gone.
    const trial = new LedgerOverlay(open, open);
    trial.changes.set(accountIndex(address), {
      ...root,
      Balance: String(balance - fees - (spend < spare ? spend : spare)),
      Sequence: key.isTicket ? next : key.value,
    });
    const result = checkTransaction(trial, tx, this.rules);
    return isSuccess(result) || isTec(result) ? 'tesSUCCESS' : result;
  }

  /** Makes room in a full queue by dropping the last of the worst payer. */
  private makeRoom(tx: Transaction, level: bigint): boolean {
    const worst = this.byFee()
      .reverse()
      .find((queued) => queued.tx.fields.Account !== tx.fields.Account);
    if (!worst || level <= worst.level) return false;
    const last = this.ofAccount(worst.tx.fields.Account).at(-1);
    if (last) this.remove(last.tx);
    return true;
  }

  /** Offers a transaction to the queue: `terQUEUED`, or why not. */
  offer(tx: Transaction, level: bigint, open: LedgerOverlay, failHard: boolean): ResultName {
    const result = this.admissible(tx, level, open, failHard);
    if (!isSuccess(result)) return result;
    const replaces = this.ofAccount(tx.fields.Account).some((queued) => sameKey(queued.tx, tx));
    if (!replaces && this.isFull && !this.makeRoom(tx, level)) return 'telCAN_NOT_QUEUE_FULL';
    this.put({
      tx,
      level,
      isBlocker: blocks(tx.fields),
      spendDrops: spendDrops(tx.fields),
      retriesLeft: RETRIES,
      lastResult: undefined,
    });
    return 'terQUEUED';
  }

  /** The transactions before this one, if together with it they pay enough to enter the open ledger all at once. */
  payableSeries(tx: Transaction, level: bigint, openSize: number): readonly Queued[] {
    const required = this.metrics.requiredLevel(openSize);
    const earlier = this.ofAccount(tx.fields.Account).filter((queued) => before(queued.tx, tx) < 0);
    if (earlier.length === 0 || level <= required || required === BASE_LEVEL) return [];
    const paid = earlier.reduce((sum, queued) => sum + queued.level, level);
    return paid >= this.metrics.requiredSeries(openSize, earlier.length + 1) ? earlier : [];
  }
}
