import { has, isMpt, MPT, type MPTokenIssuance, type MptAmount } from '../entries.ts';
import { issuanceIndex, mptokenIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { type ReadView, read } from '../state.ts';
import { heldOf, maximumOf, moveMpt, withoutTransferFee, withTransferFee } from './mptBalances.ts';
import { type ApplyContext, hasFlag, TF_PARTIAL_PAYMENT } from './types.ts';

/** Whether an account may hold the token at all. */
function checkHolder(view: ReadView, issuance: MPTokenIssuance, id: string, address: string): ResultName {
  if (address === issuance.Issuer) return 'tesSUCCESS';
  const token = read(view, 'MPToken', mptokenIndex(id, address));
  if (!token) return 'tecNO_AUTH';
  const needsAuth = has(issuance.Flags, MPT.requireAuth);
  return needsAuth && !has(token.Flags, MPT.authorized) ? 'tecNO_AUTH' : 'tesSUCCESS';
}

function isLocked(view: ReadView, issuance: MPTokenIssuance, id: string, address: string): boolean {
  const token = read(view, 'MPToken', mptokenIndex(id, address));
  return has(issuance.Flags, MPT.locked) || (token !== undefined && has(token.Flags, MPT.locked));
}

function checkParties(view: ReadView, issuance: MPTokenIssuance, id: string, from: string, to: string): ResultName {
  for (const address of [from, to]) {
    const result = checkHolder(view, issuance, id, address);
    if (result !== 'tesSUCCESS') return result;
  }
  if (from === issuance.Issuer || to === issuance.Issuer) return 'tesSUCCESS';
  if (!has(issuance.Flags, MPT.canTransfer)) return 'tecNO_AUTH';
  return isLocked(view, issuance, id, from) || isLocked(view, issuance, id, to) ? 'tecLOCKED' : 'tesSUCCESS';
}

/** Issues, redeems (burns) or transfers an MPT; the transfer fee between holders is burned. */
export function payMpt(context: ApplyContext, amount: MptAmount): ResultName {
  const { view, fields, account: root, deliver } = context;
  const { Destination: to = '', SendMax: sendMax = amount, DeliverMin: deliverMin } = fields;
  const id = amount.mpt_issuance_id;
  const issuance = read(view, 'MPTokenIssuance', issuanceIndex(id));
  if (!issuance) return 'tecOBJECT_NOT_FOUND';
  const parties = checkParties(view, issuance, id, root.Account, to);
  if (parties !== 'tesSUCCESS') return parties;

  const betweenHolders = root.Account !== issuance.Issuer && to !== issuance.Issuer;
  const transferFee = betweenHolders ? (issuance.TransferFee ?? 0) : 0;
  const mostSent = BigInt(isMpt(sendMax) ? sendMax.value : '0');
  const wanted = BigInt(amount.value);
  let delivered = wanted;
  let sent = withTransferFee(delivered, transferFee);
  if (sent > mostSent && hasFlag(fields, TF_PARTIAL_PAYMENT)) {
    sent = mostSent;
    delivered = withoutTransferFee(mostSent, transferFee);
  }
  const least = deliverMin !== undefined && isMpt(deliverMin) ? BigInt(deliverMin.value) : 0n;
  if (sent > mostSent || delivered < least) return 'tecPATH_PARTIAL';

  if (root.Account === issuance.Issuer) {
    if (BigInt(issuance.OutstandingAmount) + delivered > maximumOf(issuance)) return 'tecPATH_PARTIAL';
  } else {
    const token = read(view, 'MPToken', mptokenIndex(id, root.Account));
    if (!token || heldOf(token) < sent) return 'tecPATH_PARTIAL';
  }
  moveMpt(view, id, { from: root.Account, to, sent, delivered });
  if (delivered !== wanted) deliver({ ...amount, value: String(delivered) });
  return 'tesSUCCESS';
}
