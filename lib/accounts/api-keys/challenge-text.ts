/** What a wallet may prove itself for. */
export const PROVABLE_ACTIONS = ['create_key', 'list_keys', 'revoke_key', 'set_display_name', 'sign_in'] as const;
type ProvableAction = (typeof PROVABLE_ACTIONS)[number];

/** An action, and the key that it is about where there is one. A proof for one purpose is none for another. */
export type Purpose = Exclude<ProvableAction, 'revoke_key'> | `revoke_key ${string}`;

/**
 * The first bytes of every text to sign. What the ledger hashes begins with four bytes of which the last is zero
 * (`STX\0` a transaction, `SMT\0` a multi-signature, `CLM\0` a claim, and so on), and no text of ours holds a zero: no
 * signature of one can pass for the other (docs/ledger-facts.md, 26).
 */
export const CHALLENGE_TITLE = 'Tranche wallet proof';

export interface ChallengeFacts {
  /** Host of BASE_URL, with its port where it has one: a text for another site is no proof here. */
  domain: string;
  networkId: number;
  purpose: Purpose;
  /** Classic address. */
  walletAddress: string;
  /** The challenge's own random id. */
  nonce: string;
  expiresAt: Date;
}

/** The text that a wallet signs: lines of `Name: value` in a fixed order, ended by nothing. Pure. */
export const challengeText = (facts: ChallengeFacts): string =>
  [
    CHALLENGE_TITLE,
    `Domain: ${facts.domain}`,
    `Network: ${facts.networkId}`,
    `Action: ${facts.purpose}`,
    `Wallet: ${facts.walletAddress}`,
    `Nonce: ${facts.nonce}`,
    `Expires: ${facts.expiresAt.toISOString()}`,
  ].join('\n');
