import { sortedKinds } from '../engine/credentialEntries.ts';
import { MAX_CREDENTIALS } from '../engine/depositAuth.ts';
import type { CredentialKind } from '../entries.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import {
  AMENDMENTS_INDEX,
  accountIndex,
  credentialIndex,
  credentialPreauthIndex,
  depositPreauthIndex,
  escrowIndex,
  FEE_SETTINGS_INDEX,
  isAddress,
  issuanceIndex,
  lineIndex,
  mptokenIndex,
  ownerDirectoryIndex,
  permissionedDomainIndex,
  RECENT_HASHES_INDEX,
  signerListIndex,
  ticketIndex,
} from '../keylets.ts';
import { entryBlob, shownEntry } from './render.ts';
import { selectLedger } from './select.ts';
import { type Handler, RpcError, type RpcErrorName } from './types.ts';

function text(value: Json | undefined, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value.toUpperCase() : undefined;
}

function address(value: Json | undefined): string {
  if (typeof value === 'string' && isAddress(value)) return value;
  throw new RpcError('malformedAddress');
}

function rippleStateIndex(value: Json): string {
  if (!isObject(value) || !Array.isArray(value.accounts) || value.accounts.length !== 2) {
    throw new RpcError('malformedRequest');
  }
  if (typeof value.currency !== 'string' || !/^(?:[\x21-\x7E]{3}|[0-9A-Fa-f]{40})$/.test(value.currency)) {
    throw new RpcError('malformedCurrency');
  }
  const [a, b] = value.accounts.map(address);
  if (a === undefined || b === undefined || a === b) throw new RpcError('malformedRequest');
  return lineIndex(a, b, value.currency);
}

function hashOf(value: Json, error: 'malformedRequest' | 'malformedMPTokenIssuance', digits: number): string {
  const hash = text(value, new RegExp(`^[0-9A-Fa-f]{${digits}}$`));
  if (hash === undefined) throw new RpcError(error);
  return hash;
}

/** An entry of which there is only one is asked for by `true`, or by its key. */
function singleton(value: Json, index: string): string {
  return value === true ? index : hashOf(value, 'malformedRequest', 64);
}

/** An account that names an entry, or the error of that name. */
function namedAccount(value: JsonObject, name: string, error: RpcErrorName): string {
  const text = value[name];
  if (text === undefined) throw new RpcError(error, { message: `Missing field '${name}'.` });
  if (typeof text === 'string' && isAddress(text)) return text;
  throw new RpcError(error, { message: `Invalid field '${name}', not AccountID.` });
}

/** A kind of credential as requests name it: `issuer` and `credential_type`. */
function credentialKind(value: JsonObject, error: RpcErrorName): CredentialKind {
  const issuer = namedAccount(value, 'issuer', error);
  const type = value.credential_type;
  if (type === undefined) throw new RpcError(error, { message: "Missing field 'credential_type'." });
  if (typeof type === 'string' && /^(?:[0-9A-F]{2}){1,64}$/i.test(type)) {
    return { Issuer: issuer, CredentialType: type.toUpperCase() };
  }
  throw new RpcError(error, { message: "Invalid field 'credential_type', not hex string." });
}

function credentialKey(value: Json): string {
  if (!isObject(value)) return hashOf(value, 'malformedRequest', 64);
  const subject = namedAccount(value, 'subject', 'malformedRequest');
  return credentialIndex(subject, credentialKind(value, 'malformedRequest'));
}

/** The kinds of credentials that a preauthorization names, sorted. */
function authorizedKinds(list: Json): CredentialKind[] {
  const name = "Invalid field 'authorized_credentials'";
  const malformed = (problem: string): RpcError =>
    new RpcError('malformedAuthorizedCredentials', { message: `${name}, ${problem}.` });
  if (!Array.isArray(list)) throw malformed('not array');
  if (list.length > MAX_CREDENTIALS) throw malformed('array too long');
  if (list.length === 0) throw malformed('array empty');
  const kinds = list.map((item: Json) => {
    if (!isObject(item)) throw malformed('not array of objects');
    for (const field of ['issuer', 'credential_type']) {
      if (item[field] !== undefined) continue;
      throw new RpcError('malformedAuthorizedCredentials', { message: `Missing field '${field}'.` });
    }
    return credentialKind(item, 'malformedAuthorizedCredentials');
  });
  const distinct = new Set(kinds.map(({ Issuer: issuer, CredentialType: type }) => issuer + type));
  if (distinct.size < kinds.length) throw malformed('not array');
  return sortedKinds(kinds);
}

function preauthKey(value: Json): string {
  if (!isObject(value)) return hashOf(value, 'malformedRequest', 64);
  const { authorized, authorized_credentials: credentials } = value;
  if ((authorized === undefined) === (credentials === undefined)) {
    const message = 'Must have exactly one of `authorized` and `authorized_credentials`.';
    throw new RpcError('malformedRequest', { message });
  }
  const owner = namedAccount(value, 'owner', 'malformedOwner');
  if (credentials !== undefined) return credentialPreauthIndex(owner, authorizedKinds(credentials));
  return depositPreauthIndex(owner, namedAccount(value, 'authorized', 'malformedAuthorized'));
}

function domainKey(value: Json): string {
  if (!isObject(value)) return hashOf(value, 'malformedRequest', 64);
  const owner = namedAccount(value, 'account', 'malformedAddress');
  const { seq } = value;
  if (seq === undefined) throw new RpcError('malformedRequest', { message: "Missing field 'seq'." });
  if (typeof seq === 'number' || (typeof seq === 'string' && /^\d+$/.test(seq))) {
    return permissionedDomainIndex(owner, Number(seq));
  }
  throw new RpcError('malformedRequest', { message: "Invalid field 'seq', not number." });
}

function escrowKey(value: Json): string {
  if (!isObject(value)) return hashOf(value, 'malformedRequest', 64);
  const missing = ['owner', 'seq'].find((name) => value[name] === undefined || value[name] === null);
  if (missing !== undefined) throw new RpcError('malformedRequest', { message: `Missing field '${missing}'.` });
  const owner = namedAccount(value, 'owner', 'malformedOwner');
  const sequence = Number(value.seq);
  if (/^\d+$/.test(String(value.seq)) && sequence <= 0xffffffff) return escrowIndex(owner, sequence);
  throw new RpcError('malformedSeq', { message: "Invalid field 'seq', not number." });
}

const ENTRY_SELECTORS: Readonly<Record<string, (value: Json) => string>> = {
  account_root: (value) => accountIndex(address(value)),
  credential: credentialKey,
  amendments: (value) => singleton(value, AMENDMENTS_INDEX),
  check: (value) => hashOf(value, 'malformedRequest', 64),
  deposit_preauth: preauthKey,
  permissioned_domain: domainKey,
  directory: (value) =>
    isObject(value) ? ownerDirectoryIndex(address(value.owner)) : hashOf(value, 'malformedRequest', 64),
  escrow: escrowKey,
  fee: (value) => singleton(value, FEE_SETTINGS_INDEX),
  hashes: (value) => singleton(value, RECENT_HASHES_INDEX),
  index: (value) => hashOf(value, 'malformedRequest', 64),
  mpt_issuance: (value) => issuanceIndex(hashOf(value, 'malformedMPTokenIssuance', 48)),
  mptoken: (value) =>
    isObject(value)
      ? mptokenIndex(hashOf(value.mpt_issuance_id ?? '', 'malformedRequest', 48), address(value.account))
      : hashOf(value, 'malformedRequest', 64),
  payment_channel: (value) => hashOf(value, 'malformedRequest', 64),
  ripple_state: rippleStateIndex,
  signer_list: (value) => (isAddressText(value) ? signerListIndex(value) : hashOf(value, 'malformedRequest', 64)),
  ticket: (value) => {
    if (!isObject(value)) return hashOf(value, 'malformedRequest', 64);
    if (typeof value.ticket_seq !== 'number') throw new RpcError('malformedRequest');
    return ticketIndex(address(value.account), value.ticket_seq);
  },
};

function isAddressText(value: Json): value is string {
  return typeof value === 'string' && isAddress(value);
}

/** `ledger_entry`: one entry by what identifies it, or by its index. */
export const ledgerEntry: Handler = (context, request) => {
  const selected = selectLedger(context, request);
  const selector = Object.keys(ENTRY_SELECTORS).find((name) => request[name] !== undefined);
  const toIndex = selector === undefined ? undefined : ENTRY_SELECTORS[selector];
  if (selector === undefined || !toIndex) {
    throw new RpcError('invalidParams', { message: 'No ledger_entry params provided.' });
  }
  const index = toIndex(request[selector] ?? null);
  const entry = selected.view.get(index);
  if (!entry) throw new RpcError('entryNotFound', { fields: { index, ...selected.fields } });
  return {
    index,
    ...(request.binary === true ? { node_binary: entryBlob(entry) } : { node: shownEntry(entry, index) }),
    ...selected.fields,
  };
};
