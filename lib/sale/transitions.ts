import type { Move, ProjectStatus } from './types.ts';

/**
 * The closed table of moves: from a status, what each move leads to. What is not here has no effect. `cancel` is not:
 * it must not leave investors between distribution and refund.
 */
export const TRANSITIONS: Record<ProjectStatus, Partial<Record<Move, ProjectStatus>>> = {
  draft: { launch: 'active' },
  active: { pause: 'paused', end: 'completed' },
  paused: { resume: 'active', end: 'completed' },
  completed: {},
  cancelled: {},
};

export const allowedMoves = (status: ProjectStatus): Move[] => Object.keys(TRANSITIONS[status]) as Move[];
