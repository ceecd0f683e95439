import { UNTHREADED, ZERO_HASH } from '../entries.ts';
import { permissionedDomainIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { reserveDrops } from '../rules.ts';
import { read } from '../state.ts';
import { sequenceKey } from '../transaction.ts';
import { checkCredentialList, sortedKinds } from './credentialEntries.ts';
import { addToDirectory, removeFromDirectory } from './directory.ts';
import type { PreclaimContext, TransactionType } from './types.ts';
import { account } from './view.ts';

/** The most credentials that a domain may accept. */
const MAX_ACCEPTED = 10;

/** Only its owner may change or delete a domain. */
function checkOwner({ view, fields }: PreclaimContext, domainId: string): ResultName {
  const domain = read(view, 'PermissionedDomain', domainId);
  if (!domain) return 'tecNO_ENTRY';
  return domain.Owner === fields.Account ? 'tesSUCCESS' : 'tecNO_PERMISSION';
}

/** PermissionedDomainSet: a new domain, or other accepted credentials for one of the sender's. */
export const permissionedDomainSet: TransactionType = {
  flags: 0,
  preflight({ AcceptedCredentials: items = [], DomainID: domainId }) {
    const list = checkCredentialList(items, MAX_ACCEPTED);
    return list === 'tesSUCCESS' && domainId === ZERO_HASH ? 'temMALFORMED' : list;
  },
  preclaim(context) {
    const { AcceptedCredentials: items = [], DomainID: domainId } = context.fields;
    if (!items.every(({ Credential: kind }) => account(context.view, kind.Issuer))) return 'tecNO_ISSUER';
    return domainId === undefined ? 'tesSUCCESS' : checkOwner(context, domainId);
  },
  apply({ view, fields, rules, account: owner }) {
    const { AcceptedCredentials: items = [], DomainID: domainId } = fields;
    const accepted = sortedKinds(items.map(({ Credential: kind }) => kind)).map((kind) => ({ Credential: kind }));
    if (domainId !== undefined) {
      const domain = view.edit('PermissionedDomain', domainId);
      if (domain) domain.AcceptedCredentials = accepted;
      return 'tesSUCCESS';
    }
    // Unlike other types, this one measures the reserve against what is left after the fee.
    if (BigInt(owner.Balance) < reserveDrops(rules, owner.OwnerCount + 1)) return 'tecINSUFFICIENT_RESERVE';
    const { value: sequence } = sequenceKey(fields);
    const index = permissionedDomainIndex(owner.Account, sequence);
    view.create(index, {
      LedgerEntryType: 'PermissionedDomain',
      AcceptedCredentials: accepted,
      Flags: 0,
      Owner: owner.Account,
      OwnerNode: addToDirectory(view, owner.Account, index),
      Sequence: sequence,
      ...UNTHREADED,
    });
    owner.OwnerCount += 1;
    return 'tesSUCCESS';
  },
};

/** PermissionedDomainDelete: ends a domain of the sender's; offers in it stay, but nothing can be traded there. */
export const permissionedDomainDelete: TransactionType = {
  flags: 0,
  preflight: ({ DomainID: domainId }) => (domainId === ZERO_HASH ? 'temMALFORMED' : 'tesSUCCESS'),
  preclaim: (context) => checkOwner(context, context.fields.DomainID ?? ''),
  apply({ view, fields, account: owner }) {
    const { DomainID: index = '' } = fields;
    const domain = read(view, 'PermissionedDomain', index);
    if (!domain) return 'tecNO_ENTRY';
    removeFromDirectory(view, owner.Account, domain.OwnerNode, index, true);
    view.erase(index);
    owner.OwnerCount -= 1;
    return 'tesSUCCESS';
  },
};
