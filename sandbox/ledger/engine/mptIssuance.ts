import { has, MPT, UNTHREADED, withFlag, withoutFlag } from '../entries.ts';
import { issuanceId, issuanceIndex, mptokenIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { reserveDrops } from '../rules.ts';
import { read } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';
import { addToDirectory, removeFromDirectory } from './directory.ts';
import { MAX_MPT } from './mptBalances.ts';
import { hasFlag, type PreclaimContext, type TransactionType } from './types.ts';
import { account } from './view.ts';

const CREATE_FLAGS = MPT.canLock | MPT.requireAuth | MPT.canEscrow | MPT.canTrade | MPT.canTransfer | MPT.canClawback;
const TF_LOCK = 0x01;
const TF_UNLOCK = 0x02;
const MAX_TRANSFER_FEE = 50_000;
const MAX_METADATA_BYTES = 1024;

/** Issuance of a transaction that only its issuer may touch. */
function ownIssuance({ view, fields }: PreclaimContext): ResultName {
  const issuance = read(view, 'MPTokenIssuance', issuanceIndex(fields.MPTokenIssuanceID ?? ''));
  if (!issuance) return 'tecOBJECT_NOT_FOUND';
  return issuance.Issuer === fields.Account ? 'tesSUCCESS' : 'tecNO_PERMISSION';
}

function preflightCreate(fields: TransactionFields): ResultName {
  const { TransferFee: transferFee = 0, MPTokenMetadata: metadata, MaximumAmount: maximum } = fields;
  if (transferFee > MAX_TRANSFER_FEE) return 'temBAD_TRANSFER_FEE';
  if (transferFee > 0 && !hasFlag(fields, MPT.canTransfer)) return 'temMALFORMED';
  if (metadata !== undefined && (metadata === '' || metadata.length / 2 > MAX_METADATA_BYTES)) return 'temMALFORMED';
  if (maximum !== undefined && (BigInt(maximum) === 0n || BigInt(maximum) > MAX_MPT)) return 'temMALFORMED';
  return 'tesSUCCESS';
}

/** MPTokenIssuanceCreate: a new token of the sender. */
export const mptIssuanceCreate: TransactionType = {
  flags: CREATE_FLAGS,
  preflight: preflightCreate,
  apply({ view, fields, rules, account: root, priorBalanceDrops }) {
    if (priorBalanceDrops < reserveDrops(rules, root.OwnerCount + 1)) return 'tecINSUFFICIENT_RESERVE';
    const sequence = fields.TicketSequence ?? fields.Sequence;
    const index = issuanceIndex(issuanceId(sequence, root.Account));
    const { AssetScale: scale, MPTokenMetadata: metadata, MaximumAmount: maximum, TransferFee: transferFee } = fields;
    view.create(index, {
      LedgerEntryType: 'MPTokenIssuance',
      ...(scale ? { AssetScale: scale } : {}),
      Flags: (fields.Flags ?? 0) & CREATE_FLAGS,
      Issuer: root.Account,
      ...(metadata === undefined ? {} : { MPTokenMetadata: metadata }),
      ...(maximum === undefined ? {} : { MaximumAmount: maximum }),
      OutstandingAmount: '0',
      OwnerNode: addToDirectory(view, root.Account, index),
      Sequence: sequence,
      ...(transferFee ? { TransferFee: transferFee } : {}),
      ...UNTHREADED,
    });
    root.OwnerCount += 1;
    return 'tesSUCCESS';
  },
};

/** MPTokenIssuanceDestroy: removes a token of which nothing is outstanding. */
export const mptIssuanceDestroy: TransactionType = {
  flags: 0,
  preclaim(context) {
    const owned = ownIssuance(context);
    if (owned !== 'tesSUCCESS') return owned;
    const index = issuanceIndex(context.fields.MPTokenIssuanceID ?? '');
    const outstanding = read(context.view, 'MPTokenIssuance', index)?.OutstandingAmount;
    return outstanding === '0' ? 'tesSUCCESS' : 'tecHAS_OBLIGATIONS';
  },
  apply({ view, fields, account: root }) {
    const index = issuanceIndex(fields.MPTokenIssuanceID ?? '');
    const issuance = view.edit('MPTokenIssuance', index);
    if (!issuance) return 'tecOBJECT_NOT_FOUND';
    removeFromDirectory(view, root.Account, issuance.OwnerNode, index);
    view.erase(index);
    root.OwnerCount -= 1;
    return 'tesSUCCESS';
  },
};

/** MPTokenIssuanceSet: locks or unlocks one holder, or the whole token. */
export const mptIssuanceSet: TransactionType = {
  flags: TF_LOCK | TF_UNLOCK,
  preflight(fields) {
    const lock = hasFlag(fields, TF_LOCK);
    const unlock = hasFlag(fields, TF_UNLOCK);
    if (lock && unlock) return 'temINVALID_FLAG';
    return (lock || unlock) && fields.Holder !== fields.Account ? 'tesSUCCESS' : 'temMALFORMED';
  },
  preclaim(context) {
    const { view, fields } = context;
    const id = fields.MPTokenIssuanceID ?? '';
    const issuance = read(view, 'MPTokenIssuance', issuanceIndex(id));
    if (issuance && !has(issuance.Flags, MPT.canLock)) return 'tecNO_PERMISSION';
    const owned = ownIssuance(context);
    if (owned !== 'tesSUCCESS' || fields.Holder === undefined) return owned;
    if (!account(view, fields.Holder)) return 'tecNO_DST';
    return view.get(mptokenIndex(id, fields.Holder)) ? 'tesSUCCESS' : 'tecOBJECT_NOT_FOUND';
  },
  apply({ view, fields }) {
    const id = fields.MPTokenIssuanceID ?? '';
    const target =
      fields.Holder === undefined
        ? view.edit('MPTokenIssuance', issuanceIndex(id))
        : view.edit('MPToken', mptokenIndex(id, fields.Holder));
    if (!target) return 'tecOBJECT_NOT_FOUND';
    const change = hasFlag(fields, TF_LOCK) ? withFlag : withoutFlag;
    target.Flags = change(target.Flags, MPT.locked);
    return 'tesSUCCESS';
  },
};
