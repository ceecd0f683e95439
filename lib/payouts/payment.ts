import type { Payment } from 'xrpl';
import { type Drops, formatLedgerValue } from '#lib/base/money.ts';
import { REFUND_SOURCE_TAG } from '#lib/xrpl/tags.ts';
import type { Payout } from './types.ts';

/** What surrounds the payment itself in a transaction that uses a ticket. */
export interface Envelope {
  feeDrops: Drops;
  ticket: number;
  lastLedgerSequence: number;
}

function amountFields(payout: Payout): Pick<Payment, 'Amount' | 'SendMax' | 'SourceTag'> {
  const { asset, amount } = payout;
  if (asset.kind === 'xrp') return { Amount: amount.toString(), SourceTag: REFUND_SOURCE_TAG };
  if (asset.kind === 'mpt') return { Amount: { mpt_issuance_id: asset.issuanceId, value: amount.toString() } };
  const { currency, issuer, decimals } = asset;
  const value = { currency, issuer, value: formatLedgerValue(amount, decimals) };
  // A distributor pays exactly what arrives: preflight refuses tokens with a transfer fee.
  return payout.account === issuer ? { Amount: value } : { Amount: value, SendMax: value };
}

/**
 * The transaction that pays a payout: direct, in full or not at all. Never Paths, never the partial payment flag
 * (docs/ledger-facts.md, 1). A refund carries a SourceTag of ours, so that whoever bounces it cannot start a loop
 * (docs/ledger-facts.md, 9).
 */
export function payoutPayment(payout: Payout, envelope: Envelope): Payment {
  return {
    TransactionType: 'Payment',
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
