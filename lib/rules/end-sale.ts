import type { Effect, ProjectState, SaleEndReason } from './types.ts';

/** Ends a sale. One that has not reached its soft cap ends cancelled: all that was invested goes back. */
export function endSale(
  project: ProjectState,
  reason: Exclude<SaleEndReason, 'soft_cap_missed'>,
  endedAtMs: number,
): { project: ProjectState; effect: Effect & { type: 'sale_ended' } } {
  const missed = project.softCapDrops !== null && project.raisedDrops < project.softCapDrops;
  const endReason = missed ? 'soft_cap_missed' : reason;
  return {
    project: { ...project, status: missed ? 'cancelled' : 'completed', endedAtMs, endReason },
    effect: {
      type: 'sale_ended',
      projectId: project.id,
      reason: endReason,
      endedAtMs,
      raisedDrops: project.raisedDrops,
    },
  };
}
