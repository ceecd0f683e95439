import { endSale } from './end-sale.ts';
import { TRANSITIONS } from './transitions.ts';
import type { Effect, ProjectState, SaleMove } from './types.ts';

/** What a move makes of its project; `assign` is reduced as the payment that it names (reduce.ts). */
export function reduceMove(project: ProjectState, move: SaleMove): { project: ProjectState; effects: Effect[] } {
  const without = (detail: string) => ({
    project,
    effects: [{ type: 'move_without_effect' as const, move, detail }],
  });
  const next = TRANSITIONS[project.status][move.move];
  if (next === undefined) return without(`${move.move} is not possible while ${project.status}`);
  const moved = { type: 'moved' as const, projectId: project.id, move, status: next } satisfies Effect;
  switch (move.move) {
    case 'launch': {
      if (project.termsHash === null || move.termsHash !== project.termsHash) {
        return without('the anchored hash is not that of the published terms');
      }
      if (project.endsAtMs !== null && move.closedAtMs > project.endsAtMs) {
        return without('the sale was over before it was launched');
      }
      const [first, ...others] = project.tiers;
      const openedAtMs = Math.max(move.closedAtMs, project.startsAtMs ?? 0, first?.startsAtMs ?? 0);
      const tiers = first === undefined ? [] : [{ ...first, openedAtMs }, ...others];
      return {
        project: { ...project, status: next, launchedAtMs: move.closedAtMs, tiers },
        effects: [{ type: 'launched', projectId: project.id, move }],
      };
    }
    case 'list':
      if (move.listHash === null || !project.lists.has(move.listHash)) {
        return without('the anchored hash is not that of a published list');
      }
      return { project: { ...project, listHash: move.listHash }, effects: [moved] };
    case 'end': {
      const ended = endSale(project, 'ended', move.closedAtMs);
      // A soft cap that was missed makes it cancelled.
      return { project: ended.project, effects: [{ ...moved, status: ended.project.status }, ended.effect] };
    }
    case 'cancel':
      return {
        project: { ...project, status: next, endedAtMs: move.closedAtMs, endReason: 'cancelled' },
        effects: [{ type: 'cancelled', projectId: project.id, move, raisedDrops: project.raisedDrops }],
      };
    default:
      return { project: { ...project, status: next }, effects: [moved] };
  }
}
