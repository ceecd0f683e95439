import type { World } from './world.ts';

/** The first tier that a payment was to touch, and its units over all tiers. */
export interface ExpectedQuote {
  tier: number;
  units: bigint;
}

/**
 * What `investment.created` promises, by payment: what the payment comes to with every earlier entry counted. One that is
 * refused is quoted the tier that is open in its place, or the last one.
 */
export function quotesOf(world: World, throughLedger: number): Map<string, ExpectedQuote> {
  const quotes = new Map<string, ExpectedQuote>();
  const completed = new Set<string>();
  for (const effect of world.reduceThrough(throughLedger).effects) {
    if (effect.type === 'tier_completed') completed.add(`${effect.projectId}/${effect.tier.tier}`);
    if (effect.type === 'invested') {
      quotes.set(effect.payment.hash, { tier: effect.parts[0]?.tier ?? 0, units: effect.totalUnits });
    }
    if (effect.type === 'refused' && effect.projectId !== null) {
      const project = world.projects.find(({ id }) => id === effect.projectId);
      const numbers = (project?.terms.tiers ?? []).map((_, index) => index + 1);
      const open = numbers.find((tier) => !completed.has(`${effect.projectId}/${tier}`));
      quotes.set(effect.payment.hash, { tier: open ?? numbers.length, units: 0n });
    }
  }
  return quotes;
}
