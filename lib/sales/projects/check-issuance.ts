import { formatUnits } from '#lib/base/money.ts';
import type { Ledger } from '#lib/xrpl/types.ts';
import { type CheckedTier, supplyOf } from './check-tiers.ts';
import type { Faults } from './faults.ts';
import type { TokenInput } from './token-input.ts';

/** An MPT exists, counts as the project says, and may be issued as often as the tiers sell it. */
export async function checkIssuance(
  ledger: Ledger,
  token: TokenInput,
  tiers: readonly CheckedTier[],
  faults: Faults,
): Promise<void> {
  if (token.kind !== 'mpt') return;
  const issuance = await ledger.mptIssuance(token.issuance_id);
  if (issuance === null) {
    faults.add('token.issuance_id', 'does not exist on the ledger');
    return;
  }
  if (issuance.assetScale !== token.decimals) {
    faults.add('token.decimals', `must be ${issuance.assetScale}, the AssetScale of the issuance`);
    return;
  }
  if (supplyOf(tiers) > issuance.maximum) {
    faults.add(
      'tiers',
      `sell more than the ${formatUnits(issuance.maximum, token.decimals)} tokens that the issuance allows (MaximumAmount)`,
    );
  }
}
