/** What a verifier is given, in the spelling of docs/verification.md sections 1, 2 and 8. */

export interface PublishedTier {
  tier: number;
  price_per_token: string;
  total_tokens: string;
  access: string;
  starts_at: string | null;
  credential?: { credential_type: string; issuers: string[] };
}

export interface PublishedVesting {
  immediate_bps: number;
  cliff_days: number;
  period_days: number;
  periods: number;
}

export interface PublishedCustody {
  platform: { account: string; weight: number };
  witnesses: { account: string; weight: number }[];
  quorum: number;
  from_ledger: number;
}

export interface PublishedTerms {
  project: string;
  token: { decimals: number };
  distributor: string;
  deposit_address: string;
  destination_tag: number;
  tiers: PublishedTier[];
  starts_at: string | null;
  ends_at: string | null;
  soft_cap_xrp: string | null;
  min_investment_xrp: string | null;
  max_per_wallet_xrp: string | null;
  access: string;
  distribution: string;
  vesting: PublishedVesting;
  refund_min_xrp: string;
  operating_accounts: string[];
  custody?: PublishedCustody;
}

export interface PublishedException {
  kind: string;
  payment_hash?: string;
  action_hash?: string;
}

export interface PublishedProject {
  /** The text whose SHA-256 the launch names. */
  canonical: string;
  /** The bytes behind each version's `url`. */
  lists: string[];
  exceptions: PublishedException[];
}

export interface PublishedAccount {
  address: string;
  registered_ledger: number;
  refund_min_xrp: string;
}

/** A row of `/payouts`, with the project that publishes it. */
export interface PublishedPayout {
  project: string;
  kind: string;
  part: number;
  payment_hash: string | null;
  account: string;
  status: string;
  transaction_hash: string | null;
  ledger_index: number | null;
}

/** One line of `account_tx`, with the close time of its ledger in seconds since 2000. */
export interface LedgerTransaction {
  hash: string;
  ledger_index: number;
  close_time: number;
  tx_json: Record<string, unknown>;
  meta: Record<string, unknown>;
}

/** A credential as `ledger_entry` shows it in a ledger; null when it finds none. */
export type ReadCredential = (
  ledger: number,
  subject: string,
  issuer: string,
  type: string,
) => { Flags: number; Expiration?: number } | null;

/** The ledger at which the book is closed. */
export interface LastLedger {
  ledger_index: number;
  close_time: number;
}
