import type { JsonObject } from '../json.ts';
import { expectedField, invalidField } from './fields.ts';

/** Every type of entry by the short name that requests give it. */
const ENTRY_TYPES = new Map([
  ['account', 'AccountRoot'],
  ['amendments', 'Amendments'],
  ['amm', 'AMM'],
  ['bridge', 'Bridge'],
  ['check', 'Check'],
  ['credential', 'Credential'],
  ['delegate', 'Delegate'],
  ['deposit_preauth', 'DepositPreauth'],
  ['did', 'DID'],
  ['directory', 'DirectoryNode'],
  ['escrow', 'Escrow'],
  ['fee', 'FeeSettings'],
  ['hashes', 'LedgerHashes'],
  ['loan', 'Loan'],
  ['loan_broker', 'LoanBroker'],
  ['mpt_issuance', 'MPTokenIssuance'],
  ['mptoken', 'MPToken'],
  ['nft_offer', 'NFTokenOffer'],
  ['nft_page', 'NFTokenPage'],
  ['nunl', 'NegativeUNL'],
  ['offer', 'Offer'],
  ['oracle', 'Oracle'],
  ['payment_channel', 'PayChannel'],
  ['permissioned_domain', 'PermissionedDomain'],
  ['signer_list', 'SignerList'],
  ['state', 'RippleState'],
  ['ticket', 'Ticket'],
  ['vault', 'Vault'],
  ['xchain_owned_claim_id', 'XChainOwnedClaimID'],
  ['xchain_owned_create_account_claim_id', 'XChainOwnedCreateAccountClaimID'],
]);

/** Types that no account owns. */
const UNOWNED = new Set(['Amendments', 'DirectoryNode', 'FeeSettings', 'LedgerHashes', 'NegativeUNL']);

/** Types that keep an account from being deleted, by their short names. */
const DELETION_BLOCKERS = [
  'bridge',
  'check',
  'escrow',
  'mpt_issuance',
  'mptoken',
  'nft_page',
  'payment_channel',
  'permissioned_domain',
  'state',
  'vault',
  'xchain_owned_claim_id',
  'xchain_owned_create_account_claim_id',
];

/** The type that a request's `type` names, short or in full and in any case; undefined when it names none. */
export function wantedType(request: JsonObject): string | undefined {
  const { type } = request;
  if (!('type' in request)) return undefined;
  if (typeof type !== 'string') throw expectedField('type', 'string');
  const named = ENTRY_TYPES.get(type);
  const spelled = [...ENTRY_TYPES.values()].find((name) => name.toLowerCase() === type.toLowerCase());
  const wanted = named ?? spelled;
  if (wanted === undefined) throw invalidField('type');
  return wanted;
}

/** As `wantedType`, of what an account may own. */
export function wantedOwnedType(request: JsonObject): string | undefined {
  const type = wantedType(request);
  if (type !== undefined && UNOWNED.has(type)) throw invalidField('type');
  return type;
}

/** The types that keep an account from being deleted or, when the request names one of them, that one. */
export function wantedBlockers(request: JsonObject): ReadonlySet<string | undefined> {
  const wanted = DELETION_BLOCKERS.filter((name) => !('type' in request) || name === request.type);
  return new Set(wanted.map((name) => ENTRY_TYPES.get(name)));
}
