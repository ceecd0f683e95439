import { fullRaiseDrops } from '@tranche/rules/allocate.ts';
import { formatDrops, minBigInt, parseDecimal, parsePrice, parseUnits } from '@tranche/rules/amounts.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';

/** What the whole sale brings when every token is sold, in XRP with six decimals. */
export function fullRaiseXrp({ tiers, token: { decimals } }: Pick<ProjectResource, 'tiers' | 'token'>): string {
  const priced = tiers.map((tier) => ({
    price: parsePrice(tier.price_per_token) ?? 0n,
    totalUnits: parseUnits(tier.total_tokens, decimals) ?? 0n,
  }));
  return formatDrops(fullRaiseDrops(priced, decimals));
}

/** A part of a whole in percent with two decimals, rounded down: for pictures, never for money. */
export function percentOf(part: string, whole: string): number {
  const [a, b] = [parseDecimal(part, 6) ?? 0n, parseDecimal(whole, 6) ?? 0n];
  return b === 0n ? 0 : Number(minBigInt((a * 10_000n) / b, 10_000n)) / 100;
}
