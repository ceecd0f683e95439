import type { Move, ProjectStatus } from './types.ts';

/**
 * The closed table of moves: from a status, what each move leads to. What is not here has no effect. A sale that is
 * completed cannot be cancelled: what it raised may have gone to the treasury.
 */
export const TRANSITIONS: Record<ProjectStatus, Partial<Record<Move, ProjectStatus>>> = {
  draft: { launch: 'active', list: 'draft' },
  active: { pause: 'paused', end: 'completed', cancel: 'cancelled', list: 'active', assign: 'active' },
  paused: { resume: 'active', end: 'completed', cancel: 'cancelled', list: 'paused' },
  completed: {},
  cancelled: {},
};

export const allowedMoves = (status: ProjectStatus): Move[] => Object.keys(TRANSITIONS[status]) as Move[];
