import {
  CREDENTIAL_ACCEPTED,
  type Credential,
  type CredentialItem,
  type CredentialKind,
  has,
  ZERO_ADDRESS,
} from '../entries.ts';
import { accountIdHex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { type ReadView, read } from '../state.ts';
import { removeFromDirectory } from './directory.ts';
import { changeOwnerCount } from './lines.ts';
import type { TransactionView } from './view.ts';

/** The most bytes a CredentialType may have. */
const MAX_TYPE_BYTES = 64;

/** Whether a CredentialType (hex) is of a possible length. */
export function isCredentialType(typeHex: string | undefined): boolean {
  return typeHex !== undefined && typeHex.length > 0 && typeHex.length <= 2 * MAX_TYPE_BYTES;
}

/** Whether a credential has expired in that ledger. */
export function isExpired(view: ReadView, { Expiration: expiration }: Credential): boolean {
  return expiration !== undefined && view.parentCloseTime > expiration;
}

const sortKey = ({ Issuer: issuer, CredentialType: type }: CredentialKind): string =>
  accountIdHex(issuer) + type.toUpperCase();

/** Credentials in the order in which the ledger keeps them: by issuer, then type. */
export function sortedKinds<T extends CredentialKind>(kinds: readonly T[]): T[] {
  return [...kinds].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

/** Whether a list of credentials in a transaction is a set of at least one and at most `most`, each well-formed. */
export function checkCredentialList(items: readonly CredentialItem[], most: number): ResultName {
  if (items.length === 0) return 'temARRAY_EMPTY';
  if (items.length > most) return 'temARRAY_TOO_LARGE';
  const seen = new Set<string>();
  for (const { Credential: kind } of items) {
    if (kind.Issuer === ZERO_ADDRESS) return 'temINVALID_ACCOUNT_ID';
    if (!isCredentialType(kind.CredentialType) || seen.has(sortKey(kind))) return 'temMALFORMED';
    seen.add(sortKey(kind));
  }
  return 'tesSUCCESS';
}

/** Removes a credential from the ledger and both directories; who holds the reserve for it gets it back. */
export function deleteCredential(view: TransactionView, index: string): void {
  const credential = read(view, 'Credential', index);
  if (!credential) return;
  const { Issuer: issuer, Subject: subject } = credential;
  removeFromDirectory(view, issuer, credential.IssuerNode, index);
  if (subject !== issuer) removeFromDirectory(view, subject, credential.SubjectNode ?? '0', index);
  changeOwnerCount(view, has(credential.Flags, CREDENTIAL_ACCEPTED) ? subject : issuer, -1);
  view.erase(index);
}

/** Removes those of the credentials that have expired, and says whether there was one. */
export function removeExpired(view: TransactionView, indexes: readonly string[]): boolean {
  const expired = indexes.filter((index) => {
    const credential = read(view, 'Credential', index);
    return credential !== undefined && isExpired(view, credential);
  });
  for (const index of expired) deleteCredential(view, index);
  return expired.length > 0;
}
