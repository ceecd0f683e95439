import type { ActionMemo } from './action-memo.ts';
import { encodeActionMemo } from './action-memo.ts';
import { type Drops, formatLedgerValue } from './amounts.ts';
import { encodeAssignment } from './custody.ts';
import { rippleSecondsCeil } from './feed-entry.ts';
import { REFUND_SOURCE_TAG } from './types.ts';

/** What is paid: XRP for a refund or a release to the treasury, the project's token for a distribution. */
export type Asset =
  | { kind: 'xrp' }
  | { kind: 'iou'; currency: string; issuer: string; decimals: number }
  | { kind: 'mpt'; issuanceId: string; decimals: number };

/** A payment that is owed. */
export interface OwedPayment {
  account: string;
  destination: string;
  destinationTag: number | null;
  /** Token units for a distribution, drops otherwise. */
  amount: bigint;
  asset: Asset;
}

interface Limits {
  feeDrops: Drops;
  lastLedgerSequence: number;
}

/** What surrounds the payment itself in a transaction that uses a ticket. */
export interface Envelope extends Limits {
  ticket: number;
}

type Amount = string | { currency: string; issuer: string; value: string } | { mpt_issuance_id: string; value: string };

function amountFields({ asset, amount, account }: OwedPayment): {
  Amount: Amount;
  SendMax?: Amount;
  SourceTag?: number;
} {
  if (asset.kind === 'xrp') return { Amount: amount.toString(), SourceTag: REFUND_SOURCE_TAG };
  if (asset.kind === 'mpt') return { Amount: { mpt_issuance_id: asset.issuanceId, value: amount.toString() } };
  const { currency, issuer, decimals } = asset;
  const value = { currency, issuer, value: formatLedgerValue(amount, decimals) };
  // A distributor pays exactly what arrives: preflight refuses tokens with a transfer fee.
  return account === issuer ? { Amount: value } : { Amount: value, SendMax: value };
}

/**
 * The transaction that pays what is owed: direct, in full or not at all. Never Paths, never the partial payment flag
 * (docs/ledger-facts.md, 1). XRP carries a SourceTag of ours, so that a receiver that bounces it cannot start a loop
 * (docs/ledger-facts.md, 9).
 */
export function payoutPayment(payout: OwedPayment, envelope: Envelope) {
  return {
    TransactionType: 'Payment' as const,
    Account: payout.account,
    Destination: payout.destination,
    ...amountFields(payout),
    ...(payout.destinationTag === null ? {} : { DestinationTag: payout.destinationTag }),
    Fee: envelope.feeDrops.toString(),
    Sequence: 0,
    TicketSequence: envelope.ticket,
    LastLedgerSequence: envelope.lastLedgerSequence,
  };
}

/** Tokens that an account is to put in escrow to itself. */
export interface OwedEscrow extends Pick<OwedPayment, 'account' | 'amount' | 'asset'> {
  /** Nobody can finish it before. */
  lockedUntilMs: number;
}

/**
 * The transaction that locks what is owed, for whatever reason: to the account itself, and released by nothing but its time
 * (docs/ledger-facts.md, 36). The escrow's key follows from account and ticket. XRP is never locked. Its tag says nothing, and is there
 * because an account with RequireDest takes no escrow without one, not even its own.
 */
export function selfEscrow({ account, amount, asset, lockedUntilMs }: OwedEscrow, envelope: Envelope) {
  if (asset.kind === 'xrp') throw new Error('XRP is never locked');
  return {
    TransactionType: 'EscrowCreate' as const,
    Account: account,
    Destination: account,
    DestinationTag: 0,
    Amount:
      asset.kind === 'mpt'
        ? { mpt_issuance_id: asset.issuanceId, value: amount.toString() }
        : { currency: asset.currency, issuer: asset.issuer, value: formatLedgerValue(amount, asset.decimals) },
    FinishAfter: rippleSecondsCeil(lockedUntilMs),
    Fee: envelope.feeDrops.toString(),
    Sequence: 0,
    TicketSequence: envelope.ticket,
    LastLedgerSequence: envelope.lastLedgerSequence,
  };
}

/**
 * The transaction that ends an escrow of the account to itself, which `escrowSequence` names: the sequence or ticket of what
 * created it. Anybody may send the like.
 */
export const selfEscrowFinish = (account: string, escrowSequence: number, envelope: Envelope) => ({
  TransactionType: 'EscrowFinish' as const,
  Account: account,
  Owner: account,
  OfferSequence: escrowSequence,
  Fee: envelope.feeDrops.toString(),
  Sequence: 0,
  TicketSequence: envelope.ticket,
  LastLedgerSequence: envelope.lastLedgerSequence,
});

/** Creates one ticket for each purpose; without purposes, `count` tickets that are for nothing yet. */
export const ticketCreate = (
  account: string,
  tickets: readonly string[] | number,
  limits: Limits & { sequence: number },
) => ({
  TransactionType: 'TicketCreate' as const,
  Account: account,
  TicketCount: typeof tickets === 'number' ? tickets : tickets.length,
  ...(typeof tickets === 'number' ? {} : { Memos: [encodeAssignment(tickets)] }),
  Fee: limits.feeDrops.toString(),
  Sequence: limits.sequence,
  LastLedgerSequence: limits.lastLedgerSequence,
});

/** The action on a sale that a memo holds; with the account's sequence, or the ticket of what it decides on. */
export const actionTransaction = (
  account: string,
  memo: ActionMemo,
  limits: Limits & ({ sequence: number } | { ticket: number }),
) => ({
  TransactionType: 'AccountSet' as const,
  Account: account,
  Memos: [encodeActionMemo(memo)],
  ...('ticket' in limits ? { Sequence: 0, TicketSequence: limits.ticket } : { Sequence: limits.sequence }),
  Fee: limits.feeDrops.toString(),
  LastLedgerSequence: limits.lastLedgerSequence,
});

/** Uses up a ticket and does nothing else. */
export const cancelTicket = (account: string, envelope: Envelope) => ({
  TransactionType: 'AccountSet' as const,
  Account: account,
  Fee: envelope.feeDrops.toString(),
  Sequence: 0,
  TicketSequence: envelope.ticket,
  LastLedgerSequence: envelope.lastLedgerSequence,
});

/** Networks up to this id refuse the NetworkID field, those above require it. */
const LAST_NETWORK_WITHOUT_FIELD = 1024;

/** The transaction as the network with this id takes it. */
export const forNetwork = <Transaction extends object>(transaction: Transaction, networkId: number): Transaction =>
  networkId > LAST_NETWORK_WITHOUT_FIELD ? { ...transaction, NetworkID: networkId } : transaction;
