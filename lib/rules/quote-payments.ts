import type { ScaledPrice, TokenUnits } from './amounts.ts';
import { reduceAll } from './reduce.ts';
import type { Effect, ProjectState, SaleAction, SalePayment, SaleState, TierState } from './types.ts';

/** What a payment is expected to buy at recognition: the `tier_info` of `investment.created`. */
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

/**
 * Quotes for the payments in `wanted`, with every earlier entry counted and no later one: where a page ends makes no
 * difference. A payment that an action assigns has none, since it became an investment without waiting. Pure.
 */
export function quotePayments(
  state: SaleState,
  entries: readonly (SalePayment | SaleAction)[],
  wanted: ReadonlySet<string>,
): Quote[] {
  return quotesOf(state, reduceAll(state, entries).effects, wanted);
}

/** The same of what the entries come to already: `effects` are those of a run that began with `state`. Pure. */
export function quotesOf(state: SaleState, effects: readonly Effect[], wanted: ReadonlySet<string>): Quote[] {
  const quotes: Quote[] = [];
  const projectOf = new Map([...state.projects.values()].map((project) => [project.id, project]));
  const completed = new Set<TierState>();
  for (const effect of effects) {
    if (effect.type === 'tier_completed') {
      const tier = tierOf(projectOf.get(effect.projectId), effect.tier.tier);
      if (tier !== undefined) completed.add(tier);
    }
    if (effect.type !== 'invested' && effect.type !== 'refused') continue;
    if (effect.projectId === null || !wanted.has(effect.payment.hash)) continue;
    if (effect.type === 'invested' && effect.assignedBy !== null) continue;
    const project = projectOf.get(effect.projectId);
    if (project === undefined) continue;
    const firstTier = effect.type === 'invested' ? effect.parts[0]?.tier : undefined;
    const tier =
      tierOf(project, firstTier) ??
      project.tiers.find((candidate) => candidate.completedAtMs === null && !completed.has(candidate)) ??
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

const tierOf = (project: ProjectState | undefined, tier: number | undefined): TierState | undefined =>
  project?.tiers.find((candidate) => candidate.tier === tier);
