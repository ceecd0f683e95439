import { has, MPT, UNTHREADED, withFlag, withoutFlag, ZERO_HASH } from '../entries.ts';
import { issuanceId, issuanceIndex, mptokenIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { type NetworkRules, reserveDrops } from '../rules.ts';
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

/** Tokens of domains came with single-asset vaults, whose shares are such tokens. */
const hasDomains = ({ amendments }: NetworkRules): boolean =>
  amendments.has('PermissionedDomains') && amendments.has('SingleAssetVault');

function preflightCreate(fields: TransactionFields, rules: NetworkRules): ResultName {
  const { TransferFee: transferFee = 0, MPTokenMetadata: metadata, MaximumAmount: maximum, DomainID: domain } = fields;
  if (fields.ImmutableFlags !== undefined || (domain !== undefined && !hasDomains(rules))) return 'temDISABLED';
  if (transferFee > MAX_TRANSFER_FEE) return 'temBAD_TRANSFER_FEE';
  if (transferFee > 0 && !hasFlag(fields, MPT.canTransfer)) return 'temMALFORMED';
  // A domain says who may hold a token that not everybody may.
  if (domain !== undefined && (domain === ZERO_HASH || !hasFlag(fields, MPT.requireAuth))) return 'temMALFORMED';
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
    const { DomainID: domain } = fields;
    view.create(index, {
      LedgerEntryType: 'MPTokenIssuance',
      ...(scale ? { AssetScale: scale } : {}),
      ...(domain === undefined ? {} : { DomainID: domain }),
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

function preflightSet(fields: TransactionFields, rules: NetworkRules): ResultName {
  const { DomainID: domain, Holder: holder } = fields;
  if (domain !== undefined && !hasDomains(rules)) return 'temDISABLED';
  const mutates = [fields.ImmutableFlags, fields.MPTokenMetadata, fields.TransferFee].some(
    (each) => each !== undefined,
  );
  if (mutates) return 'temDISABLED';
  if (domain !== undefined && holder !== undefined) return 'temMALFORMED';
  if (hasFlag(fields, TF_LOCK) && hasFlag(fields, TF_UNLOCK)) return 'temINVALID_FLAG';
  if (holder === fields.Account) return 'temMALFORMED';
  const changesNothing = !fields.Flags && domain === undefined;
  return changesNothing && rules.amendments.has('SingleAssetVault') ? 'temMALFORMED' : 'tesSUCCESS';
}

/** MPTokenIssuanceSet: locks or unlocks one holder, or the whole token, or sets the domain whose members may hold it. */
export const mptIssuanceSet: TransactionType = {
  flags: TF_LOCK | TF_UNLOCK,
  preflight: preflightSet,
  preclaim(context) {
    const { view, fields } = context;
    const { DomainID: domain, Holder: holder, MPTokenIssuanceID: id = '' } = fields;
    const issuance = read(view, 'MPTokenIssuance', issuanceIndex(id));
    const locksOnly = hasFlag(fields, TF_LOCK | TF_UNLOCK) || !context.rules.amendments.has('SingleAssetVault');
    if (issuance && locksOnly && !has(issuance.Flags, MPT.canLock)) return 'tecNO_PERMISSION';
    const owned = ownIssuance(context);
    if (owned !== 'tesSUCCESS') return owned;
    if (holder !== undefined) {
      if (!account(view, holder)) return 'tecNO_DST';
      if (!view.get(mptokenIndex(id, holder))) return 'tecOBJECT_NOT_FOUND';
    }
    if (domain === undefined) return 'tesSUCCESS';
    if (!has(issuance?.Flags ?? 0, MPT.requireAuth)) return 'tecNO_PERMISSION';
    return domain === ZERO_HASH || read(view, 'PermissionedDomain', domain) ? 'tesSUCCESS' : 'tecOBJECT_NOT_FOUND';
  },
  apply({ view, fields }) {
    const { DomainID: domain, Holder: holder, MPTokenIssuanceID: id = '' } = fields;
    const issuance = holder === undefined ? view.edit('MPTokenIssuance', issuanceIndex(id)) : undefined;
    const target = holder === undefined ? issuance : view.edit('MPToken', mptokenIndex(id, holder));
    if (!target) return 'tecOBJECT_NOT_FOUND';
    if (hasFlag(fields, TF_LOCK)) target.Flags = withFlag(target.Flags, MPT.locked);
    else if (hasFlag(fields, TF_UNLOCK)) target.Flags = withoutFlag(target.Flags, MPT.locked);
    if (issuance && domain === ZERO_HASH) delete issuance.DomainID;
    else if (issuance && domain !== undefined) issuance.DomainID = domain;
    return 'tesSUCCESS';
  },
};
