import type { ScaledPrice, TokenUnits } from '#lib/platform/money.ts';
import { reduceAll } from './reduce.ts';
import type { ProjectState, SaleMove, SalePayment, SaleState } from './types.ts';

/** What a payment is expected to buy at recognition: the `tier_info` of specification 2.1. */
export interface Quote {
  payment: SalePayment;
  projectId: string;
  /** The first tier touched; for a payment that buys nothing, the tier that is open. */
  tier: number;
  price: ScaledPrice;
  /** All tokens expected, over every tier; none when the payment will be refused. */
  units: TokenUnits;
  decimals: number;
}

/** Quotes for the payments in `wanted`, with every earlier entry counted. Pure. */
export function quotePayments(
  state: SaleState,
  entries: readonly (SalePayment | SaleMove)[],
  wanted: ReadonlySet<string>,
): Quote[] {
  const quotes: Quote[] = [];
  const { state: after, effects } = reduceAll(state, entries);
  const projectOf = (id: string): ProjectState | undefined =>
    [...after.projects.values()].find((project) => project.id === id);
  for (const effect of effects) {
    if (effect.type !== 'invested' && effect.type !== 'refused') continue;
    if (effect.projectId === null || !wanted.has(effect.payment.hash)) continue;
    const project = projectOf(effect.projectId);
    if (project === undefined) continue;
    const firstTier = effect.type === 'invested' ? effect.parts[0]?.tier : undefined;
    const tier =
      project.tiers.find((candidate) => candidate.tier === firstTier) ??
      project.tiers.find((candidate) => candidate.completedAtMs === null) ??
      project.tiers.at(-1);
    if (tier === undefined) continue;
    quotes.push({
      payment: effect.payment,
      projectId: project.id,
      tier: tier.tier,
      price: tier.price,
      units: effect.type === 'invested' ? effect.totalUnits : 0n,
      decimals: project.decimals,
    });
  }
  return quotes;
}
