import { UNTHREADED } from '../entries.ts';
import { depositPreauthIndex } from '../keylets.ts';
import { reserveDrops } from '../rules.ts';
import { addToDirectory, removeFromDirectory } from './directory.ts';
import type { TransactionType } from './types.ts';
import { account } from './view.ts';

/** DepositPreauth: lets one account pay a sender that otherwise takes no payments, or stops that. */
export const depositPreauth: TransactionType = {
  flags: 0,
  preflight(fields) {
    if ((fields.Authorize === undefined) === (fields.Unauthorize === undefined)) return 'temMALFORMED';
    return fields.Authorize === fields.Account ? 'temCANNOT_PREAUTH_SELF' : 'tesSUCCESS';
  },
  preclaim({ view, fields }) {
    const { Account: owner, Authorize: authorized, Unauthorize: unauthorized } = fields;
    if (authorized !== undefined) {
      if (!account(view, authorized)) return 'tecNO_TARGET';
      return view.get(depositPreauthIndex(owner, authorized)) ? 'tecDUPLICATE' : 'tesSUCCESS';
    }
    return view.get(depositPreauthIndex(owner, unauthorized ?? '')) ? 'tesSUCCESS' : 'tecNO_ENTRY';
  },
  apply({ view, fields, rules, account: root, priorBalanceDrops }) {
    const { Authorize: authorized, Unauthorize: unauthorized } = fields;
    if (authorized === undefined) {
      const index = depositPreauthIndex(root.Account, unauthorized ?? '');
      const entry = view.edit('DepositPreauth', index);
      if (!entry) return 'tecNO_ENTRY';
      removeFromDirectory(view, root.Account, entry.OwnerNode, index);
      view.erase(index);
      root.OwnerCount -= 1;
      return 'tesSUCCESS';
    }
    if (priorBalanceDrops < reserveDrops(rules, root.OwnerCount + 1)) return 'tecINSUFFICIENT_RESERVE';
    const index = depositPreauthIndex(root.Account, authorized);
    view.create(index, {
      LedgerEntryType: 'DepositPreauth',
      Account: root.Account,
      Authorize: authorized,
      Flags: 0,
      OwnerNode: addToDirectory(view, root.Account, index),
      ...UNTHREADED,
    });
    root.OwnerCount += 1;
    return 'tesSUCCESS';
  },
};
