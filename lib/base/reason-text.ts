import type { HeldReason, PartialReason, RefusalReason } from '@tranche/rules/types.ts';

/** Why a payment buys nothing, or a part of it is refunded or held. */
const OF_PAYMENTS: Record<RefusalReason | PartialReason | HeldReason, string> = {
  no_tag: 'it came without a destination tag',
  unknown_tag: 'its destination tag belongs to no sale',
  not_active: 'the sale was not open',
  before_start: 'it came before the start',
  after_end: 'it came after the end',
  between_tiers: 'the next tier had not started',
  below_minimum: 'it is below the minimum payment',
  above_wallet_cap: 'it is above what one wallet may invest',
  not_admitted: 'the wallet is not on the list, or lacks the credential that the tier requires',
  below_one_unit: 'it buys no whole unit',
  sold_out: 'the sale is sold out',
  soft_cap_missed: 'the sale missed its soft cap',
  cancelled: 'the sale was cancelled',
  change: 'the rest buys no further unit',
  late_discovery: 'it was found after its ledger had been decided',
  not_a_payment: 'it arrived otherwise than by a payment',
  operating_funds: 'it came from one of the platform’s own accounts',
  refund_bounced: 'it is a refund of ours that came back',
};

const OPERATORS_SEE = 'and the operators see this';

/** Why tokens or a refund wait, to the holder of the wallet that they are for. */
const OF_PAYOUTS: Readonly<Record<string, string>> = {
  destination_missing: 'your account is not on the ledger',
  destination_is_payer: 'your account is the one that pays',
  destination_is_issuer: 'your account is the issuer of the token',
  destination_tag_required: 'your account requires a destination tag, and your payment had no source tag to use',
  deposit_authorization_required: 'your account takes payments only from accounts that it has authorised',
  trust_line_missing: 'your wallet has no trust line for the token yet; once it has, the tokens are sent',
  trust_line_unauthorized: 'the issuer has not authorised your trust line yet',
  trust_line_frozen: 'the issuer has frozen your trust line',
  trust_line_limit: 'the limit of your trust line is too low; once it is raised, the tokens are sent',
  token_not_opted_in: 'your wallet has not authorised the token yet; once it has, the tokens are sent',
  token_unauthorized: 'the issuer has not authorised your wallet for the token yet',
  token_locked: 'the issuer has locked the token in your wallet',
  issuer_missing: `the issuer of the token is not on the ledger, ${OPERATORS_SEE}`,
  issuer_frozen: `the issuer has frozen the token, ${OPERATORS_SEE}`,
  issuance_missing: `the token is not on the ledger, ${OPERATORS_SEE}`,
  issuance_locked: `the issuer has locked the token, ${OPERATORS_SEE}`,
  issuance_maximum: `the issuance of the token is at its maximum, ${OPERATORS_SEE}`,
  asset_scale_differs: `the token has other decimals on the ledger than in the sale, ${OPERATORS_SEE}`,
  transfer_fee: `the token has a transfer fee, ${OPERATORS_SEE}`,
  transfer_not_allowed: `the token cannot be transferred, ${OPERATORS_SEE}`,
  escrow_not_allowed: 'the issuer does not allow escrows of the token',
  lock_time_passed: 'the time until which it was to be locked has passed',
  lock_undecided: 'it is not known yet whether its escrow was made',
  lock_not_made: 'its escrow was never made, so that there is nothing to release',
  escrow_not_due: 'the ledger has not reached the time at which its escrow ends',
  payer_missing: `the paying account is not on the ledger, ${OPERATORS_SEE}`,
  payer_underfunded: `the paying account lacks funds at the moment, ${OPERATORS_SEE}`,
  payer_frozen: `the token is frozen for the paying account, ${OPERATORS_SEE}`,
  payer_key_disabled: `the key of the paying account is disabled, ${OPERATORS_SEE}`,
  payer_key_changed: `the paying account has another key now, ${OPERATORS_SEE}`,
  signing_key_missing: `the paying account cannot sign at the moment, ${OPERATORS_SEE}`,
  signing_key_unfit: `the paying account cannot sign at the moment, ${OPERATORS_SEE}`,
  waiting_witnesses: `too few of the witnesses who co-sign payouts have answered, ${OPERATORS_SEE}`,
  witness_refused: `the witnesses who co-sign payouts have not signed it, ${OPERATORS_SEE}`,
  facts_unreadable: `the ledger’s answer about your account could not be read, ${OPERATORS_SEE}`,
  fee_above_amount: 'the ledger’s fee is more than the amount',
  release_below_floor: `the paying account would keep too little, ${OPERATORS_SEE}`,
  paid_elsewhere: 'another transaction may have paid it, and an operator decides',
  database_behind: `the platform’s records are being restored, ${OPERATORS_SEE}`,
  unsignable: `the amount cannot be written in a transaction, ${OPERATORS_SEE}`,
  hourly_ceiling: 'it waits in line: only so much is paid out within an hour',
  above_hourly_ceiling: 'it is more than is paid out within an hour, and an operator decides',
  operator_hold: 'an operator holds it back and can tell you why',
};

const WORDS: Readonly<Record<string, string>> = { ...OF_PAYMENTS, ...OF_PAYOUTS };

/** A reason to an investor, as a clause that reads after "because". A result of the ledger stays as it is. */
export const reasonText = (reason: string): string =>
  Object.hasOwn(WORDS, reason) ? (WORDS[reason] ?? reason) : reason;
