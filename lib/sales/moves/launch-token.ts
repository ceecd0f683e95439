import { parseLedgerValue } from '@tranche/rules/exact-decimal.ts';
import type { FieldError } from '#lib/base/errors.ts';
import { formatUnits, type TokenUnits } from '#lib/base/money.ts';
import { hasAccountFlag, NO_TRANSFER_FEE } from '#lib/xrpl/account.ts';
import type { AccountState, Ledger, MptHolding, MptIssuance, TrustLine } from '#lib/xrpl/types.ts';
import type { ProjectRow } from '../projects/project-resource.ts';

type IouFacts = {
  kind: 'iou';
  issuer: AccountState | null;
  /** The distributor's line to the issuer; null when there is none or the distributor is the issuer. */
  line: TrustLine | null;
};
type MptFacts = {
  kind: 'mpt';
  issuance: MptIssuance | null;
  /** The distributor's own; null when there is none or the distributor is the issuer. */
  holding: MptHolding | null;
};
/** What the ledger shows of the token that is sold. */
export type TokenFacts = IouFacts | MptFacts;

const fault = (field: string, message: string): FieldError => ({ field, message });

function short(heldUnits: TokenUnits, supplyUnits: TokenUnits, decimals: number): FieldError {
  const [held, owed, missing] = [heldUnits, supplyUnits, supplyUnits - heldUnits].map((units) =>
    formatUnits(units, decimals),
  );
  return fault(
    'distributor',
    `holds ${held} tokens; the sales that it pays for owe up to ${owed}: send it ${missing} more, or lower total_tokens`,
  );
}

/** Why the distributor could not pay `supplyUnits` of the token to holders; empty when it could. Pure. */
export const tokenFaults = (row: ProjectRow, supplyUnits: TokenUnits, facts: TokenFacts): FieldError[] =>
  facts.kind === 'iou' ? iouFaults(row, supplyUnits, facts) : mptFaults(row, supplyUnits, facts);

function iouFaults(row: ProjectRow, supplyUnits: TokenUnits, { issuer, line }: IouFacts): FieldError[] {
  if (issuer === null) return [fault('token.issuer', 'does not exist on the ledger')];
  const faults: FieldError[] = [];
  if (hasAccountFlag(issuer, 'globalFreeze')) faults.push(fault('token.issuer', 'has frozen its tokens globally'));
  if (row.distributor === row.issuer) return faults;
  if (!hasAccountFlag(issuer, 'defaultRipple')) {
    faults.push(fault('token.issuer', 'must have DefaultRipple set, or holders cannot receive from the distributor'));
  }
  if (issuer.transferRate !== NO_TRANSFER_FEE) {
    faults.push(fault('token.issuer', 'charges a transfer fee: then the distributor must be the issuer itself'));
  }
  if (line === null) return [...faults, fault('distributor', 'has no trust line to the issuer of the token')];
  if (line.frozen) faults.push(fault('distributor', 'its trust line is frozen by the issuer'));
  if (hasAccountFlag(issuer, 'requireAuthorization') && !line.authorized) {
    faults.push(fault('distributor', 'its trust line is not authorised by the issuer'));
  }
  const heldUnits = parseLedgerValue(line.balance, row.decimals);
  return heldUnits < supplyUnits ? [...faults, short(heldUnits, supplyUnits, row.decimals)] : faults;
}

function mptFaults(row: ProjectRow, supplyUnits: TokenUnits, { issuance, holding }: MptFacts): FieldError[] {
  if (issuance === null) return [fault('token.issuance_id', 'does not exist on the ledger')];
  const faults: FieldError[] = [];
  if (issuance.assetScale !== row.decimals) {
    faults.push(fault('token.decimals', `must be ${issuance.assetScale}, the AssetScale of the issuance`));
  }
  if (issuance.locked) faults.push(fault('token.issuance_id', 'is locked by its issuer for all holders'));
  if (row.distributor === issuance.issuer) {
    const leftUnits = issuance.maximum - issuance.outstanding;
    if (leftUnits >= supplyUnits) return faults;
    const [left, owed, missing] = [leftUnits, supplyUnits, supplyUnits - leftUnits].map((units) =>
      formatUnits(units, row.decimals),
    );
    return [
      ...faults,
      fault(
        'token.issuance_id',
        `allows ${left} tokens more (MaximumAmount); the sales that its issuer pays for owe up to ${owed}: lower total_tokens by ${missing}`,
      ),
    ];
  }
  if (!issuance.canTransfer) {
    faults.push(
      fault('token.issuance_id', 'cannot be transferred (CanTransfer): then the distributor must be the issuer itself'),
    );
  }
  if (issuance.transferFee !== 0) {
    faults.push(fault('token.issuance_id', 'charges a transfer fee: then the distributor must be the issuer itself'));
  }
  if (holding === null) return [...faults, fault('distributor', 'has not opted in to the token (MPTokenAuthorize)')];
  if (holding.locked) faults.push(fault('distributor', 'its tokens are locked by the issuer'));
  if (issuance.requiresAuthorization && !holding.authorized) {
    faults.push(fault('distributor', 'is not authorised by the issuer to hold the token'));
  }
  return holding.amount < supplyUnits ? [...faults, short(holding.amount, supplyUnits, row.decimals)] : faults;
}

/** Reads the facts for `tokenFaults`, side by side. */
export async function readTokenFacts(ledger: Ledger, row: ProjectRow): Promise<TokenFacts> {
  const paysItself = row.distributor === row.issuer;
  if (row.tokenKind === 'mpt') {
    const id = row.issuanceId ?? '';
    const [issuance, holding] = await Promise.all([
      ledger.mptIssuance(id),
      paysItself ? null : ledger.mptHolding(row.distributor, id),
    ]);
    return { kind: 'mpt', issuance, holding };
  }
  const issuer = row.issuer ?? '';
  const [state, line] = await Promise.all([
    ledger.account(issuer),
    paysItself ? null : ledger.trustLine(row.distributor, issuer, row.currency ?? ''),
  ]);
  return { kind: 'iou', issuer: state, line };
}
