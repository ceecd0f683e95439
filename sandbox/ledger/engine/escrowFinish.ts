import { type IssuedAmount, isIssued, isMpt, type MptAmount } from '../entries.ts';
import { isSuccess, type ResultName } from '../results.ts';
import type { ReadView } from '../state.ts';
import { fulfills } from './cryptoCondition.ts';
import { checkCredentialIds, checkCredentials, verifyDeposit } from './depositAuth.ts';
import { endEscrow, namedEscrow } from './escrowEntries.ts';
import { issuerOf } from './escrowTokens.ts';
import { isMptLocked, requireWeakMptAuth } from './mptRules.ts';
import { PARITY } from './paths/quantity.ts';
import { isDeepFrozen, requireAuth } from './paths/transfers.ts';
import type { TransactionType } from './types.ts';

/** What checking a fulfillment costs: this many times the base fee, and once more for so many bytes of it. */
const FULFILLMENT_BASE_FEES = 32n;
const BYTES_FOR_A_BASE_FEE = 16;

function preclaimIssued(view: ReadView, amount: IssuedAmount, to: string): ResultName {
  const auth = requireAuth(view, to, amount);
  if (!isSuccess(auth)) return auth;
  return isDeepFrozen(view, to, amount) ? 'tecFROZEN' : 'tesSUCCESS';
}

function preclaimMpt(view: ReadView, amount: MptAmount, to: string): ResultName {
  const { mpt_issuance_id: id } = amount;
  if (issuerOf(amount) === to) return 'tesSUCCESS';
  const auth = requireWeakMptAuth(view, id, to);
  if (!isSuccess(auth)) return auth;
  return isMptLocked(view, id, to) ? 'tecLOCKED' : 'tesSUCCESS';
}

/** EscrowFinish: gives what is in escrow to its destination. Anybody may send it, once time and condition allow it. */
export const escrowFinish: TransactionType = {
  flags: 0,
  baseFeeDrops({ baseFeeDrops }, { Fulfillment: fulfillment }) {
    if (fulfillment === undefined) return baseFeeDrops;
    const sizeFees = BigInt(Math.floor(fulfillment.length / 2 / BYTES_FOR_A_BASE_FEE));
    return baseFeeDrops * (1n + FULFILLMENT_BASE_FEES + sizeFees);
  },
  preflight(fields) {
    if ((fields.Condition === undefined) !== (fields.Fulfillment === undefined)) return 'temMALFORMED';
    return checkCredentialIds(fields);
  },
  preclaim({ view, fields }) {
    const credentials = checkCredentials(view, fields);
    if (!isSuccess(credentials)) return credentials;
    const { escrow } = namedEscrow(view, fields);
    if (!escrow) return 'tecNO_TARGET';
    const { Amount: amount, Destination: to } = escrow;
    if (isIssued(amount)) return preclaimIssued(view, amount, to);
    return isMpt(amount) ? preclaimMpt(view, amount, to) : 'tesSUCCESS';
  },
  apply(context) {
    const { view, fields } = context;
    const { Condition: condition, Fulfillment: fulfillment } = fields;
    const { index, escrow } = namedEscrow(view, fields);
    if (!escrow) return 'tecNO_TARGET';
    const now = view.parentCloseTime;
    if (escrow.FinishAfter !== undefined && now <= escrow.FinishAfter) return 'tecNO_PERMISSION';
    if (escrow.CancelAfter !== undefined && now > escrow.CancelAfter) return 'tecNO_PERMISSION';
    // Nor may there be a condition that the escrow was not made with.
    if (condition !== escrow.Condition) return 'tecCRYPTOCONDITION_ERROR';
    if (condition !== undefined && !fulfills(fulfillment ?? '', condition)) return 'tecCRYPTOCONDITION_ERROR';
    const receiver = view.editAccount(escrow.Destination);
    if (!receiver) return 'tecNO_DST';
    const allowed = verifyDeposit(view, fields, escrow.Destination);
    if (!isSuccess(allowed)) return allowed;
    // Also on the way to oneself, as between any two holders.
    return endEscrow(context, { index, escrow, receiver, lockedRate: escrow.TransferRate ?? PARITY });
  },
};
