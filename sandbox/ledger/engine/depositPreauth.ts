import { type DepositPreauth, UNTHREADED, ZERO_ADDRESS } from '../entries.ts';
import { credentialPreauthIndex, depositPreauthIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { reserveDrops } from '../rules.ts';
import type { TransactionFields } from '../transaction.ts';
import { checkCredentialList, sortedKinds } from './credentialEntries.ts';
import { MAX_CREDENTIALS } from './depositAuth.ts';
import { addToDirectory, removeFromDirectory } from './directory.ts';
import type { ApplyContext, TransactionType } from './types.ts';
import { account } from './view.ts';

/** Whom the transaction lets in or keeps out: one account, or everybody with a set of credentials. */
function groupOf(fields: TransactionFields): {
  index: string;
  shown: Pick<DepositPreauth, 'Authorize' | 'AuthorizeCredentials'>;
} {
  const { Account: owner, AuthorizeCredentials: added, UnauthorizeCredentials: removed } = fields;
  const items = added ?? removed;
  if (items === undefined) {
    const address = fields.Authorize ?? fields.Unauthorize ?? '';
    return { index: depositPreauthIndex(owner, address), shown: { Authorize: address } };
  }
  const kinds = sortedKinds(items.map(({ Credential: kind }) => kind));
  return {
    index: credentialPreauthIndex(owner, kinds),
    shown: { AuthorizeCredentials: kinds.map((kind) => ({ Credential: kind })) },
  };
}

function preflight(fields: TransactionFields): ResultName {
  const { Authorize: authorized, Unauthorize: unauthorized } = fields;
  const items = fields.AuthorizeCredentials ?? fields.UnauthorizeCredentials;
  const wishes = [authorized, unauthorized, fields.AuthorizeCredentials, fields.UnauthorizeCredentials];
  if (wishes.filter((wish) => wish !== undefined).length !== 1) return 'temMALFORMED';
  if (items) return checkCredentialList(items, MAX_CREDENTIALS);
  if ((authorized ?? unauthorized) === ZERO_ADDRESS) return 'temINVALID_ACCOUNT_ID';
  return authorized === fields.Account ? 'temCANNOT_PREAUTH_SELF' : 'tesSUCCESS';
}

function authorize({ view, fields, rules, account: root, priorBalanceDrops }: ApplyContext): ResultName {
  if (priorBalanceDrops < reserveDrops(rules, root.OwnerCount + 1)) return 'tecINSUFFICIENT_RESERVE';
  const { index, shown } = groupOf(fields);
  view.create(index, {
    LedgerEntryType: 'DepositPreauth',
    Account: root.Account,
    ...shown,
    Flags: 0,
    OwnerNode: addToDirectory(view, root.Account, index),
    ...UNTHREADED,
  });
  root.OwnerCount += 1;
  return 'tesSUCCESS';
}

function unauthorize({ view, fields, account: root }: ApplyContext): ResultName {
  const { index } = groupOf(fields);
  const entry = view.edit('DepositPreauth', index);
  if (!entry) return 'tecNO_ENTRY';
  removeFromDirectory(view, root.Account, entry.OwnerNode, index);
  view.erase(index);
  root.OwnerCount -= 1;
  return 'tesSUCCESS';
}

/** Whether the transaction lets somebody in (or else keeps somebody out). */
const lets = ({ Authorize: authorized, AuthorizeCredentials: credentials }: TransactionFields): boolean =>
  authorized !== undefined || credentials !== undefined;

/**
 * DepositPreauth: lets one account, or everybody with certain credentials, pay a sender that otherwise takes no
 * payments, or stops that.
 */
export const depositPreauth: TransactionType = {
  flags: 0,
  preflight,
  preclaim({ view, fields }) {
    const { Authorize: authorized, AuthorizeCredentials: items = [] } = fields;
    const known = view.get(groupOf(fields).index) !== undefined;
    if (!lets(fields)) return known ? 'tesSUCCESS' : 'tecNO_ENTRY';
    if (authorized !== undefined && !account(view, authorized)) return 'tecNO_TARGET';
    if (!items.every(({ Credential: kind }) => account(view, kind.Issuer))) return 'tecNO_ISSUER';
    return known ? 'tecDUPLICATE' : 'tesSUCCESS';
  },
  apply: (context) => (lets(context.fields) ? authorize(context) : unauthorize(context)),
};
