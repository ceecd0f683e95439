import type { Effect, SaleState } from '@tranche/rules/types.ts';
import { distributionParts } from '@tranche/rules/vesting.ts';
import type { FeedEntry } from '#lib/xrpl/types.ts';
import { DISTRIBUTOR } from '#tests/support/sale.ts';
import { line } from './books.ts';
import type { World, WorldProject } from './world.ts';

/** What is owed: refunds at once, tokens at once or, where the sale distributes at its end, once that is `planned`. */
export function payoutLines(
  world: World,
  read: readonly FeedEntry[],
  effects: readonly Effect[],
  {
    state,
    projectOf,
    planned,
  }: { state: SaleState; projectOf: ReadonlyMap<string, WorldProject>; planned: ReadonlySet<string> },
): string[] {
  const sourceTagOf = new Map(read.map((entry) => [entry.hash, entry.kind === 'payment' ? entry.sourceTag : null]));
  return effects.flatMap((effect) => {
    if (effect.type !== 'invested' && effect.type !== 'refused') return [];
    const { payment, projectId } = effect;
    const project = projectOf.get(projectId ?? '');
    const tag = sourceTagOf.get(payment.hash) ?? null;
    const to = { project: projectId, has_investment: projectId !== null };
    const decidedAtMs = effect.type === 'invested' ? effect.decidedAtMs : payment.closedAtMs;
    const payout = (kind: string, part: number, from: string, amount: bigint, dueAtMs: number) =>
      line({
        kind,
        payment: payment.hash,
        part,
        ...to,
        from,
        to: payment.sender,
        tag,
        amount,
        due: new Date(dueAtMs),
        status: 'scheduled',
      });
    const refund =
      effect.refundedDrops > 0n ? [payout('refund', 1, world.account, effect.refundedDrops, decidedAtMs)] : [];
    if (effect.type !== 'invested' || project === undefined) return refund;
    const { distribution, vesting } = project.terms;
    const atEnd = state.projects.get(project.tag);
    if (distribution === 'at_end' && (!planned.has(payment.hash) || atEnd?.status !== 'completed')) return refund;
    const baseMs = distribution === 'immediate' ? decidedAtMs : (atEnd?.endedAtMs ?? 0);
    const parts = distributionParts(effect.totalUnits, vesting, baseMs);
    return [
      ...refund,
      ...parts.map(({ part, units, dueAtMs }) => payout('distribution', part, DISTRIBUTOR, units, dueAtMs)),
    ];
  });
}
