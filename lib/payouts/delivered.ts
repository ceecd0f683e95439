import { parseLedgerValue } from '@tranche/rules/exact-decimal.ts';
import { z } from 'zod';
import type { Payout } from './types.ts';

const issued = z.object({ currency: z.string(), issuer: z.string(), value: z.string() });
const multiPurpose = z.object({ mpt_issuance_id: z.string(), value: z.string() });
/** Digits behind the point that an issued value of the ledger can have at most. */
const SCALE = 96;

/** True when `meta.delivered_amount` is the payout's amount of its asset, to the last digit. Pure. */
export function deliversExactly({ asset, amount }: Pick<Payout, 'asset' | 'amount'>, delivered: unknown): boolean {
  if (asset.kind === 'xrp') return delivered === amount.toString();
  if (asset.kind === 'mpt') {
    const { data } = multiPurpose.safeParse(delivered);
    return data?.mpt_issuance_id === asset.issuanceId && data.value === amount.toString();
  }
  const { data } = issued.safeParse(delivered);
  if (data?.currency !== asset.currency || data.issuer !== asset.issuer) return false;
  return parseLedgerValue(data.value, SCALE) === amount * 10n ** BigInt(SCALE - asset.decimals);
}
