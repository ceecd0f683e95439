import { type Entry, has, LSF } from '../entries.ts';
import { accountIndex, ownerDirectoryIndex } from '../keylets.ts';
import { isSuccess } from '../results.ts';
import { deleteCredential } from './credentialEntries.ts';
import { removeDelegate } from './delegateSet.ts';
import { checkCredentialIds, checkCredentials, mayDeposit, verifyDeposit } from './depositAuth.ts';
import { ownedIndexes, ownsNothing, removeFromDirectory } from './directory.ts';
import { removeOffer } from './offers.ts';
import { oracleOwnerCount } from './oracle.ts';
import { creditXrp } from './payXrp.ts';
import type { TransactionType } from './types.ts';
import { account } from './view.ts';

/** An account must be this many ledgers old, so that its old transactions cannot be replayed after a rebirth. */
const MIN_AGE_LEDGERS = 255;
const MAX_OWNED = 1000;

/** These stand in the directories of two accounts, and go with either. */
const STANDS_WITH_TWO: ReadonlySet<string> = new Set(['Credential', 'Delegate']);

/** What goes with its owner; anything else is an obligation to somebody. */
function isDisposable(entry: Entry): entry is Extract<Entry, { OwnerNode: string }> {
  return (
    entry.LedgerEntryType === 'Offer' ||
    entry.LedgerEntryType === 'Ticket' ||
    entry.LedgerEntryType === 'SignerList' ||
    entry.LedgerEntryType === 'DepositPreauth' ||
    entry.LedgerEntryType === 'DID' ||
    entry.LedgerEntryType === 'Oracle'
  );
}

/** AccountDelete: removes the sender and pays what is left to the destination. Costs an owner reserve. */
export const accountDelete: TransactionType = {
  flags: 0,
  wholeCostDrops: (rules) => rules.reserveIncDrops,
  preflight: (fields) => (fields.Account === fields.Destination ? 'temDST_IS_SRC' : checkCredentialIds(fields)),
  preclaim({ view, fields }) {
    const root = account(view, fields.Account);
    const receiver = account(view, fields.Destination ?? '');
    if (!receiver) return 'tecNO_DST';
    if (has(receiver.Flags, LSF.requireDestTag) && fields.DestinationTag === undefined) return 'tecDST_TAG_NEEDED';
    const credentials = checkCredentials(view, fields);
    if (!isSuccess(credentials)) return credentials;
    // Credentials are looked at in `apply`, which can clear expired ones away.
    const needsNone = fields.CredentialIDs !== undefined || mayDeposit(view, fields.Account, receiver.Account);
    if (!needsNone) return 'tecNO_PERMISSION';
    if (!root || root.Sequence + MIN_AGE_LEDGERS > view.ledgerIndex) return 'tecTOO_SOON';
    let owned = 0;
    for (const { index } of ownedIndexes(view, root.Account)) {
      const entry = view.get(index);
      if (entry && !isDisposable(entry) && !STANDS_WITH_TWO.has(entry.LedgerEntryType)) return 'tecHAS_OBLIGATIONS';
      owned += 1;
      if (owned > MAX_OWNED) return 'tefTOO_BIG';
    }
    return 'tesSUCCESS';
  },
  apply({ view, fields, account: root, deliver }) {
    const allowed = fields.CredentialIDs ? verifyDeposit(view, fields, fields.Destination ?? '') : 'tesSUCCESS';
    if (!isSuccess(allowed)) return allowed;
    for (const { index } of [...ownedIndexes(view, root.Account)]) {
      const entry = view.get(index);
      if (entry?.LedgerEntryType === 'Delegate') {
        removeDelegate(view, index, entry);
        continue;
      }
      if (entry?.LedgerEntryType === 'Credential') {
        deleteCredential(view, index);
        continue;
      }
      if (!entry || !isDisposable(entry)) return 'tecHAS_OBLIGATIONS';
      if (entry.LedgerEntryType === 'Offer') {
        removeOffer(view, index);
        continue;
      }
      removeFromDirectory(view, root.Account, entry.OwnerNode, index);
      view.erase(index);
      root.OwnerCount -= entry.LedgerEntryType === 'Oracle' ? oracleOwnerCount(entry) : 1;
    }
    if (ownsNothing(view, root.Account)) view.erase(ownerDirectoryIndex(root.Account));
    delete root.TicketCount;
    const receiver = view.editAccount(fields.Destination ?? '');
    if (!receiver) return 'tecNO_DST';
    const leftDrops = root.Balance;
    if (leftDrops !== '0') creditXrp(view, receiver.Account, BigInt(leftDrops));
    root.Balance = '0';
    deliver(leftDrops);
    view.erase(accountIndex(root.Account));
    return 'tesSUCCESS';
  },
};
