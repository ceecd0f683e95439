import type { Candidate } from '@tranche/witness/protocol.ts';
import type { Transaction } from 'xrpl';
import type { SignedTransaction } from './types.ts';

/** A complete transaction (fee, sequence or ticket, LastLedgerSequence); only the network id is added by the signer. */
export interface SignRequest {
  transaction: Transaction;
  /** What witnesses are asked to sign; null for what they never sign. A single key does not look at it. */
  candidate: Candidate | null;
}

export type SignOutcome =
  | ({ kind: 'signed' } & SignedTransaction)
  /** Too few witnesses have answered. */
  | { kind: 'waiting'; detail: string; mayDivide: boolean }
  /**
   * Witnesses refuse it; `paidBy` names the transactions that have paid it, as they say. `mayDivide`: they are a quorum but for
   * what some of them say of one of its purposes, so that they may sign the others.
   */
  | { kind: 'refused'; detail: string; mayDivide: boolean; paidBy: string[] }
  /** The codec refuses it. */
  | { kind: 'unsignable'; cause: unknown };

/**
 * Signs for one account. A signer on another machine needs no more than this, and `keyAddress` so that `keyFault` can
 * tell whether the ledger takes its signatures.
 */
export interface Signer {
  /** The account whose transactions it signs. */
  address: string;
  /** Address of the key itself: the account's own for its master key, another one for a regular key or a witnessed account. */
  keyAddress: string;
  /** Signatures that a transaction carries beside its own field: each costs a base fee. 0 for a single key. */
  signatures: number;
  /** Ledgers ahead of the validated one that LastLedgerSequence may lie. */
  ledgersToLive: number;
  /** Witnesses sign with it: everything is paid with tickets that were created for it. */
  isWitnessed: boolean;
  /** One outcome for each request, in their order. */
  sign(requests: readonly SignRequest[]): Promise<SignOutcome[]>;
}
