/** Why a payment buys nothing, or a part of it goes back. */
const REASONS: Readonly<Record<string, string>> = {
  no_tag: 'it carried no destination tag, so it belongs to no sale',
  unknown_tag: 'no sale has its destination tag',
  not_active: 'the sale does not take payments at that time',
  before_start: 'the sale has not started yet',
  after_end: 'the sale is over',
  between_tiers: 'the next tier has not started yet',
  below_minimum: 'it is below the smallest investment',
  above_wallet_cap: 'it goes beyond what one wallet may invest',
  not_admitted: 'the wallet is not on the allowlist in force',
  below_one_unit: 'it is too little for the smallest unit of the token',
  sold_out: 'no tokens are left',
  soft_cap_missed: 'the sale missed its soft cap',
  cancelled: 'the sale was cancelled',
  change: 'the rest is too little for a further unit of the token',
  late_discovery: 'it turned up after its ledger had been decided; a person looks at it',
  operating_funds: "it came from one of the platform's own accounts",
  refund_bounced: 'it is a refund of ours that came back',
  trust_line_missing: 'your wallet has no trust line for the token yet: set it, and the tokens are sent by themselves',
  trust_line_unauthorized: 'the issuer has not authorised your trust line yet',
  trust_line_frozen: 'the issuer has frozen your trust line',
  trust_line_limit: 'the limit of your trust line is too small: raise it, and the tokens are sent by themselves',
  token_not_opted_in:
    'your wallet has not authorised the token yet: send MPTokenAuthorize, and the tokens follow by themselves',
  token_unauthorized: 'the issuer has not authorised your wallet for the token yet',
  token_locked: 'the issuer has locked the token in your wallet',
  destination_missing: 'your account is not on the ledger (any more)',
  destination_tag_required: 'your account asks for a destination tag, and your payment had no source tag to use',
  deposit_authorization_required: 'your account takes payments only from accounts that it has authorised',
  payer_underfunded: 'the paying account lacks funds at the moment; operators see this',
  hourly_ceiling: 'it waits in line: only so much is paid out within an hour',
  operator_hold: 'an operator holds it back and can tell you why',
};

/** A reason in words; one that has none here is named as it is. */
export const reasonText = (reason: string | null): string | null =>
  reason === null ? null : (REASONS[reason] ?? reason.replaceAll('_', ' '));

export const NEVER_SEED =
  'Nobody of this platform ever needs your seed or secret key. Whoever asks for it wants to steal from you.';
