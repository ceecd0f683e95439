import type { Effect } from '@tranche/rules/types.ts';
import { eventId } from '#lib/events/envelope.ts';
import type { FeedEntry } from '#lib/xrpl/types.ts';
import type { World } from './world.ts';

export interface Told {
  id: string;
  projectId: string;
  created: boolean;
}

/** Every event there must be; one that is told twice stands here twice. */
export function eventsOf(world: World, effects: readonly Effect[], read: readonly FeedEntry[]): Told[] {
  const created = read.flatMap((entry): Told[] => {
    const project =
      entry.kind === 'payment' ? world.projects.find(({ tag }) => tag === entry.destinationTag) : undefined;
    return project === undefined
      ? []
      : [{ id: eventId('investment.created', entry.hash), projectId: project.id, created: true }];
  });
  const decided = effects.flatMap((effect): Told[] => {
    if (!('projectId' in effect) || effect.projectId === null) return [];
    const { projectId } = effect;
    const told = (...of: Parameters<typeof eventId>): Told => ({ id: eventId(...of), projectId, created: false });
    switch (effect.type) {
      case 'invested':
        return [
          ...(effect.assignedBy === null
            ? []
            : [{ ...told('investment.created', effect.payment.hash), created: true }]),
          told('investment.confirmed', effect.payment.hash),
        ];
      case 'refused':
        return [told('investment.failed', effect.payment.hash)];
      case 'milestone': {
        const { milestone } = effect;
        const name = milestone.kind === 'progress' ? milestone.percent : milestone.kind;
        return [told('project.milestone_reached', `${projectId}/${name}`)];
      }
      case 'tier_completed':
        return [told('project.tier_completed', `${projectId}/${effect.tier.tier}`)];
      case 'launched':
        return [told('project.launched', projectId)];
      case 'sale_ended':
        return [told('project.sale_ended', projectId)];
      case 'cancelled':
        return [told('project.cancelled', projectId)];
      default:
        return [];
    }
  });
  return [...created, ...decided];
}
