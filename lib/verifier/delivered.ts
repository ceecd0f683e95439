import { parseDecimal, WIRE_TOKEN_DECIMALS, XRP_DECIMALS } from '@tranche/rules/amounts.ts';
import { parseLedgerValue } from '@tranche/rules/exact-decimal.ts';
import * as z from 'zod';
import type { PublishedPayout } from './published.ts';
import type { ParsedTerms } from './terms.ts';

const issued = z.object({ currency: z.string(), issuer: z.string(), value: z.string() });
const multiPurpose = z.object({ mpt_issuance_id: z.string(), value: z.string().regex(/^\d+$/) });

type Token = ParsedTerms['terms']['token'];

/**
 * What a payment delivered: XRP in drops, a token in its units, `fraction` of a token when it is no whole number of them (no
 * payout has it; rounded down here), or nothing of concern.
 */
interface Delivered {
  asset: 'xrp' | 'token' | 'fraction' | 'other';
  amount: bigint;
}
const OTHER: Delivered = { asset: 'other', amount: 0n };
/** Digits that an issued value can have behind the point; more than any token's. */
const SCALE = 80;

/** Reads meta.delivered_amount. Pure. */
export function deliveredOf(delivered: unknown, token: Token): Delivered {
  if (typeof delivered === 'string' && /^\d+$/.test(delivered)) return { asset: 'xrp', amount: BigInt(delivered) };
  if (token.kind === 'mpt') {
    const mpt = multiPurpose.safeParse(delivered);
    if (!mpt.success || mpt.data.mpt_issuance_id !== token.issuance_id) return OTHER;
    return { asset: 'token', amount: BigInt(mpt.data.value) };
  }
  const iou = issued.safeParse(delivered);
  if (!iou.success || iou.data.currency !== token.currency || iou.data.issuer !== token.issuer) return OTHER;
  const plain = parseDecimal(iou.data.value, token.decimals);
  if (plain !== null) return { asset: 'token', amount: plain };
  const units = parseLedgerValue(iou.data.value, token.decimals);
  const exact = parseLedgerValue(iou.data.value, SCALE) === units * 10n ** BigInt(SCALE - token.decimals);
  return { asset: exact ? 'token' : 'fraction', amount: units };
}

/** What a published payout owes, as a payment delivers it. Pure. */
export function amountOwedBy(row: PublishedPayout, { decimals }: Token): Delivered {
  if (row.tokens === null) return { asset: 'xrp', amount: parseDecimal(row.amount_xrp ?? '', XRP_DECIMALS) ?? -1n };
  const wire = parseDecimal(row.tokens, WIRE_TOKEN_DECIMALS) ?? -1n;
  const scale = 10n ** BigInt(WIRE_TOKEN_DECIMALS - decimals);
  return wire % scale === 0n ? { asset: 'token', amount: wire / scale } : OTHER;
}

/** A payment that an account has made. */
export interface Paid {
  account: string;
  destination: string;
  destinationTag: number | null;
  delivered: unknown;
}

/** The same for a payment and for a payout that it pays exactly; null for what pays none. Pure. */
export function paymentKey({ account, destination, destinationTag, delivered }: Paid, token: Token): string | null {
  const { asset, amount } = deliveredOf(delivered, token);
  const pays = asset === 'xrp' || asset === 'token';
  return pays ? `${account}/${destination}/${destinationTag}/${asset}/${amount}` : null;
}

export function payoutKey(row: PublishedPayout, token: Token): string {
  const { asset, amount } = amountOwedBy(row, token);
  return `${row.account}/${row.destination}/${row.destination_tag}/${asset}/${amount}`;
}
