import { allocate, type Buyer } from '@tranche/rules/allocate.ts';
import {
  type Drops,
  formatDrops,
  formatPrice,
  formatUnits,
  parseDecimal,
  parsePrice,
  parseUnits,
  XRP_DECIMALS,
} from '@tranche/rules/amounts.ts';
import type { TierState } from '@tranche/rules/types.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';

/** Of a sale, what the calculator takes along into the browser. `atMs`: when the payment is thought to arrive. */
export const offerOf = (project: ProjectResource, atMs: number): Offer => ({
  at_ms: atMs,
  decimals: project.token.decimals,
  refund_min_xrp: project.refund_min_xrp,
  min_investment_xrp: project.min_investment_xrp,
  max_per_wallet_xrp: project.max_per_wallet_xrp,
  tiers: project.tiers.map(({ tier, price_per_token, total_tokens, sold_tokens, starts_at }) => ({
    tier,
    price_per_token,
    total_tokens,
    sold_tokens,
    starts_at,
  })),
});

/** A sale as the calculator needs it: wire amounts, as the API gives them. */
export interface Offer {
  at_ms: number;
  decimals: number;
  refund_min_xrp: string;
  min_investment_xrp: string | null;
  max_per_wallet_xrp: string | null;
  tiers: {
    tier: number;
    price_per_token: string;
    total_tokens: string;
    sold_tokens: string;
    starts_at: string | null;
  }[];
}

export interface Split {
  tokens: string;
  parts: { tier: number; price: string; tokens: string; xrp: string }[];
  /** What goes back, and why; zero when nothing does. */
  back: string;
  why: string;
  /** Why nothing is bought; empty when something is. */
  none: string;
}

const drops = (xrp: string): Drops => parseDecimal(xrp, XRP_DECIMALS) ?? 0n;

/** Tiers as the rules see them. List and credentials are left to the page: the calculator shows prices. */
const tierStates = ({ tiers, decimals }: Offer): TierState[] =>
  tiers.map((tier) => ({
    tier: tier.tier,
    price: parsePrice(tier.price_per_token) ?? 0n,
    totalUnits: parseUnits(tier.total_tokens, decimals) ?? 0n,
    soldUnits: parseUnits(tier.sold_tokens, decimals) ?? 0n,
    listed: false,
    credential: null,
    startsAtMs: tier.starts_at === null ? null : Date.parse(tier.starts_at),
    valueDrops: 0n,
    openedAtMs: null,
    completedAtMs: null,
  }));

const WHY = {
  change: ', since it buys no further unit',
  sold_out: ', since the sale is then sold out',
  above_wallet_cap: ', since it is above what one wallet may invest',
  not_admitted: '',
  between_tiers: ', since the next tier has not started by then',
} as const;

/** What an amount buys if it arrives next, at the offer's time, and the wallet has not invested before: the allocation of the rules themselves. */
export function splitAmount(amount: Drops, offer: Offer): Split {
  const nothing = { tokens: formatUnits(0n, offer.decimals), parts: [], back: formatDrops(amount), why: '' };
  if (offer.min_investment_xrp !== null && amount < drops(offer.min_investment_xrp)) {
    return { ...nothing, none: 'Below the minimum payment: it would be refunded.' };
  }
  const limit = offer.max_per_wallet_xrp === null ? null : drops(offer.max_per_wallet_xrp);
  const buyer: Buyer = {
    atMs: offer.at_ms,
    admitted: true,
    holds: () => true,
    leftDrops: limit,
    leftListedDrops: null,
  };
  const tiers = tierStates(offer);
  const found = allocate(amount, tiers, buyer, {
    decimals: offer.decimals,
    refundMinDrops: drops(offer.refund_min_xrp),
  });
  if (found.parts.length === 0) return { ...nothing, none: 'This buys no unit: it would be refunded.' };
  return {
    tokens: formatUnits(found.totalUnits, offer.decimals),
    parts: found.parts.map((part) => ({
      tier: part.tier,
      price: formatPrice(tiers.find(({ tier }) => tier === part.tier)?.price ?? 0n),
      tokens: formatUnits(part.units, offer.decimals),
      xrp: formatDrops(part.drops),
    })),
    back: formatDrops(found.refundedDrops),
    why: WHY[found.stoppedBy],
    none: '',
  };
}
