import { z } from 'zod';
import { parseLedgerValue } from '#lib/ledger/value.ts';
import type { ReadTerms } from './terms.ts';

const issued = z.object({ currency: z.string(), issuer: z.string(), value: z.string() });
const multiPurpose = z.object({ mpt_issuance_id: z.string(), value: z.string().regex(/^\d+$/) });

/** What a payment delivered: XRP in drops, the sale's token in its units, or nothing of concern. */
export interface Delivered {
  asset: 'xrp' | 'token' | 'other';
  amount: bigint;
}
const OTHER: Delivered = { asset: 'other', amount: 0n };
/** Digits that an issued value can have behind the point; more than any token's. */
const SCALE = 80;

/** Reads meta.delivered_amount. An amount that is no whole number of the token's units is `other`: no payout has it. Pure. */
export function deliveredOf(delivered: unknown, { terms: { token } }: ReadTerms): Delivered {
  if (typeof delivered === 'string' && /^\d+$/.test(delivered)) return { asset: 'xrp', amount: BigInt(delivered) };
  if (token.kind === 'mpt') {
    const mpt = multiPurpose.safeParse(delivered);
    if (!mpt.success || mpt.data.mpt_issuance_id !== token.issuance_id) return OTHER;
    return { asset: 'token', amount: BigInt(mpt.data.value) };
  }
  const iou = issued.safeParse(delivered);
  if (!iou.success || iou.data.currency !== token.currency || iou.data.issuer !== token.issuer) return OTHER;
  const units = parseLedgerValue(iou.data.value, token.decimals);
  const exact = parseLedgerValue(iou.data.value, SCALE) === units * 10n ** BigInt(SCALE - token.decimals);
  return exact ? { asset: 'token', amount: units } : OTHER;
}
