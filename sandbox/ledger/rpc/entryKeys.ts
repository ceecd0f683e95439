import { sortedKinds } from '../engine/credentialEntries.ts';
import { MAX_CREDENTIALS } from '../engine/depositAuth.ts';
import { type CredentialKind, NO_ISSUER, ZERO_ADDRESS } from '../entries.ts';
import { sha512HalfHex, uintHex } from '../hashing.ts';
import { isInteger, isObject, type Json, type JsonObject } from '../json.ts';
import {
  AMENDMENTS_INDEX,
  accountIdHex,
  accountIndex,
  credentialIndex,
  credentialPreauthIndex,
  currencyHex,
  depositPreauthIndex,
  didIndex,
  directoryPageIndex,
  FEE_SETTINGS_INDEX,
  hashesIndex,
  issuanceIndex,
  lineIndex,
  mptokenIndex,
  oracleIndex,
  ownerDirectoryIndex,
  permissionedDomainIndex,
  RECENT_HASHES_INDEX,
  ticketIndex,
} from '../keylets.ts';
import { addressIn, asUint, expectedMessage, hashIn, isUint, toUint, uint32InText } from './fields.ts';
import { RpcError, type RpcErrorName } from './types.ts';

/** How `ledger_entry` finds the key of an entry, by the field of the request that names it. */

const CURRENCY = /^(?:[0-9A-Za-z<>(){}[\]|?!@#$%^&*]{3}|[0-9A-Fa-f]{40})?$/;
const XRP_CURRENCY = '0'.repeat(40);
/** `XRP` spelled as if it were an issued currency. */
const BAD_CURRENCY = '0000000000000000000000005852500000000000';
const NO_CURRENCY = `${'0'.repeat(39)}1`;
const MAX_CREDENTIAL_TYPE_BYTES = 64;

function malformed(error: RpcErrorName, name: string, type: string): RpcError {
  return new RpcError(error, { message: expectedMessage(name, type) });
}

/** A field within the object that names an entry: missing or null, or of a form that `read` refuses. */
function required<T>(
  object: JsonObject,
  name: string,
  read: (value: Json) => T | undefined,
  { error, type, missing = 'malformedRequest' }: { error: RpcErrorName; type: string; missing?: RpcErrorName },
): T {
  const value = object[name];
  if (value === undefined || value === null) throw new RpcError(missing, { message: `Missing field '${name}'.` });
  const result = read(value);
  if (result === undefined) throw malformed(error, name, type);
  return result;
}

const accountId = (value: Json): string | undefined => {
  const address = addressIn(value);
  return address === ZERO_ADDRESS ? undefined : address;
};

const requiredAccount = (object: JsonObject, name: string, error: RpcErrorName, missing?: RpcErrorName): string =>
  required(object, name, accountId, { error, type: 'AccountID', ...(missing === undefined ? {} : { missing }) });

function requiredUint32(object: JsonObject, name: string, error: RpcErrorName): number {
  const read = (value: Json): number | undefined => {
    if (typeof value === 'string') return uint32InText(value);
    return isUint(object, name) ? Number(value) : undefined;
  };
  return required(object, name, read, { error, type: 'number' });
}

const hashOf = (value: Json, name: string, type = 'hex string or object'): string => {
  const hash = hashIn(value);
  if (hash === undefined) throw malformed('malformedRequest', name, type);
  return hash;
};

type KeyReader = (value: Json, name: string, request: JsonObject) => string;

/** An entry that is asked for by its key alone. */
const byKey: KeyReader = (value, name) => hashOf(value, name, 'hex string');

/** An entry that is asked for by its key or by an object that identifies it. */
const byObject =
  (key: (object: JsonObject) => string, type?: string): KeyReader =>
  (value, name) =>
    isObject(value) ? key(value) : hashOf(value, name, type);

/** An entry of which there is only one is asked for by `true`, or by its key. */
const single =
  (index: string): KeyReader =>
  (value, name) => {
    if (typeof value !== 'boolean') return hashOf(value, name, 'hex string');
    if (!value) throw malformed('invalidParams', name, 'true');
    return index;
  };

/** The key of an entry in its name space, one letter. */
const keyIn = (space: string, ...parts: readonly string[]): string =>
  sha512HalfHex(uintHex(space.charCodeAt(0), 2), ...parts);

const ownedKey = (space: string, owner: string, sequence: number): string =>
  keyIn(space, accountIdHex(owner), uintHex(sequence, 4));

const bySequence =
  (space: string, owner: string, ownerError: RpcErrorName, seqError: RpcErrorName) =>
  (object: JsonObject): string => {
    const address = requiredAccount(object, owner, ownerError);
    return ownedKey(space, address, requiredUint32(object, 'seq', seqError));
  };

const accountRoot: KeyReader = (value, name) => {
  const address = accountId(value);
  if (address === undefined) throw malformed('malformedAddress', name, 'AccountID');
  return accountIndex(address);
};

/** A currency code in hex; XRP and the empty text are zeros. */
function currencyOf(value: Json): string | undefined {
  if (typeof value !== 'string' || !CURRENCY.test(value)) return undefined;
  return value === '' || value === 'XRP' ? XRP_CURRENCY : currencyHex(value);
}

export type Asset = { readonly mpt: string } | { readonly currency: string; readonly issuer: string };

/** The asset that a value names: a currency with its issuer, XRP, or an issuance; undefined when it names none. */
export function assetIn(value: Json): Asset | undefined {
  if (!isObject(value)) return undefined;
  if (value.mpt_issuance_id !== undefined) {
    const id = hashIn(value.mpt_issuance_id, 24);
    return id === undefined || value.currency !== undefined || value.issuer !== undefined ? undefined : { mpt: id };
  }
  const currency = value.currency === undefined ? undefined : currencyOf(value.currency);
  if (currency === undefined || currency === BAD_CURRENCY || currency === NO_CURRENCY) return undefined;
  if (currency === XRP_CURRENCY) {
    return value.issuer === undefined || value.issuer === null ? { currency, issuer: XRP_CURRENCY } : undefined;
  }
  const issuer = value.issuer === undefined ? undefined : accountId(value.issuer);
  return issuer === undefined || issuer === NO_ISSUER ? undefined : { currency, issuer: accountIdHex(issuer) };
}

/** The order of the two assets of a pool: tokens of an issuance first, then by currency and issuer. */
const assetOrder = (asset: Asset): string => ('mpt' in asset ? `0${asset.mpt}` : `1${asset.currency}${asset.issuer}`);
const assetHex = (asset: Asset): string => ('mpt' in asset ? asset.mpt : asset.issuer + asset.currency);

function ammKey(object: JsonObject): string {
  for (const name of ['asset', 'asset2'])
    required(object, name, (value) => value, { error: 'malformedRequest', type: '' });
  const [a, b] = ['asset', 'asset2'].map((name) =>
    required(object, name, assetIn, { error: 'malformedRequest', type: 'Asset' }),
  ) as [Asset, Asset];
  const [low, high] = assetOrder(a) <= assetOrder(b) ? [a, b] : [b, a];
  return keyIn('A', assetHex(low), assetHex(high));
}

type Chain = { readonly door: string; readonly currency: string; readonly issuer: string };

/** Both sides of a bridge between chains: its doors and what it carries. */
function bridgeSides(object: JsonObject): readonly [Chain, Chain] {
  const fields = ['LockingChainDoor', 'LockingChainIssue', 'IssuingChainDoor', 'IssuingChainIssue'] as const;
  for (const name of fields) required(object, name, (value) => value, { error: 'malformedRequest', type: '' });
  const doors = (['LockingChainDoor', 'IssuingChainDoor'] as const).map((name) =>
    requiredAccount(object, name, `malformed${name}`),
  );
  const issues = (['LockingChainIssue', 'IssuingChainIssue'] as const).map((name) => {
    const asset = assetIn(object[name] ?? null);
    if (!asset || 'mpt' in asset) throw malformed('malformedIssue', name, 'Issue');
    return asset;
  });
  const side = (i: 0 | 1): Chain => ({
    door: doors[i] ?? '',
    currency: issues[i]?.currency ?? '',
    issuer: issues[i]?.issuer ?? '',
  });
  return [side(0), side(1)];
}

const bridgeKey: KeyReader = (value, name, request) => {
  // The server hands its whole request on here, which is never a key.
  if (typeof value === 'string') throw malformed('malformedRequest', name, 'hex string or object');
  const sides = bridgeSides(isObject(value) ? value : {});
  const door = requiredAccount(request, 'bridge_account', 'malformedBridgeAccount');
  const side = sides.find((each) => each.door === door);
  if (!side) throw new RpcError('malformedRequest', { message: '' });
  return keyIn('H', accountIdHex(door), side.currency);
};

const claimKey =
  (space: string, error: RpcErrorName): KeyReader =>
  (value, name) => {
    if (!isObject(value)) return hashOf(value, name);
    const sides = bridgeSides(value);
    const sequence = requiredUint32(value, name, error);
    return keyIn(
      space,
      ...sides.flatMap(({ door, currency, issuer }) => [accountIdHex(door), currency, issuer]),
      uintHex(sequence, 8),
    );
  };

/** A kind of credential as requests name it: `issuer` and `credential_type`. */
function credentialKind(object: JsonObject, error: RpcErrorName): CredentialKind {
  const issuer = requiredAccount(object, 'issuer', error);
  const type = required(
    object,
    'credential_type',
    (value) => {
      const isType = typeof value === 'string' && /^[0-9A-F]+$/i.test(value);
      const hex = isType ? (value.length % 2 === 0 ? value : `0${value}`).toUpperCase() : '';
      return hex !== '' && hex.length <= 2 * MAX_CREDENTIAL_TYPE_BYTES ? hex : undefined;
    },
    { error, type: 'hex string' },
  );
  return { Issuer: issuer, CredentialType: type };
}

function credentialKey(object: JsonObject): string {
  const subject = requiredAccount(object, 'subject', 'malformedRequest');
  return credentialIndex(subject, credentialKind(object, 'malformedRequest'));
}

/** The kinds of credentials that a preauthorization names, sorted. */
function authorizedKinds(list: Json): CredentialKind[] {
  const error = 'malformedAuthorizedCredentials';
  const refused = (problem: string): RpcError =>
    new RpcError(error, { message: `Invalid field 'authorized_credentials', ${problem}.` });
  if (!Array.isArray(list)) throw refused('not array');
  if (list.length > MAX_CREDENTIALS) throw refused('array too long');
  if (list.length === 0) throw refused('array empty');
  const kinds = list.map((item: Json) => {
    if (!isObject(item)) throw refused('not array of objects');
    for (const name of ['issuer', 'credential_type']) {
      required(item, name, (value) => value, { error, type: '', missing: error });
    }
    return credentialKind(item, error);
  });
  const distinct = new Set(kinds.map(({ Issuer: issuer, CredentialType: type }) => issuer + type));
  if (distinct.size < kinds.length) throw refused('not array');
  return sortedKinds(kinds);
}

function preauthKey(object: JsonObject): string {
  if ('authorized' in object === 'authorized_credentials' in object) {
    const message = 'Must have exactly one of `authorized` and `authorized_credentials`.';
    throw new RpcError('malformedRequest', { message });
  }
  const owner = requiredAccount(object, 'owner', 'malformedOwner');
  if (!('authorized' in object)) {
    return credentialPreauthIndex(owner, authorizedKinds(object.authorized_credentials ?? null));
  }
  const authorized = accountId(object.authorized ?? null);
  if (authorized === undefined) throw malformed('malformedAuthorized', 'authorized', 'AccountID');
  return depositPreauthIndex(owner, authorized);
}

function directoryKey(object: JsonObject): string {
  const { sub_index: subIndex } = object;
  const isNumber = subIndex === undefined || (typeof subIndex !== 'boolean' && typeof subIndex !== 'string');
  const page = isNumber ? toUint(subIndex) : undefined;
  if (page === undefined || (typeof subIndex === 'number' && !Number.isInteger(subIndex))) {
    throw malformed('malformedRequest', 'sub_index', 'number');
  }
  if ('owner' in object === 'dir_root' in object) {
    throw new RpcError('malformedRequest', { message: 'Must have exactly one of `owner` and `dir_root` fields.' });
  }
  if ('dir_root' in object) {
    const root = hashIn(object.dir_root);
    if (root === undefined) throw malformed('malformedDirRoot', 'dir_root', 'hash');
    return directoryPageIndex(root, BigInt(page));
  }
  const owner = accountId(object.owner ?? null);
  if (owner === undefined) throw malformed('malformedAddress', 'owner', 'AccountID');
  return directoryPageIndex(ownerDirectoryIndex(owner), BigInt(page));
}

const hashesKey: KeyReader = (value, name, request) =>
  // A ledger's index stands for the list of hashes that has it; one that is negative the server cannot read.
  isInteger(request, name) ? hashesIndex(asUint(value)) : single(RECENT_HASHES_INDEX)(value, name, request);

function rippleStateKey(object: JsonObject): string {
  for (const name of ['currency', 'accounts']) {
    required(object, name, (value) => value, { error: 'malformedRequest', type: '' });
  }
  const { accounts, currency } = object;
  if (!Array.isArray(accounts) || accounts.length !== 2) {
    throw malformed('malformedRequest', 'accounts', 'length-2 array of Accounts');
  }
  const [a, b] = accounts.map(accountId);
  if (a === undefined || b === undefined) throw malformed('malformedAddress', 'accounts', 'array of Accounts');
  if (a === b) throw new RpcError('malformedRequest', { message: 'Cannot have a trustline to self.' });
  const code = currency === '' || currency === undefined ? undefined : currencyOf(currency);
  if (code === undefined) throw malformed('malformedCurrency', 'currency', 'Currency');
  return lineIndex(a, b, code);
}

const mptIssuance: KeyReader = (value, name) => {
  const id = hashIn(value, 24);
  if (id === undefined) throw malformed('malformedMPTokenIssuance', name, 'Hash192');
  return issuanceIndex(id);
};

function mptokenKey(object: JsonObject): string {
  const read = (value: Json): string | undefined => hashIn(value, 24);
  const id = required(object, 'mpt_issuance_id', read, { error: 'malformedMPTIssuanceID', type: 'Hash192' });
  return mptokenIndex(id, requiredAccount(object, 'account', 'malformedAccount'));
}

function loanKey(object: JsonObject): string {
  const read = (value: Json): string | undefined => hashIn(value);
  const broker = required(object, 'loan_broker_id', read, { error: 'malformedBroker', type: 'Hash256' });
  return keyIn('L', broker, uintHex(requiredUint32(object, 'loan_seq', 'malformedSeq'), 4));
}

export type EntrySelector = {
  readonly key: KeyReader;
  /** The only type of entry that the field finds; absent where it finds any. */
  readonly type?: string;
};

/** Every field of `ledger_entry` that names an entry. */
export const ENTRY_SELECTORS: ReadonlyMap<string, EntrySelector> = new Map(
  Object.entries({
    account: { type: 'AccountRoot', key: accountRoot },
    account_root: { type: 'AccountRoot', key: accountRoot },
    amendments: { type: 'Amendments', key: single(AMENDMENTS_INDEX) },
    amm: { type: 'AMM', key: byObject(ammKey) },
    bridge: { type: 'Bridge', key: bridgeKey },
    check: { type: 'Check', key: byKey },
    credential: { type: 'Credential', key: byObject(credentialKey) },
    delegate: {
      type: 'Delegate',
      key: byObject((object) => {
        const owner = requiredAccount(object, 'account', 'malformedAddress');
        return keyIn('E', accountIdHex(owner), accountIdHex(requiredAccount(object, 'authorize', 'malformedAddress')));
      }),
    },
    deposit_preauth: { type: 'DepositPreauth', key: byObject(preauthKey) },
    did: {
      type: 'DID',
      key: (value, name) => {
        const owner = accountId(value);
        if (owner === undefined) throw malformed('malformedAddress', name, 'AccountID');
        return didIndex(owner);
      },
    },
    directory: { type: 'DirectoryNode', key: byObject(directoryKey) },
    escrow: { type: 'Escrow', key: byObject(bySequence('u', 'owner', 'malformedOwner', 'malformedSeq')) },
    fee: { type: 'FeeSettings', key: single(FEE_SETTINGS_INDEX) },
    hashes: { type: 'LedgerHashes', key: hashesKey },
    index: { key: byKey },
    loan: { type: 'Loan', key: byObject(loanKey, 'hex string') },
    loan_broker: {
      type: 'LoanBroker',
      key: byObject(bySequence('l', 'owner', 'malformedOwner', 'malformedSeq'), 'hex string'),
    },
    mpt_issuance: { type: 'MPTokenIssuance', key: mptIssuance },
    mptoken: { type: 'MPToken', key: byObject(mptokenKey) },
    nft_offer: { type: 'NFTokenOffer', key: byKey },
    nft_page: { type: 'NFTokenPage', key: byKey },
    nunl: { type: 'NegativeUNL', key: single(keyIn('N')) },
    offer: { type: 'Offer', key: byObject(bySequence('o', 'account', 'malformedAddress', 'malformedRequest')) },
    oracle: {
      type: 'Oracle',
      key: byObject((object) => {
        const owner = requiredAccount(object, 'account', 'malformedAccount');
        return oracleIndex(owner, requiredUint32(object, 'oracle_document_id', 'malformedDocumentID'));
      }),
    },
    payment_channel: { type: 'PayChannel', key: byKey },
    permissioned_domain: {
      type: 'PermissionedDomain',
      key: byObject((object) => {
        const owner = requiredAccount(object, 'account', 'malformedAddress');
        return permissionedDomainIndex(owner, requiredUint32(object, 'seq', 'malformedRequest'));
      }),
    },
    ripple_state: { type: 'RippleState', key: byObject(rippleStateKey) },
    signer_list: { type: 'SignerList', key: byKey },
    state: { type: 'RippleState', key: byObject(rippleStateKey) },
    ticket: {
      type: 'Ticket',
      key: byObject((object) => {
        const owner = requiredAccount(object, 'account', 'malformedAddress');
        return ticketIndex(owner, requiredUint32(object, 'ticket_seq', 'malformedRequest'));
      }),
    },
    vault: { type: 'Vault', key: byObject(bySequence('V', 'owner', 'malformedOwner', 'malformedRequest')) },
    xchain_owned_claim_id: { type: 'XChainOwnedClaimID', key: claimKey('Q', 'malformedXChainOwnedClaimID') },
    xchain_owned_create_account_claim_id: {
      type: 'XChainOwnedCreateAccountClaimID',
      key: claimKey('K', 'malformedXChainOwnedCreateAccountClaimID'),
    },
  } satisfies Record<string, EntrySelector>),
);
