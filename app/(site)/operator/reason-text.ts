import type { PayoutResource } from '#lib/payouts/operate/contracts.ts';

/** Why a payout waits or a payment is held, as a person says it; a result of the ledger stays as it is. */
const WORDS: Record<string, string> = {
  destination_missing: 'The account does not exist',
  destination_is_payer: 'The account is the one that pays',
  destination_is_issuer: 'The account is the token’s issuer',
  destination_tag_required: 'The account asks for a tag that its payment did not name',
  deposit_authorization_required: 'The account takes payments from chosen senders only',
  trust_line_missing: 'The holder has no trust line',
  trust_line_unauthorized: 'The issuer has not authorised the trust line',
  trust_line_frozen: 'The trust line is frozen',
  trust_line_limit: 'The trust line’s limit leaves no room',
  token_not_opted_in: 'The holder has not opted in to the token',
  token_unauthorized: 'The issuer has not authorised the holder',
  token_locked: 'The holder’s tokens are locked',
  escrow_not_allowed: 'The issuer allows no escrows of the token',
  lock_time_passed: 'Its time has passed before it was locked',
  lock_undecided: 'Its lock is not decided yet',
  lock_not_made: 'Its tokens were never locked',
  escrow_not_due: 'The ledger has not reached the end of its escrow',
  payer_underfunded: 'The paying account has too little',
  payer_key_disabled: 'The paying account’s key is switched off',
  payer_key_changed: 'The paying account has another key now',
  signing_key_missing: 'The platform has no key for the paying account',
  waiting_witnesses: 'Too few witnesses have signed',
  witness_refused: 'Witnesses refuse to sign it',
  signing_key_unfit: 'The platform’s key does not fit the paying account',
  database_behind: 'The database is older than what was paid from the account',
  hourly_ceiling: 'The hourly ceiling of payouts is reached',
  above_hourly_ceiling: 'Larger than the hourly ceiling',
  operator_hold: 'An operator holds it',
  paid_elsewhere: 'Possibly paid by a transaction that was signed outside the platform',
  fee_above_amount: 'The ledger’s fee is more than it pays',
  release_below_floor: 'The deposit account would keep too little',
  late_discovery: 'Found after its ledgers were decided',
  not_a_payment: 'Arrived otherwise than by a payment',
  refund_bounced: 'A refund that came back',
  no_tag: 'Without a destination tag',
  unknown_tag: 'With a tag of no sale',
};

export const reasonText = (reason: string | null): string =>
  reason === null ? '' : (WORDS[reason] ?? reason.replaceAll('_', ' '));

export const STATUS_WORDS: Record<PayoutResource['status'], string> = {
  scheduled: 'scheduled',
  waiting_holder: 'waits for its holder',
  ready: 'ready to be sent',
  submitted: 'on its way',
  validated: 'paid',
  held: 'held',
  cancelled: 'cancelled',
};

/** What to do about a payout that waits for witnesses; nothing for a reason that needs no words beyond its own. */
const ADVICE: Record<string, string> = {
  waiting_witnesses:
    'Look at the witnesses: ask the operators of those that are halted or not reachable. It is sent by itself once enough of them sign.',
  witness_refused:
    'Read why the witnesses refuse. They sign what the ledger and the terms owe: look for a wrong record here before you doubt them.',
};

export const adviceFor = (reason: string | null): string | null => ADVICE[reason ?? ''] ?? null;
