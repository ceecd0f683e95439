import type { CredentialQuestion } from '@tranche/rules/credentials.ts';
import type { CreatedEscrow } from '@tranche/rules/locks.ts';
import type { AccountControl } from '@tranche/verifier/read-control.ts';
import type { ReadCredential } from '@tranche/verifier/read-credentials.ts';
import type { FeedPage, FeedRequest, LedgerHead, LedgerHistory } from '@tranche/verifier/read-feed.ts';
import type { Drops } from '#lib/base/money.ts';
import type { LedgerToken } from './token.ts';

/** What a feed is made of is a part of the rules, and reading it one of the verifier. */
export type { FeedEntry, OtherEntry, PaymentEntry } from '@tranche/rules/feed-entry.ts';
export type { FeedPage, FeedRequest, LedgerHead, LedgerHistory } from '@tranche/verifier/read-feed.ts';

/** What the server said of itself and of the newest validated ledger. */
export interface ServerState extends LedgerHistory {
  networkId: number;
  validatedHash: string;
  /** Close time of the newest validated ledger, milliseconds since the Unix epoch. */
  validatedAtMs: number;
  baseFeeDrops: Drops;
  reserveBaseDrops: Drops;
  reserveIncrementDrops: Drops;
  /** Transaction cost multiplier now, as the exact fraction loadFactor / loadBase (equal when idle). */
  loadFactor: bigint;
  loadBase: bigint;
}

/** Who may sign for an account together: signatures whose weights reach the quorum. */
export interface SignerList {
  quorum: number;
  signers: readonly { account: string; weight: number }[];
  /** The ledger that has set it as it is. */
  setInLedger: number;
}

/** An account and who may sign for it, as one validated ledger shows both. */
export interface AccountState {
  ledgerIndex: number;
  address: string;
  balanceDrops: Drops;
  sequence: number;
  ownerCount: number;
  /** Bits of ACCOUNT_FLAGS (account.ts). */
  flags: number;
  /** What the issuer charges on transfers, in billionths: 1,000,000,000 is no fee. */
  transferRate: number;
  regularKey: string | null;
  signerList: SignerList | null;
}

/**
 * A holder's trust line towards an issuer, from the holder's side, in decimal text as the ledger gives it (which may
 * have an exponent: see hasRoom in trust-lines.ts). What the issuer's own account says (authorisation required, global freeze) is one
 * fact for all its holders and stands in AccountState.flags.
 */
export interface TrustLine {
  balance: string;
  limit: string;
  /** The issuer has authorised this line. Without meaning unless the issuer requires authorisation. */
  authorized: boolean;
  /** The issuer has frozen this line, or frozen it deeply. */
  frozen: boolean;
}

/** Holders' lines of one currency by holder, as one validated ledger shows them. */
export interface IssuedLines {
  lines: ReadonlyMap<string, TrustLine>;
  /** False when the reading stopped before the issuer's last line: who is not listed may still have one. */
  complete: boolean;
}

/** A holder of a token, and how much: a decimal in tokens above zero, exact, which may have an exponent. */
export interface TokenHolder {
  account: string;
  balance: string;
}

/** One page of a token's holders. `marker` names the next one; null after the last. */
export interface HolderPage {
  holders: TokenHolder[];
  marker: unknown;
}

/** A reading of a token's holders: all of its pages come from this server, and are of this one validated ledger. */
export interface HolderReading {
  server: string;
  ledgerIndex: number;
  /** An MPT's decimals; 0 for an issued currency. */
  assetScale: number;
}

export interface OpenedHolders extends HolderReading, LedgerHead {
  first: HolderPage;
}

/** A holder's entry for an MPT. Amounts are whole numbers of the token's smallest unit. */
export interface MptHolding {
  amount: bigint;
  locked: boolean;
  authorized: boolean;
}

/** An MPT's issuance (docs/ledger-facts.md, 24). */
export interface MptIssuance {
  /** The validated ledger that shows it. */
  ledgerIndex: number;
  issuer: string;
  assetScale: number;
  outstanding: bigint;
  maximum: bigint;
  /** Hundred-thousandths of the amount that a transfer between holders costs. */
  transferFee: number;
  locked: boolean;
  requiresAuthorization: boolean;
  canLock: boolean;
  canEscrow: boolean;
  canTrade: boolean;
  canTransfer: boolean;
  canClawback: boolean;
  /** Bits of what the issuer has declared unchangeable; 0 when nothing is (amendment DynamicMPT). */
  immutableFlags: number;
}

/** An issuance as its issuer lists it. */
export interface OwnIssuance {
  issuanceId: string;
  assetScale: number;
  outstanding: bigint;
  maximum: bigint;
}

/** A ticket of an account, and the ledgers in which it was most likely used; both ends belong to them. */
interface SoughtTicket {
  ticket: number;
  fromLedger: number;
  throughLedger: number;
}

export interface TicketSearch {
  account: string;
  tickets: readonly SoughtTicket[];
}

/** A validated transaction that used up a ticket of its account. */
export interface TicketUse {
  ticket: number;
  hash: string;
  ledgerIndex: number;
  /** The accounts that it paid or may have paid, in whatever asset; none when it failed. */
  paid: readonly string[];
  /** What it delivered, where it is a successful Payment. */
  payment: Pick<ValidatedPayment, 'destination' | 'destinationTag' | 'delivered' | 'closedAtMs'> | null;
  /** It may have paid in ways that only a person can tell: a Batch, a Check, an escrow, a trade. */
  unclear: boolean;
}

/** A validated, successful Payment, as the ledger shows it. */
export interface ValidatedPayment {
  hash: string;
  ledgerIndex: number;
  closedAtMs: number;
  account: string;
  destination: string;
  destinationTag: number | null;
  /** The ticket that it used; null when it used a sequence. */
  ticket: number | null;
  /** `meta.delivered_amount`, unread: drops as text, or an amount of tokens (deliversExactly in payouts/attempts.ts). */
  delivered: unknown;
}

export interface SubmitResult {
  engineResult: string;
}

/** What a look-up by hash shows (docs/ledger-facts.md, 12 to 15, 29). */
export type LookUp =
  | { state: 'validated'; ledgerIndex: number; result: string; closedAtMs: number }
  /** `history` is what the same server held before it was asked: with it, and only with it, absence can be proved. */
  | { state: 'not_validated'; history: LedgerHistory };

/** The account that sent all of the transactions in question, none of them validated in `afterLedger` or before. */
export interface SentBy {
  account: string;
  afterLedger: number;
}

/** Tells when ledgers are validated. */
export interface LedgerWatch {
  /** The newest ledger that enough servers have validated, once it is later than `after`; null when `ms` have passed before that. */
  next(after: number, ms: number): Promise<number | null>;
  end(): void;
}

export interface SignedTransaction {
  hash: string;
  blob: string;
}

/**
 * The XRP Ledger as the platform needs it. Each call throws PlatformError `ledger_unavailable` when no server answers, and
 * `service_unavailable` when the answer is a refusal or cannot be read.
 */
export interface Ledger {
  /** Watches for ledgers that at least `servers` of the servers have validated, by their own word as it comes. */
  watch(servers: number): LedgerWatch;
  serverState(): Promise<ServerState>;
  /**
   * The account's feed over (afterLedger, throughLedger], whole ledgers only, about `maxEntries` at most.
   * Checks the range that the server really returned (docs/ledger-facts.md, 5) and the hash of `afterLedger` when
   * given.
   */
  readFeed(request: FeedRequest): Promise<FeedPage>;
  /** The same on each of several servers, as far as they answer; nothing when only one is configured. */
  readFeedEverywhere(request: FeedRequest): Promise<FeedPage[]>;
  /** Close time of a validated ledger, milliseconds since the Unix epoch. */
  closedAtMs(ledgerIndex: number): Promise<number>;
  head(ledgerIndex: number): Promise<LedgerHead>;
  /** The same on each of several servers, as far as they answer; nothing when only one is configured. */
  headEverywhere(ledgerIndex: number): Promise<LedgerHead[]>;
  /** From the newest validated ledger; null when the account does not exist. */
  account(address: string): Promise<AccountState | null>;
  /** The same of its flags alone, for a fraction of the work. */
  accountFlags(address: string): Promise<Pick<AccountState, 'flags'> | null>;
  /**
   * The account's XRP as a given validated ledger left it, reserve included; null when the account does not exist there.
   * Throws `ledger_unavailable` also when no server holds that ledger (any more).
   */
  balanceAt(address: string, ledgerIndex: number): Promise<Drops | null>;
  /**
   * Who can sign for the account, and what it owns that may take its money, as a given validated ledger left both; null when
   * the account does not exist there. Throws `ledger_unavailable` also when no server holds that ledger's state (any more).
   */
  accountControl(address: string, ledgerIndex: number): Promise<AccountControl | null>;
  /** Credentials as validated ledgers left them, in the order of the questions, as far as any server holds those ledgers. */
  credentials(questions: readonly CredentialQuestion[]): Promise<ReadCredential[]>;
  /** The same on each of several servers, as far as they answer; nothing when only one is configured. */
  credentialsEverywhere(questions: readonly CredentialQuestion[]): Promise<ReadCredential[][]>;
  /** Sequence for the next transaction, counting what is open or queued. */
  nextSequence(address: string): Promise<number>;
  /** Kinds of objects that the account has made, by which funds leave it later without its signature. */
  leavingObjects(address: string): Promise<string[]>;
  /** Tokens of others that the account holds or is ready to hold, by its trust lines in the newest validated ledger. */
  heldTokens(address: string): Promise<{ currency: string; issuer: string }[]>;
  /** From a ledger, or the newest validated one that the server has; null when there is no line. */
  trustLine(holder: string, issuer: string, currency: string, ledgerIndex?: number): Promise<TrustLine | null>;
  /**
   * Every holder's line of the currency, in at most `maxPages` requests of 400 lines each, all of one ledger. For many
   * holders at once; what it costs depends on all lines of the issuer.
   */
  issuedLines(issuer: string, currency: string, maxPages: number): Promise<IssuedLines>;
  /**
   * Begins to read who holds a token, in the newest validated ledger. Throws `not_found` when its issuer or issuance is not
   * there, `service_unavailable` when no server has the command that it takes.
   */
  openHolders(token: LedgerToken): Promise<OpenedHolders>;
  /** The page at `marker`; null when the reading cannot go on: its server is gone, or knows the marker or the ledger no more. */
  holderPage(token: LedgerToken, reading: HolderReading, marker: unknown): Promise<HolderPage | null>;
  /** Tickets the account holds in the newest validated ledger, ascending. */
  tickets(address: string): Promise<number[]>;
  /** The same with the ledger that shows them, in one answer; null when the account does not exist. */
  ticketsAt(address: string): Promise<{ ledgerIndex: number; tickets: number[] } | null>;
  /**
   * By which validated transactions these tickets were used up, as far as any server shows it, once for each server that
   * does (tickets.ts). What is found is a fact; what is not found proves nothing.
   */
  ticketUses(search: TicketSearch): Promise<TicketUse[]>;
  /** True when `source` may pay `destination` (deposit authorisation). Both accounts must exist. */
  depositAuthorized(source: string, destination: string): Promise<boolean>;
  /** From a ledger, or the newest validated one that the server has; null when the holder has none. */
  mptHolding(holder: string, issuanceId: string, ledgerIndex?: number): Promise<MptHolding | null>;
  /** From the newest validated ledger; null when there is no such issuance. */
  mptIssuance(issuanceId: string): Promise<MptIssuance | null>;
  /** What an account issues, the newest first, of at most 400 objects; none when it does not exist. */
  mptIssuancesOf(issuer: string): Promise<OwnIssuance[]>;
  /**
   * Safe to repeat with the same blob. A refusal is an answer, not an error, and proves nothing (docs/ledger-facts.md,
   * 15).
   */
  submit(blob: string): Promise<SubmitResult>;
  /** Looks a hash up. Only a validated answer is a fact; `not_validated` proves nothing by itself (provesAbsence in transactions.ts). */
  lookUp(hash: string): Promise<LookUp>;
  /** The Payment with this hash; null when no server shows it validated and successful. */
  validatedPayment(hash: string): Promise<ValidatedPayment | null>;
  /**
   * The escrow that a transaction has created; null when it has created none in `ledgerIndex`, or in any ledger when that is
   * null. Throws `ledger_unavailable` when no server finds it and holds that ledger.
   */
  createdEscrow(hash: string, ledgerIndex: number | null): Promise<CreatedEscrow | null>;
  /** Whether a validated ledger holds the escrow. Throws `ledger_unavailable` without that ledger's state. */
  escrowStands(escrowId: string, ledgerIndex: number): Promise<boolean>;
  /** The same on each of several servers, as far as they answer; nothing when only one is configured. */
  escrowStandsEverywhere(escrowId: string, ledgerIndex: number): Promise<boolean[]>;
  /** The same as `createdEscrow` on each of several servers, as far as they answer; nothing when only one is configured. */
  createdEscrowEverywhere(hash: string): Promise<(CreatedEscrow | null)[]>;
  /** `lookUp` for many, in the order given, all on one server with one reading of its history. */
  lookUpAll(hashes: readonly string[], sentBy?: SentBy): Promise<LookUp[]>;
  /** The same on each of several servers, as far as they answer; nothing when only one is configured. */
  lookUpEverywhere(hashes: readonly string[]): Promise<LookUp[][]>;
}
