import { type AccountRoot, has, LSF, withFlag } from '../entries.ts';
import { signerListIndex } from '../keylets.ts';
import { signedByMaster } from './signature.ts';
import type { TransactionType } from './types.ts';
import { account } from './view.ts';

/** An account whose master key signs may change its regular key for free, once until it is paid again. */
function isFree(root: AccountRoot | undefined, byMaster: boolean): boolean {
  return byMaster && root !== undefined && !has(root.Flags, LSF.passwordSpent);
}

/** SetRegularKey: sets or removes the second key of the sender's account. */
export const setRegularKey: TransactionType = {
  flags: 0,
  wholeCostDrops: (_rules, fields, view) =>
    isFree(account(view, fields.Account), signedByMaster(fields)) ? 0n : undefined,
  preflight: (fields) => (fields.RegularKey === fields.Account ? 'temBAD_REGKEY' : 'tesSUCCESS'),
  apply({ view, fields, account: root, signedByMaster: byMaster }) {
    if (isFree(root, byMaster)) root.Flags = withFlag(root.Flags, LSF.passwordSpent);
    if (fields.RegularKey !== undefined) {
      root.RegularKey = fields.RegularKey;
      return 'tesSUCCESS';
    }
    // Without a master key, a regular key or a signer list, nobody could sign for the account again.
    if (has(root.Flags, LSF.disableMaster) && !view.get(signerListIndex(root.Account))) return 'tecNO_ALTERNATIVE_KEY';
    delete root.RegularKey;
    return 'tesSUCCESS';
  },
};
