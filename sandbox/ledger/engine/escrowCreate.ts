import { compare, isNegative, isPositive, isZero, parseDecimal } from '../amount.ts';
import { has, type IssuedAmount, isIssued, isMpt, LSF, MPT, type MptAmount, UNTHREADED } from '../entries.ts';
import { escrowIndex, issuanceIndex, mptokenIndex } from '../keylets.ts';
import { isSuccess, type ResultName } from '../results.ts';
import { reserveDrops } from '../rules.ts';
import { type ReadView, read } from '../state.ts';
import { sequenceKey, type TransactionFields } from '../transaction.ts';
import { parseCondition } from './cryptoCondition.ts';
import { addToDirectory } from './directory.ts';
import { canAdd, issuerOf, lockTokens, transferRateOf } from './escrowTokens.ts';
import { balanceFrom, findLine, sideOf } from './lines.ts';
import { heldOf } from './mptBalances.ts';
import { canTransferMpt, isMptLocked, requireWeakMptAuth } from './mptRules.ts';
import { PARITY } from './paths/quantity.ts';
import { isFrozen, requireAuth } from './paths/transfers.ts';
import { BAD_CURRENCY } from './trustSet.ts';
import type { PreclaimContext, TransactionType } from './types.ts';
import { account } from './view.ts';

function preflightAmount({ Amount: amount = '0' }: TransactionFields): ResultName {
  if (!isIssued(amount)) return BigInt(isMpt(amount) ? amount.value : amount) > 0n ? 'tesSUCCESS' : 'temBAD_AMOUNT';
  if (!isPositive(parseDecimal(amount.value))) return 'temBAD_AMOUNT';
  return amount.currency === BAD_CURRENCY ? 'temBAD_CURRENCY' : 'tesSUCCESS';
}

function preflight(fields: TransactionFields): ResultName {
  const amount = preflightAmount(fields);
  if (!isSuccess(amount)) return amount;
  const { CancelAfter: cancelAfter, FinishAfter: finishAfter, Condition: condition } = fields;
  if (cancelAfter === undefined && finishAfter === undefined) return 'temBAD_EXPIRATION';
  if (cancelAfter !== undefined && finishAfter !== undefined && cancelAfter <= finishAfter) return 'temBAD_EXPIRATION';
  // Without a time or a condition to wait for, anybody could finish it at once.
  if (finishAfter === undefined && condition === undefined) return 'temMALFORMED';
  return condition === undefined || parseCondition(condition) ? 'tesSUCCESS' : 'temMALFORMED';
}

function preclaimIssued({ view, fields }: PreclaimContext, amount: IssuedAmount): ResultName {
  const { Account: from, Destination: to = '' } = fields;
  const { issuer, currency } = amount;
  if (issuer === from) return 'tecNO_PERMISSION';
  const issuerRoot = account(view, issuer);
  if (!issuerRoot) return 'tecNO_ISSUER';
  if (!has(issuerRoot.Flags, LSF.allowTrustLineLocking)) return 'tecNO_PERMISSION';
  const line = findLine(view, from, issuer, currency);
  if (!line) return 'tecNO_LINE';
  const held = balanceFrom(line, sideOf(line, from));
  if (isNegative(held)) return 'tecNO_PERMISSION';
  for (const address of [from, to]) {
    const auth = requireAuth(view, address, amount);
    if (!isSuccess(auth)) return auth;
  }
  if ([from, to].some((address) => isFrozen(view, address, amount))) return 'tecFROZEN';
  const wanted = parseDecimal(amount.value);
  if (isZero(held) || compare(held, wanted) < 0) return 'tecINSUFFICIENT_FUNDS';
  return canAdd(held, wanted) ? 'tesSUCCESS' : 'tecPRECISION_LOSS';
}

function checkMptParties(view: ReadView, id: string, from: string, to: string): ResultName {
  for (const address of [from, to]) {
    const auth = requireWeakMptAuth(view, id, address);
    if (!isSuccess(auth)) return auth;
  }
  if (isMptLocked(view, id, from) || isMptLocked(view, id, to)) return 'tecLOCKED';
  return canTransferMpt(view, id, from, to);
}

function preclaimMpt({ view, fields }: PreclaimContext, amount: MptAmount): ResultName {
  const { Account: from, Destination: to = '' } = fields;
  const { mpt_issuance_id: id } = amount;
  if (issuerOf(amount) === from) return 'tecNO_PERMISSION';
  const issuance = read(view, 'MPTokenIssuance', issuanceIndex(id));
  if (!issuance) return 'tecOBJECT_NOT_FOUND';
  if (!has(issuance.Flags, MPT.canEscrow)) return 'tecNO_PERMISSION';
  const token = read(view, 'MPToken', mptokenIndex(id, from));
  if (!token) return 'tecOBJECT_NOT_FOUND';
  const parties = checkMptParties(view, id, from, to);
  if (!isSuccess(parties)) return parties;
  return heldOf(token) < BigInt(amount.value) ? 'tecINSUFFICIENT_FUNDS' : 'tesSUCCESS';
}

/** EscrowCreate: sets XRP or tokens aside for a destination, until a time has come or a condition is fulfilled. */
export const escrowCreate: TransactionType = {
  flags: 0,
  preflight,
  preclaim(context) {
    const { Amount: amount = '0', Destination: to = '' } = context.fields;
    if (!account(context.view, to)) return 'tecNO_DST';
    if (isIssued(amount)) return preclaimIssued(context, amount);
    return isMpt(amount) ? preclaimMpt(context, amount) : 'tesSUCCESS';
  },
  apply({ view, fields, rules, account: root }) {
    const { Amount: amount = '0', CancelAfter: cancelAfter, FinishAfter: finishAfter, Destination: to = '' } = fields;
    const now = view.parentCloseTime;
    if ([cancelAfter, finishAfter].some((time) => time !== undefined && now > time)) return 'tecNO_PERMISSION';
    const spareDrops = BigInt(root.Balance) - reserveDrops(rules, root.OwnerCount + 1);
    if (spareDrops < 0n) return 'tecINSUFFICIENT_RESERVE';
    if (typeof amount === 'string' && spareDrops < BigInt(amount)) return 'tecUNFUNDED';
    const needsTag = has(account(view, to)?.Flags ?? 0, LSF.requireDestTag);
    if (needsTag && fields.DestinationTag === undefined) return 'tecDST_TAG_NEEDED';

    const from = root.Account;
    const sequence = sequenceKey(fields).value;
    const index = escrowIndex(from, sequence);
    const rate = typeof amount === 'string' ? PARITY : transferRateOf(view, amount);
    const { Condition: condition, DestinationTag: destinationTag, SourceTag: sourceTag } = fields;
    const ownerNode = addToDirectory(view, from, index);
    const destinationNode = to === from ? undefined : addToDirectory(view, to, index);
    // An issuer's directory shows it what of its currency is in escrow; an MPT's issuance counts that itself.
    const issuer = isIssued(amount) && amount.issuer !== to ? amount.issuer : undefined;
    const issuerNode = issuer === undefined ? undefined : addToDirectory(view, issuer, index);
    view.create(index, {
      LedgerEntryType: 'Escrow',
      Account: from,
      Amount: amount,
      ...(cancelAfter === undefined ? {} : { CancelAfter: cancelAfter }),
      ...(condition === undefined ? {} : { Condition: condition }),
      Destination: to,
      ...(destinationNode === undefined ? {} : { DestinationNode: destinationNode }),
      ...(destinationTag === undefined ? {} : { DestinationTag: destinationTag }),
      ...(finishAfter === undefined ? {} : { FinishAfter: finishAfter }),
      Flags: 0,
      ...(issuerNode === undefined ? {} : { IssuerNode: issuerNode }),
      OwnerNode: ownerNode,
      Sequence: sequence,
      ...(sourceTag === undefined ? {} : { SourceTag: sourceTag }),
      ...(rate === PARITY ? {} : { TransferRate: rate }),
      ...UNTHREADED,
    });
    if (typeof amount === 'string') root.Balance = String(BigInt(root.Balance) - BigInt(amount));
    else lockTokens(view, from, amount);
    root.OwnerCount += 1;
    return 'tesSUCCESS';
  },
};
