import { isPositive, isZero, min, parseDecimal } from '../amount.ts';
import { has, type IssuedAmount, isIssued, isMpt, LSF, MPT, type MptAmount } from '../entries.ts';
import { issuanceIndex, mptokenIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { read } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';
import { balanceFrom, findLine, moveOnLine, sideOf } from './lines.ts';
import { heldOf, moveMpt } from './mptBalances.ts';
import type { PreclaimContext, TransactionType } from './types.ts';
import { account } from './view.ts';

function preflight({ Account: issuer, Amount: amount, Holder: holder }: TransactionFields): ResultName {
  if (amount !== undefined && isMpt(amount)) {
    if (holder === undefined || holder === issuer) return 'temMALFORMED';
    return BigInt(amount.value) > 0n ? 'tesSUCCESS' : 'temBAD_AMOUNT';
  }
  if (holder !== undefined) return 'temMALFORMED';
  if (amount === undefined || typeof amount === 'string') return 'temBAD_AMOUNT';
  return amount.issuer === issuer || !isPositive(parseDecimal(amount.value)) ? 'temBAD_AMOUNT' : 'tesSUCCESS';
}

/** In a Clawback the issuer field of the amount names the holder. */
function preclaimIssued({ view, fields }: PreclaimContext, amount: IssuedAmount): ResultName {
  const root = account(view, fields.Account);
  if (!root || !account(view, amount.issuer)) return 'terNO_ACCOUNT';
  const allowed = has(root.Flags, LSF.allowTrustLineClawback) && !has(root.Flags, LSF.noFreeze);
  if (!allowed) return 'tecNO_PERMISSION';
  const line = findLine(view, root.Account, amount.issuer, amount.currency);
  if (!line) return 'tecNO_LINE';
  const held = balanceFrom(line, sideOf(line, amount.issuer));
  if (isZero(held)) return 'tecINSUFFICIENT_FUNDS';
  return isPositive(held) ? 'tesSUCCESS' : 'tecNO_PERMISSION';
}

function preclaimMpt({ view, fields }: PreclaimContext, amount: MptAmount): ResultName {
  const { Holder: holder = '' } = fields;
  if (!account(view, holder)) return 'terNO_ACCOUNT';
  const issuance = read(view, 'MPTokenIssuance', issuanceIndex(amount.mpt_issuance_id));
  if (!issuance) return 'tecOBJECT_NOT_FOUND';
  if (!has(issuance.Flags, MPT.canClawback) || issuance.Issuer !== fields.Account) return 'tecNO_PERMISSION';
  const token = read(view, 'MPToken', mptokenIndex(amount.mpt_issuance_id, holder));
  if (!token) return 'tecOBJECT_NOT_FOUND';
  return heldOf(token) === 0n ? 'tecINSUFFICIENT_FUNDS' : 'tesSUCCESS';
}

/** Clawback: the issuer takes back what a holder has, up to the amount. */
export const clawback: TransactionType = {
  flags: 0,
  preflight,
  preclaim(context) {
    const { Amount: amount = '0' } = context.fields;
    if (isIssued(amount)) return preclaimIssued(context, amount);
    return isMpt(amount) ? preclaimMpt(context, amount) : 'temBAD_AMOUNT';
  },
  apply({ view, fields, account: root }) {
    const { Amount: amount = '0', Holder: holder = '' } = fields;
    if (isMpt(amount)) {
      const token = read(view, 'MPToken', mptokenIndex(amount.mpt_issuance_id, holder));
      const held = token ? heldOf(token) : 0n;
      const wanted = BigInt(amount.value);
      const taken = wanted < held ? wanted : held;
      moveMpt(view, amount.mpt_issuance_id, { from: holder, to: root.Account, sent: taken, delivered: taken });
      return 'tesSUCCESS';
    }
    if (!isIssued(amount)) return 'temBAD_AMOUNT';
    const line = findLine(view, root.Account, amount.issuer, amount.currency);
    if (!line) return 'tecNO_LINE';
    const held = balanceFrom(line, sideOf(line, amount.issuer));
    moveOnLine(view, amount.issuer, root.Account, amount.currency, min(held, parseDecimal(amount.value)));
    return 'tesSUCCESS';
  },
};
