import type { EntryType } from '../entries.ts';

/** Short names of the entry types; null for types that exist on the ledger but never in the sandbox. */
export const OWNED_TYPES: Readonly<Record<string, EntryType | null>> = {
  amm: null,
  bridge: null,
  check: 'Check',
  credential: 'Credential',
  delegate: null,
  deposit_preauth: 'DepositPreauth',
  did: null,
  escrow: 'Escrow',
  loan: null,
  loan_broker: null,
  mpt_issuance: 'MPTokenIssuance',
  mptoken: 'MPToken',
  nft_offer: null,
  nft_page: null,
  offer: 'Offer',
  oracle: null,
  payment_channel: 'PayChannel',
  permissioned_domain: 'PermissionedDomain',
  signer_list: 'SignerList',
  state: 'RippleState',
  ticket: 'Ticket',
  vault: null,
};

/** Every type, those included that no account owns. */
export const ENTRY_TYPES: Readonly<Record<string, EntryType | null>> = {
  ...OWNED_TYPES,
  account: 'AccountRoot',
  amendments: 'Amendments',
  directory: 'DirectoryNode',
  fee: 'FeeSettings',
  hashes: 'LedgerHashes',
  nunl: null,
};
