import { has, MPT, UNTHREADED, withFlag, withoutFlag } from '../entries.ts';
import { issuanceIndex, mptokenIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { reserveDrops } from '../rules.ts';
import { read } from '../state.ts';
import { addToDirectory, removeFromDirectory } from './directory.ts';
import { heldOf } from './mptBalances.ts';
import { type ApplyContext, hasFlag, type PreclaimContext, type TransactionType } from './types.ts';
import { account } from './view.ts';

const TF_UNAUTHORIZE = 0x01;
/** As for trust lines: the first two owned objects need no reserve for a new holding. */
const FREE_OWNED_OBJECTS = 2;

function preclaimHolder({ view, fields, rules }: PreclaimContext, id: string): ResultName {
  const token = read(view, 'MPToken', mptokenIndex(id, fields.Account));
  if (hasFlag(fields, TF_UNAUTHORIZE)) {
    if (!token) return 'tecOBJECT_NOT_FOUND';
    if (heldOf(token) !== 0n || token.LockedAmount !== undefined) return 'tecHAS_OBLIGATIONS';
    const keepsLocked = rules.amendments.has('SingleAssetVault');
    return keepsLocked && has(token.Flags, MPT.locked) ? 'tecNO_PERMISSION' : 'tesSUCCESS';
  }
  const issuance = read(view, 'MPTokenIssuance', issuanceIndex(id));
  if (!issuance) return 'tecOBJECT_NOT_FOUND';
  if (issuance.Issuer === fields.Account) return 'tecNO_PERMISSION';
  return token ? 'tecDUPLICATE' : 'tesSUCCESS';
}

function preclaimIssuer({ view, fields }: PreclaimContext, id: string, holder: string): ResultName {
  if (!account(view, holder)) return 'tecNO_DST';
  const issuance = read(view, 'MPTokenIssuance', issuanceIndex(id));
  if (!issuance) return 'tecOBJECT_NOT_FOUND';
  if (issuance.Issuer !== fields.Account) return 'tecNO_PERMISSION';
  if (!has(issuance.Flags, MPT.requireAuth)) return 'tecNO_AUTH';
  return view.get(mptokenIndex(id, holder)) ? 'tesSUCCESS' : 'tecOBJECT_NOT_FOUND';
}

function applyHolder({ view, fields, rules, account: root, priorBalanceDrops }: ApplyContext, id: string): ResultName {
  const index = mptokenIndex(id, root.Account);
  if (hasFlag(fields, TF_UNAUTHORIZE)) {
    const token = view.edit('MPToken', index);
    if (!token) return 'tecOBJECT_NOT_FOUND';
    removeFromDirectory(view, root.Account, token.OwnerNode, index);
    view.erase(index);
    root.OwnerCount -= 1;
    return 'tesSUCCESS';
  }
  const neededDrops = root.OwnerCount < FREE_OWNED_OBJECTS ? 0n : reserveDrops(rules, root.OwnerCount + 1);
  if (priorBalanceDrops < neededDrops) return 'tecINSUFFICIENT_RESERVE';
  view.create(index, {
    LedgerEntryType: 'MPToken',
    Account: root.Account,
    Flags: 0,
    MPTokenIssuanceID: id,
    OwnerNode: addToDirectory(view, root.Account, index),
    ...UNTHREADED,
  });
  root.OwnerCount += 1;
  return 'tesSUCCESS';
}

/** MPTokenAuthorize: a holder opts in or out; with RequireAuth the issuer allows or disallows a holder. */
export const mptAuthorize: TransactionType = {
  flags: TF_UNAUTHORIZE,
  preflight: (fields) => (fields.Holder === fields.Account ? 'temMALFORMED' : 'tesSUCCESS'),
  preclaim(context) {
    const { Holder: holder, MPTokenIssuanceID: id = '' } = context.fields;
    return holder === undefined ? preclaimHolder(context, id) : preclaimIssuer(context, id, holder);
  },
  apply(context) {
    const { view, fields } = context;
    const { Holder: holder, MPTokenIssuanceID: id = '' } = fields;
    if (holder === undefined) return applyHolder(context, id);
    const token = view.edit('MPToken', mptokenIndex(id, holder));
    if (!token) return 'tecOBJECT_NOT_FOUND';
    const change = hasFlag(fields, TF_UNAUTHORIZE) ? withoutFlag : withFlag;
    token.Flags = change(token.Flags, MPT.authorized);
    return 'tesSUCCESS';
  },
};
