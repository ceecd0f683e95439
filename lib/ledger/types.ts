import type { Drops } from '#lib/platform/money.ts';

/** What the server said of itself and of the newest validated ledger. */
export interface ServerState {
  networkId: number;
  validatedIndex: number;
  validatedHash: string;
  /** Ranges the server holds, inclusive, ascending. */
  completeLedgers: [from: number, to: number][];
  baseFeeDrops: Drops;
  reserveBaseDrops: Drops;
  reserveIncrementDrops: Drops;
  /** Transaction cost multiplier now (1 when idle). */
  loadFactor: number;
}

interface FeedPlace {
  hash: string;
  ledgerIndex: number;
  transactionIndex: number;
  /** Close time of the ledger, milliseconds since the Unix epoch. */
  closedAtMs: number;
}

/** XRP that reached the account by a validated tesSUCCESS Payment. */
export interface PaymentEntry extends FeedPlace {
  kind: 'payment';
  sender: string;
  destinationTag: number | null;
  sourceTag: number | null;
  /** From meta.delivered_amount, never Amount (ledger fact 1). */
  deliveredDrops: Drops;
}

/** A transaction of the account to itself that may carry a move: AccountSet without flags, with memos. */
export interface SelfEntry extends FeedPlace {
  kind: 'self';
  /** Memo contents as UTF-8 text, in order. */
  memos: string[];
}

/** Anything else that touched the account; the sale ignores it. */
export interface OtherEntry extends FeedPlace {
  kind: 'other';
  transactionType: string;
}

/** One line of a deposit account's feed, in (ledgerIndex, transactionIndex) order. */
export type FeedEntry = PaymentEntry | SelfEntry | OtherEntry;

export interface FeedPage {
  entries: FeedEntry[];
  /** Every ledger up to here has been read whole; may be less than asked. */
  readThrough: number;
  /** Hash of the ledger `readThrough`. */
  readThroughHash: string;
}

export interface AccountState {
  address: string;
  balanceDrops: Drops;
  sequence: number;
  ownerCount: number;
  flags: number;
  transferRate: number;
  regularKey: string | null;
}

/** A holder's trust line towards an issuer, from the holder's side, in decimal text as the ledger gives it. */
export interface TrustLine {
  balance: string;
  limit: string;
  /** The issuer has authorised the holder (or needs no authorisation). */
  authorized: boolean;
  frozen: boolean;
}

export interface SubmitResult {
  engineResult: string;
  message: string;
  applied: boolean;
  queued: boolean;
}

/** What a look-up by hash shows (ledger facts 12 to 15, 29). */
export type LookUp =
  | {
      state: 'validated';
      ledgerIndex: number;
      transactionIndex: number;
      result: string;
      closedAtMs: number;
      deliveredAmount: unknown;
    }
  | { state: 'not_validated' };

export interface SignedTransaction {
  hash: string;
  blob: string;
}

/** The XRP Ledger as the platform needs it. Each call throws PlatformError `ledger_unavailable` when no server answers. */
export interface Ledger {
  serverState(): Promise<ServerState>;
  /**
   * The account's feed over (afterLedger, throughLedger], whole ledgers only, about `maxEntries` at most.
   * Checks the range that the server really returned (ledger fact 5) and the hash of `afterLedger` when given.
   */
  readFeed(request: {
    account: string;
    afterLedger: number;
    afterHash: string | null;
    throughLedger: number;
    maxEntries: number;
  }): Promise<FeedPage>;
  /** From the newest validated ledger; null when the account does not exist. */
  account(address: string): Promise<AccountState | null>;
  /** Sequence for the next transaction, counting what is open or queued. */
  nextSequence(address: string): Promise<number>;
  /** From the newest validated ledger; null when there is no line. */
  trustLine(holder: string, issuer: string, currency: string): Promise<TrustLine | null>;
  /** Tickets the account holds in the newest validated ledger, ascending. */
  tickets(address: string): Promise<number[]>;
  submit(blob: string): Promise<SubmitResult>;
  /** Looks a hash up in (minLedger..maxLedger). Only a validated answer is a fact; `not_validated` proves nothing by itself. */
  lookUp(hash: string): Promise<LookUp>;
}
