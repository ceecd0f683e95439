import { isExpired, sortedKinds } from '../engine/credentialEntries.ts';
import { MAX_CREDENTIALS, mayDeposit } from '../engine/depositAuth.ts';
import { account } from '../engine/view.ts';
import { CREDENTIAL_ACCEPTED, type Credential, has } from '../entries.ts';
import type { Json, JsonObject } from '../json.ts';
import { credentialPreauthIndex, isAddress } from '../keylets.ts';
import { type ReadView, read } from '../state.ts';
import { expectedField, missingField } from './fields.ts';
import { selectLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

const badList = (problem: string): RpcError => expectedField('credentials', problem);

/** One of the two accounts of a request. */
function partyOf(request: JsonObject, name: string): string {
  const value = request[name];
  if (!(name in request)) throw missingField(name);
  if (typeof value !== 'string') throw expectedField(name, 'a string');
  if (!isAddress(value)) throw new RpcError('actMalformed');
  return value;
}

/** The keys of the credentials that a request names. */
function credentialIds(list: Json): string[] {
  if (!Array.isArray(list) || list.length === 0) throw badList('is non-empty array of CredentialID(hash256)');
  if (list.length > MAX_CREDENTIALS) throw badList('array too long');
  return list.map((id) => {
    if (typeof id === 'string' && /^[0-9A-F]{64}$/i.test(id)) return id.toUpperCase();
    throw badList('an array of CredentialID(hash256)');
  });
}

/** The kinds of these credentials, sorted, when the source could pay with them. */
function usableKinds(view: ReadView, ids: readonly string[], source: string, fields: JsonObject): Credential[] {
  const bad = (message: string): RpcError => new RpcError('badCredentials', { message, fields });
  const names = new Set<string>();
  const credentials = ids.map((id) => {
    const credential = read(view, 'Credential', id);
    if (!credential) throw bad("credentials don't exist");
    if (!has(credential.Flags, CREDENTIAL_ACCEPTED)) throw bad("credentials aren't accepted");
    if (isExpired(view, credential)) throw bad('credentials are expired');
    if (credential.Subject !== source) throw bad("credentials doesn't belong to the root account");
    const name = `${credential.Issuer} ${credential.CredentialType}`;
    if (names.has(name)) throw bad('duplicates in credentials');
    names.add(name);
    return credential;
  });
  return sortedKinds(credentials);
}

/** `deposit_authorized`: whether one account may pay another. */
export const depositAuthorized: Handler = (context, request) => {
  const source = partyOf(request, 'source_account');
  const destination = partyOf(request, 'destination_account');
  const { view, fields } = selectLedger(context, request);
  if (!account(view, source)) throw new RpcError('srcActNotFound', { fields });
  if (!account(view, destination)) throw new RpcError('dstActNotFound', { fields });
  const { credentials } = request;
  let authorized = mayDeposit(view, source, destination);
  if (credentials !== undefined) {
    const kinds = usableKinds(view, credentialIds(credentials), source, fields);
    authorized ||= view.get(credentialPreauthIndex(destination, kinds)) !== undefined;
  }
  return {
    ...(credentials === undefined ? {} : { credentials }),
    deposit_authorized: authorized,
    destination_account: destination,
    source_account: source,
    ...fields,
  };
};
