import { formatDecimal, parseDecimal, WIRE_TOKEN_DECIMALS } from '#lib/base/money.ts';
import { type SalePhase, salePhase } from '#lib/sales/projects/sale-phase.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { spelledCurrency } from '#lib/xrpl/currency-name.ts';

export type SaleState = SalePhase['state'];
type Tier = ProjectResource['tiers'][number];

const units = (text: string): bigint => parseDecimal(text, WIRE_TOKEN_DECIMALS) ?? 0n;
const tokens = (scaled: bigint): string => formatDecimal(scaled, WIRE_TOKEN_DECIMALS);

/** What the project's tokens are called: a currency code, or just tokens for an MPT. */
export const tokenName = ({ token }: Pick<ProjectResource, 'token'>): string =>
  token.kind === 'mpt' ? 'tokens' : (spelledCurrency(token.currency) ?? 'tokens');

export const tierWithLeft = (tier: Tier) => ({
  ...tier,
  left_tokens: tokens(units(tier.total_tokens) - units(tier.sold_tokens)),
});
export type TierFacts = ReturnType<typeof tierWithLeft>;

/** Where a sale stands, from its resource alone: the tier that sells now, and what is left. Pure. */
export function saleFacts(project: Omit<ProjectResource, 'deposit_address' | 'destination_tag'>, nowMs: number) {
  const tiers = project.tiers.map((tier) => ({
    ...tierWithLeft(tier),
    // A list of the whole sale holds for each of its tiers.
    access: project.access === 'allowlist' ? project.access : tier.access,
  }));
  const { state, next } = salePhase(project, nowMs);
  const place = tiers.findIndex((tier) => units(tier.left_tokens) > 0n);
  const current = tiers[place] ?? null;
  const sum = (field: 'left_tokens' | 'total_tokens' | 'sold_tokens') =>
    tokens(tiers.reduce((total, tier) => total + units(tier[field]), 0n));
  return {
    state,
    /** What time brings next. */
    next,
    token_name: tokenName(project),
    tiers,
    current_tier: current,
    next_tier: current === null ? null : (tiers[place + 1] ?? null),
    left_tokens: sum('left_tokens'),
    sold_tokens: sum('sold_tokens'),
    total_tokens: sum('total_tokens'),
  };
}
export type SaleFacts = ReturnType<typeof saleFacts>;
