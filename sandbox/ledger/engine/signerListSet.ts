import { type AccountRoot, has, LSF, type SignerEntry, UNTHREADED } from '../entries.ts';
import { accountIdHex, signerListIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { reserveDrops } from '../rules.ts';
import type { TransactionFields } from '../transaction.ts';
import { addToDirectory, removeFromDirectory } from './directory.ts';
import type { TransactionType } from './types.ts';
import type { TransactionView } from './view.ts';

const MAX_SIGNERS = 32;
/** The list counts as one owned object, whatever its length. */
const ONE_OWNER_COUNT = 0x00010000;

/** The entries in the order in which a list keeps them. */
const sorted = (entries: readonly SignerEntry[]): SignerEntry[] =>
  [...entries].sort((a, b) => (accountIdHex(a.SignerEntry.Account) < accountIdHex(b.SignerEntry.Account) ? -1 : 1));

function preflight({
  Account: owner,
  SignerQuorum: quorum = 0,
  SignerEntries: entries,
}: TransactionFields): ResultName {
  if (quorum === 0) return entries === undefined ? 'tesSUCCESS' : 'temMALFORMED';
  if (entries === undefined || entries.length === 0 || entries.length > MAX_SIGNERS) return 'temMALFORMED';
  const signers = sorted(entries).map(({ SignerEntry: entry }) => entry);
  if (new Set(signers.map((signer) => signer.Account)).size < signers.length) return 'temBAD_SIGNER';
  for (const signer of signers) {
    if (signer.SignerWeight === 0) return 'temBAD_WEIGHT';
    if (signer.Account === owner) return 'temBAD_SIGNER';
  }
  const reachable = signers.reduce((sum, signer) => sum + signer.SignerWeight, 0);
  return quorum > reachable ? 'temBAD_QUORUM' : 'tesSUCCESS';
}

/** Removes the account's signer list, if it has one. */
export function removeSignerList(view: TransactionView, root: AccountRoot): void {
  const index = signerListIndex(root.Account);
  const list = view.edit('SignerList', index);
  if (!list) return;
  removeFromDirectory(view, root.Account, list.OwnerNode, index);
  view.erase(index);
  root.OwnerCount -= 1;
}

/** SignerListSet: replaces or, with quorum 0, removes the list of multi-signers. */
export const signerListSet: TransactionType = {
  flags: 0,
  preflight,
  apply({ view, fields, rules, account: root, priorBalanceDrops }) {
    if (!fields.SignerQuorum) {
      if (has(root.Flags, LSF.disableMaster) && !root.RegularKey) return 'tecNO_ALTERNATIVE_KEY';
      removeSignerList(view, root);
      return 'tesSUCCESS';
    }
    removeSignerList(view, root);
    if (priorBalanceDrops < reserveDrops(rules, root.OwnerCount + 1)) return 'tecINSUFFICIENT_RESERVE';
    const index = signerListIndex(root.Account);
    view.create(index, {
      LedgerEntryType: 'SignerList',
      Flags: ONE_OWNER_COUNT,
      Owner: root.Account,
      OwnerNode: addToDirectory(view, root.Account, index),
      SignerEntries: sorted(fields.SignerEntries ?? []),
      SignerListID: 0,
      SignerQuorum: fields.SignerQuorum,
      ...UNTHREADED,
    });
    root.OwnerCount += 1;
    return 'tesSUCCESS';
  },
};
