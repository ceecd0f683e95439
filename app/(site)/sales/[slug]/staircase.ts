import type { ProjectResource } from '#lib/sales/schemas.ts';
import type { Split } from './split-amount.ts';

type Sale = Pick<ProjectResource, 'tiers'>;

/** A tier in the picture: parts of the whole width, and its price as a part of the highest. */
export interface Stair {
  tier: number;
  x: number;
  width: number;
  /** Of the width, what is sold. */
  sold: number;
  height: number;
}

/** Tiers side by side, as wide as what they sell and as high as their price: an area is what is paid. Pure. */
export function stairsOf({ tiers }: Sale): Stair[] {
  const whole = tiers.reduce((sum, { total_tokens }) => sum + Number(total_tokens), 0);
  const highest = Math.max(...tiers.map(({ price_per_token }) => Number(price_per_token)));
  let x = 0;
  return tiers.map(({ tier, total_tokens, sold_tokens, price_per_token }) => {
    const width = Number(total_tokens) / whole;
    const stair = {
      tier,
      x,
      width,
      sold: Math.min(1, Number(sold_tokens) / Number(total_tokens)) * width,
      height: Number(price_per_token) / highest,
    };
    x += width;
    return stair;
  });
}

/** Where the tokens of the next payment lie: after what is sold of the tier that sells. Null when none sells any more. Pure. */
export function placeOf(stairs: readonly Stair[], tier: number | null): number | null {
  const stair = stairs.find((each) => each.tier === tier);
  return stair === undefined ? null : Math.min(1, stair.x + stair.sold);
}

/** The parts of the tiers that an amount would buy, in their order. Pure. */
export function boughtOf({ tiers }: Sale, stairs: readonly Stair[], { parts }: Pick<Split, 'parts'>) {
  return parts.flatMap(({ tier, tokens }) => {
    const [stair, of] = [stairs.find((each) => each.tier === tier), tiers.find((each) => each.tier === tier)];
    if (stair === undefined || of === undefined) return [];
    const x = stair.x + stair.sold;
    const width = Math.min((Number(tokens) / Number(of.total_tokens)) * stair.width, stair.x + stair.width - x);
    return [{ tier, x, width, height: stair.height }];
  });
}
