import { isIssued } from '../entries.ts';
import { endEscrow, namedEscrow } from './escrowEntries.ts';
import { requireWeakMptAuth } from './mptRules.ts';
import { PARITY } from './paths/quantity.ts';
import { requireAuth } from './paths/transfers.ts';
import type { TransactionType } from './types.ts';

/** EscrowCancel: gives what is in escrow back to its owner. Anybody may send it, once its CancelAfter is past. */
export const escrowCancel: TransactionType = {
  flags: 0,
  preclaim({ view, fields }) {
    const { escrow } = namedEscrow(view, fields);
    if (!escrow) return 'tecNO_TARGET';
    const { Account: owner, Amount: amount } = escrow;
    if (typeof amount === 'string') return 'tesSUCCESS';
    return isIssued(amount)
      ? requireAuth(view, owner, amount)
      : requireWeakMptAuth(view, amount.mpt_issuance_id, owner);
  },
  apply(context) {
    const { view, fields } = context;
    const { index, escrow } = namedEscrow(view, fields);
    if (!escrow) return 'tecNO_TARGET';
    if (escrow.CancelAfter === undefined || view.parentCloseTime <= escrow.CancelAfter) return 'tecNO_PERMISSION';
    const owner = view.editAccount(escrow.Account);
    return owner ? endEscrow(context, { index, escrow, receiver: owner, lockedRate: PARITY }) : 'tecINTERNAL';
  },
};
