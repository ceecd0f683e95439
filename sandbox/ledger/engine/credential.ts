import {
  CREDENTIAL_ACCEPTED,
  type Credential,
  type CredentialKind,
  has,
  UNTHREADED,
  ZERO_ADDRESS,
} from '../entries.ts';
import { credentialIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { reserveDrops } from '../rules.ts';
import { read } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';
import { deleteCredential, isCredentialType, isExpired, removeExpired } from './credentialEntries.ts';
import { addToDirectory } from './directory.ts';
import { changeOwnerCount } from './lines.ts';
import type { TransactionType } from './types.ts';
import { account } from './view.ts';

/** The most bytes a credential's URI may have. */
const MAX_URI_BYTES = 256;

/** The credential that a transaction is about; its sender is whichever party the transaction does not name. */
function credentialOf(fields: TransactionFields): { subject: string; kind: CredentialKind; index: string } {
  const { Account: sender, Subject: subject = sender, Issuer: issuer = sender, CredentialType: type = '' } = fields;
  const kind = { Issuer: issuer, CredentialType: type };
  return { subject, kind, index: credentialIndex(subject, kind) };
}

const checkType = ({ CredentialType: type }: TransactionFields): ResultName =>
  isCredentialType(type) ? 'tesSUCCESS' : 'temMALFORMED';

/** CredentialCreate: the sender attests something of a subject, who may then accept it. Its own it accepts at once. */
export const credentialCreate: TransactionType = {
  flags: 0,
  preflight(fields) {
    const { Subject: subject, URI: uri } = fields;
    if (subject === undefined || subject === ZERO_ADDRESS) return 'temMALFORMED';
    if (uri !== undefined && (uri.length === 0 || uri.length > 2 * MAX_URI_BYTES)) return 'temMALFORMED';
    return checkType(fields);
  },
  preclaim({ view, fields }) {
    const { subject, index } = credentialOf(fields);
    if (!account(view, subject)) return 'tecNO_TARGET';
    return view.get(index) ? 'tecDUPLICATE' : 'tesSUCCESS';
  },
  apply({ view, fields, rules, account: issuer, priorBalanceDrops }) {
    const { subject, kind, index } = credentialOf(fields);
    const { Expiration: expiration, URI: uri } = fields;
    if (expiration !== undefined && view.parentCloseTime > expiration) return 'tecEXPIRED';
    if (priorBalanceDrops < reserveDrops(rules, issuer.OwnerCount + 1)) return 'tecINSUFFICIENT_RESERVE';
    const forItself = subject === issuer.Account;
    const credential: Credential = {
      LedgerEntryType: 'Credential',
      CredentialType: kind.CredentialType,
      ...(expiration === undefined ? {} : { Expiration: expiration }),
      Flags: forItself ? CREDENTIAL_ACCEPTED : 0,
      Issuer: issuer.Account,
      IssuerNode: addToDirectory(view, issuer.Account, index),
      Subject: subject,
      ...(forItself ? {} : { SubjectNode: addToDirectory(view, subject, index) }),
      ...(uri === undefined ? {} : { URI: uri }),
      ...UNTHREADED,
    };
    view.create(index, credential);
    issuer.OwnerCount += 1;
    return 'tesSUCCESS';
  },
};

/** CredentialAccept: the subject takes a credential, and its reserve over from the issuer. */
export const credentialAccept: TransactionType = {
  flags: 0,
  preflight: (fields) => (fields.Issuer === ZERO_ADDRESS ? 'temINVALID_ACCOUNT_ID' : checkType(fields)),
  preclaim({ view, fields }) {
    const { kind, index } = credentialOf(fields);
    if (!account(view, kind.Issuer)) return 'tecNO_ISSUER';
    const credential = read(view, 'Credential', index);
    if (!credential) return 'tecNO_ENTRY';
    return has(credential.Flags, CREDENTIAL_ACCEPTED) ? 'tecDUPLICATE' : 'tesSUCCESS';
  },
  apply({ view, fields, rules, account: subject, priorBalanceDrops }) {
    const { kind, index } = credentialOf(fields);
    if (priorBalanceDrops < reserveDrops(rules, subject.OwnerCount + 1)) return 'tecINSUFFICIENT_RESERVE';
    if (removeExpired(view, [index])) return 'tecEXPIRED';
    const credential = view.edit('Credential', index);
    if (!credential) return 'tecNO_ENTRY';
    credential.Flags = CREDENTIAL_ACCEPTED;
    changeOwnerCount(view, kind.Issuer, -1);
    subject.OwnerCount += 1;
    return 'tesSUCCESS';
  },
};

/** CredentialDelete: issuer or subject ends a credential; anybody may clear away an expired one. */
export const credentialDelete: TransactionType = {
  flags: 0,
  preflight(fields) {
    const { Subject: subject, Issuer: issuer } = fields;
    if (subject === undefined && issuer === undefined) return 'temMALFORMED';
    if (subject === ZERO_ADDRESS || issuer === ZERO_ADDRESS) return 'temINVALID_ACCOUNT_ID';
    return checkType(fields);
  },
  preclaim: ({ view, fields }) => (view.get(credentialOf(fields).index) ? 'tesSUCCESS' : 'tecNO_ENTRY'),
  apply({ view, fields, account: sender }) {
    const { subject, kind, index } = credentialOf(fields);
    const credential = read(view, 'Credential', index);
    if (!credential) return 'tecNO_ENTRY';
    const isParty = subject === sender.Account || kind.Issuer === sender.Account;
    if (!isParty && !isExpired(view, credential)) return 'tecNO_PERMISSION';
    deleteCredential(view, index);
    return 'tesSUCCESS';
  },
};
