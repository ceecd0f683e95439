import { renewLease } from '#lib/base/lease.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { AccountState } from '#lib/xrpl/types.ts';
import type { Allowance } from './ceiling.ts';
import type { EarlyBatch } from './early-reads.ts';
import { MAX_IN_FLIGHT, type Payout, type PayoutCounts } from './types.ts';

/** A slice that stops keeps its account from others no longer than this. */
export const SIGNER_LEASE_SECONDS = 60;

export interface SignerLease {
  name: string;
  holder: string;
}

/** One slice of paying from an account, kept up to date batch by batch. */
export interface Slice {
  account: string;
  lease: SignerLease;
  /** Of ctx.clock. */
  deadlineMs: number;
  /** Distributions that the next ledger may make due. */
  coming: number;
  /** Payouts with an attempt that may still succeed. */
  inFlight: Payout[];
  allowance: Allowance;
  /** What its first batch needs, where that was read while what is under way was settled. */
  early: EarlyBatch | null;
  /** Witnesses sign for it: everything is paid with a ticket that was created for it. */
  isWitnessed: boolean;
  /** Signatures that each transaction carries beside its own field. */
  signatures: number;
  /** A TicketCreate is under way. */
  ticketsRequested: boolean;
  /** It was decided behind a batch how many tickets to ask for, those for what comes next among them. */
  ticketsDecided: boolean;
  /** What the ledger showed before the slice submitted anything; null until something is payable. */
  before: LedgerBefore | null;
  /** Tickets of it that the slice has not signed with. Unused where witnesses sign. */
  freeTickets: number[];
  /** Tickets of payments that the server has applied to its open ledger: they are gone when it closes. */
  leaving: Set<number>;
  /** The batch that is being submitted while the next one is signed. */
  submitting: Promise<void>;
  /** Writing down what the server said to those before it. */
  recording: Promise<void>;
  counts: PayoutCounts;
}

export interface LedgerBefore {
  payer: AccountState;
  ticketsHeld: number;
}

/** Payments that may still be submitted before others are validated. */
export const roomOf = ({ inFlight }: Slice): number => MAX_IN_FLIGHT - inFlight.length;

/** False when another slice has taken the account meanwhile. */
export const renewSignerLease = (ctx: Ctx, { lease }: Slice): Promise<boolean> =>
  renewLease(ctx.db, lease.name, lease.holder, SIGNER_LEASE_SECONDS);
