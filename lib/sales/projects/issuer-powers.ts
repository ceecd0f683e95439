import { formatUnits } from '#lib/base/money.ts';
import { hasAccountFlag, NO_TRANSFER_FEE } from '#lib/xrpl/account.ts';
import type { AccountState, MptIssuance } from '#lib/xrpl/types.ts';

/** Accounts that have no known keys (xrpl.org, special addresses). */
const KEYLESS_ACCOUNTS = new Set([
  'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
  'rrrrrrrrrrrrrrrrrrrrBZbvji',
  'rrrrrrrrrrrrrrrrrrrn5RM1rHd',
]);

/** What an MPT's issuer may declare unchangeable, with its bit of ImmutableFlags. */
const IMMUTABLE = {
  can_lock: 0x02,
  requires_authorization: 0x04,
  can_escrow: 0x08,
  can_trade: 0x10,
  can_transfer: 0x20,
  can_claw_back: 0x40,
  transfer_fee: 0x0002_0000,
} as const;
type Declarable = keyof typeof IMMUTABLE;
export const DECLARABLE = Object.keys(IMMUTABLE) as [Declarable, ...Declarable[]];

const BILLIONTHS_PER_PERCENT = 10_000_000;
const MPT_FEE_UNITS_PER_PERCENT = 1_000;

/** True when no key can sign for the account: what it has not done by now, it never will. */
export const isBlackHoled = (issuer: Pick<AccountState, 'flags' | 'regularKey' | 'signerList'>): boolean =>
  hasAccountFlag(issuer, 'disableMasterKey') &&
  (issuer.regularKey === null || KEYLESS_ACCOUNTS.has(issuer.regularKey)) &&
  issuer.signerList === null;

/** What the issuer of an issued currency can still do to its holders. Pure. */
export function iouPowers(issuer: AccountState) {
  const blackHoled = isBlackHoled(issuer);
  return {
    ledger_index: issuer.ledgerIndex,
    issuer_black_holed: blackHoled,
    can_mint: !blackHoled,
    can_freeze: !blackHoled && !hasAccountFlag(issuer, 'noFreeze'),
    global_freeze: hasAccountFlag(issuer, 'globalFreeze'),
    can_claw_back: !blackHoled && hasAccountFlag(issuer, 'allowTrustLineClawback'),
    requires_authorization: hasAccountFlag(issuer, 'requireAuthorization'),
    transfer_fee_percent: (issuer.transferRate - NO_TRANSFER_FEE) / BILLIONTHS_PER_PERCENT,
    can_charge_transfer_fee: !blackHoled,
    default_ripple: hasAccountFlag(issuer, 'defaultRipple'),
  };
}

/** What the issuer of an MPT can still do to its holders; amounts in the token's `decimals`. Pure. */
export function mptPowers(issuer: AccountState, issuance: MptIssuance, decimals: number) {
  const blackHoled = isBlackHoled(issuer);
  return {
    ledger_index: Math.min(issuer.ledgerIndex, issuance.ledgerIndex),
    issuer_black_holed: blackHoled,
    can_mint: !blackHoled && issuance.outstanding < issuance.maximum,
    outstanding_tokens: formatUnits(issuance.outstanding, decimals),
    maximum_tokens: formatUnits(issuance.maximum, decimals),
    can_lock: !blackHoled && issuance.canLock,
    locked: issuance.locked,
    can_claw_back: !blackHoled && issuance.canClawback,
    requires_authorization: issuance.requiresAuthorization,
    transfer_fee_percent: issuance.transferFee / MPT_FEE_UNITS_PER_PERCENT,
    can_transfer: issuance.canTransfer,
    can_trade: issuance.canTrade,
    can_escrow: issuance.canEscrow,
    declared_immutable: DECLARABLE.filter((name) => (issuance.immutableFlags & IMMUTABLE[name]) !== 0),
  };
}
