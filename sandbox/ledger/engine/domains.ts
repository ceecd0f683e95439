import { CREDENTIAL_ACCEPTED, type Credential, has } from '../entries.ts';
import { credentialIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { type ReadView, read } from '../state.ts';
import { isExpired } from './credentialEntries.ts';

/** The credentials of an account that a permissioned domain accepts; undefined when there is no such domain. */
function acceptedCredentials(view: ReadView, domainId: string, address: string): Credential[] | undefined {
  const domain = read(view, 'PermissionedDomain', domainId);
  return domain?.AcceptedCredentials.flatMap(
    ({ Credential: kind }) => read(view, 'Credential', credentialIndex(address, kind)) ?? [],
  );
}

/**
 * Whether an account may trade in a permissioned domain: as its owner, or with an accepted credential that has not
 * expired. Offers and payments with a DomainID require it of every account that takes part.
 */
export function isInDomain(view: ReadView, domainId: string, address: string): boolean {
  if (read(view, 'PermissionedDomain', domainId)?.Owner === address) return true;
  const credentials = acceptedCredentials(view, domainId, address) ?? [];
  return credentials.some((credential) => has(credential.Flags, CREDENTIAL_ACCEPTED) && !isExpired(view, credential));
}

/**
 * Whether an account is a member of a domain by a credential, as a token asks that names the domain: the domain's owner
 * is none without. tecEXPIRED says that a credential would do if it had not expired.
 */
export function checkMembership(view: ReadView, domainId: string, address: string): ResultName {
  const credentials = acceptedCredentials(view, domainId, address);
  if (!credentials) return 'tecOBJECT_NOT_FOUND';
  const current = credentials.filter((credential) => !isExpired(view, credential));
  if (current.some(({ Flags: flags }) => has(flags, CREDENTIAL_ACCEPTED))) return 'tesSUCCESS';
  return current.length < credentials.length ? 'tecEXPIRED' : 'tecNO_AUTH';
}
