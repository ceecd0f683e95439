import { isMpt, type MptAmount } from '../entries.ts';
import { issuanceIndex, mptokenIndex } from '../keylets.ts';
import { isSuccess, type ResultName } from '../results.ts';
import { type ReadView, read } from '../state.ts';
import { verifyDeposit } from './depositAuth.ts';
import { heldOf, maximumOf, moveMpt, withoutTransferFee, withTransferFee } from './mptBalances.ts';
import { canTransferMpt, isMptLocked, requireMptAuth } from './mptRules.ts';
import { type ApplyContext, hasFlag, TF_PARTIAL_PAYMENT } from './types.ts';

function checkParties(view: ReadView, id: string, from: string, to: string): ResultName {
  for (const address of [from, to]) {
    const auth = requireMptAuth(view, id, address);
    if (!isSuccess(auth)) return auth;
  }
  return canTransferMpt(view, id, from, to);
}

/** Issues, redeems (burns) or transfers an MPT; the transfer fee between holders is burned. */
export function payMpt({ view, fields, account: root, deliver }: ApplyContext, amount: MptAmount): ResultName {
  const { Destination: to = '', SendMax: sendMax = amount, DeliverMin: deliverMin } = fields;
  const from = root.Account;
  const id = amount.mpt_issuance_id;
  const parties = checkParties(view, id, from, to);
  if (!isSuccess(parties)) return parties;
  const allowed = verifyDeposit(view, fields, to);
  if (!isSuccess(allowed)) return allowed;
  const issuance = read(view, 'MPTokenIssuance', issuanceIndex(id));
  if (!issuance) return 'tecOBJECT_NOT_FOUND';

  const betweenHolders = from !== issuance.Issuer && to !== issuance.Issuer;
  // A locked token can still be issued and redeemed.
  if (betweenHolders && (isMptLocked(view, id, from) || isMptLocked(view, id, to))) return 'tecLOCKED';
  const transferFee = betweenHolders ? (issuance.TransferFee ?? 0) : 0;
  const mostSent = BigInt(isMpt(sendMax) ? sendMax.value : '0');
  const wanted = BigInt(amount.value);
  const reduced = withTransferFee(wanted, transferFee) > mostSent;
  if (reduced && !hasFlag(fields, TF_PARTIAL_PAYMENT)) return 'tecPATH_PARTIAL';
  const delivered = reduced ? withoutTransferFee(mostSent, transferFee) : wanted;
  if (deliverMin !== undefined && isMpt(deliverMin) && delivered < BigInt(deliverMin.value)) return 'tecPATH_PARTIAL';

  const sent = withTransferFee(delivered, transferFee);
  if (from === issuance.Issuer) {
    if (BigInt(issuance.OutstandingAmount) + delivered > maximumOf(issuance)) return 'tecPATH_PARTIAL';
  } else {
    const token = read(view, 'MPToken', mptokenIndex(id, from));
    if (!token || heldOf(token) < sent) return 'tecPATH_PARTIAL';
  }
  moveMpt(view, id, { from, to, sent, delivered });
  if (delivered !== wanted) deliver({ ...amount, value: String(delivered) });
  return 'tesSUCCESS';
}
