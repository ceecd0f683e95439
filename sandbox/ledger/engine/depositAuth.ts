import { CREDENTIAL_ACCEPTED, has, LSF } from '../entries.ts';
import { credentialPreauthIndex, depositPreauthIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { type ReadView, read } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';
import { removeExpired, sortedKinds } from './credentialEntries.ts';
import { account, type TransactionView } from './view.ts';

/** The most credentials that a transaction or a preauthorization may name. */
export const MAX_CREDENTIALS = 8;

/** Whether deposit authorization lets `source` pay `destination` without any credentials. */
export function mayDeposit(view: ReadView, source: string, destination: string): boolean {
  const root = account(view, destination);
  if (!root || source === destination || !has(root.Flags, LSF.depositAuth)) return true;
  return view.get(depositPreauthIndex(destination, source)) !== undefined;
}

/** For `preflight`: CredentialIDs, where they are given, are one to eight different ones. */
export function checkCredentialIds({ CredentialIDs: ids }: TransactionFields): ResultName {
  if (ids === undefined) return 'tesSUCCESS';
  const isSet = ids.length > 0 && ids.length <= MAX_CREDENTIALS && new Set(ids).size === ids.length;
  return isSet ? 'tesSUCCESS' : 'temMALFORMED';
}

/** For `preclaim`: each of CredentialIDs is the sender's own and accepted. `verifyDeposit` finds the expired ones. */
export function checkCredentials(view: ReadView, fields: TransactionFields): ResultName {
  const { Account: subject, CredentialIDs: ids = [] } = fields;
  const areGood = ids.every((id) => {
    const credential = read(view, 'Credential', id);
    return credential?.Subject === subject && has(credential.Flags, CREDENTIAL_ACCEPTED);
  });
  return areGood ? 'tesSUCCESS' : 'tecBAD_CREDENTIALS';
}

/** Whether `destination` authorized everybody with exactly these credentials, given by their keys. */
function areAuthorized(view: ReadView, ids: readonly string[], destination: string): boolean {
  const credentials = ids.flatMap((id) => read(view, 'Credential', id) ?? []);
  return view.get(credentialPreauthIndex(destination, sortedKinds(credentials))) !== undefined;
}

/**
 * `verifyDeposit`: whether the sender may deposit at `destination`, by its account or by CredentialIDs. Every type that
 * delivers something calls it in `apply` (Payment, EscrowFinish, PaymentChannelClaim, AccountDelete), after
 * `checkCredentialIds` in `preflight` and `checkCredentials` in `preclaim`. Removes the named credentials that expired
 * and then answers tecEXPIRED, with which the engine lets the removal stand. Source: the XRP Ledger's reference on
 * deposit authorization and credentials.
 */
export function verifyDeposit(view: TransactionView, fields: TransactionFields, destination: string): ResultName {
  const { Account: source, CredentialIDs: ids } = fields;
  if (ids && removeExpired(view, ids)) return 'tecEXPIRED';
  if (mayDeposit(view, source, destination)) return 'tesSUCCESS';
  return ids && areAuthorized(view, ids, destination) ? 'tesSUCCESS' : 'tecNO_PERMISSION';
}
