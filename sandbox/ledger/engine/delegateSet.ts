import { type Delegate, UNTHREADED } from '../entries.ts';
import { delegateIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { type NetworkRules, reserveDrops } from '../rules.ts';
import type { TransactionFields } from '../transaction.ts';
import { isDelegable } from './delegation.ts';
import { addToDirectory, removeFromDirectory } from './directory.ts';
import type { TransactionType } from './types.ts';
import { account, type TransactionView } from './view.ts';

const MAX_PERMISSIONS = 10;

function preflight(
  { Account: owner, Authorize: delegate, Permissions: permissions = [] }: TransactionFields,
  rules: NetworkRules,
): ResultName {
  if (permissions.length > MAX_PERMISSIONS) return 'temARRAY_TOO_LARGE';
  if (owner === delegate) return 'temMALFORMED';
  const names = permissions.map(({ Permission: permission }) => permission.PermissionValue);
  if (new Set(names).size < names.length) return 'temMALFORMED';
  return names.every((name) => isDelegable(name, rules)) ? 'tesSUCCESS' : 'temMALFORMED';
}

/** Removes what one account granted another; it stands in the directories of both. */
export function removeDelegate(view: TransactionView, index: string, entry: Delegate): void {
  removeFromDirectory(view, entry.Account, entry.OwnerNode, index);
  if (entry.DestinationNode !== undefined) removeFromDirectory(view, entry.Authorize, entry.DestinationNode, index);
  const owner = view.editAccount(entry.Account);
  if (owner) owner.OwnerCount -= 1;
  view.erase(index);
}

/** DelegateSet: replaces what another account may do for the sender; an empty list takes all of it back. */
export const delegateSet: TransactionType = {
  flags: 0,
  preflight,
  preclaim({ view, fields }) {
    const { Authorize: delegate = '', Permissions: permissions = [] } = fields;
    if (!account(view, delegate)) return 'tecNO_TARGET';
    const takesBackNothing = permissions.length === 0 && !view.get(delegateIndex(fields.Account, delegate));
    return takesBackNothing ? 'tecNO_ENTRY' : 'tesSUCCESS';
  },
  apply({ view, fields, rules, account: root, priorBalanceDrops }) {
    const { Authorize: delegate = '', Permissions: permissions = [] } = fields;
    const index = delegateIndex(root.Account, delegate);
    const entry = view.edit('Delegate', index);
    if (entry) {
      if (permissions.length > 0) entry.Permissions = permissions;
      else removeDelegate(view, index, entry);
      return 'tesSUCCESS';
    }
    if (priorBalanceDrops < reserveDrops(rules, root.OwnerCount + 1)) return 'tecINSUFFICIENT_RESERVE';
    view.create(index, {
      LedgerEntryType: 'Delegate',
      Account: root.Account,
      Authorize: delegate,
      DestinationNode: addToDirectory(view, delegate, index),
      Flags: 0,
      OwnerNode: addToDirectory(view, root.Account, index),
      Permissions: permissions,
      ...UNTHREADED,
    });
    root.OwnerCount += 1;
    return 'tesSUCCESS';
  },
};
