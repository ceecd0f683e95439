import type { Move, ProjectStatus } from './types.ts';

/** The closed table of moves: from a status, what each move leads to. What is not here has no effect. */
export const TRANSITIONS: Record<ProjectStatus, Partial<Record<Move, ProjectStatus>>> = {
  draft: { launch: 'active', cancel: 'cancelled' },
  active: { pause: 'paused', end: 'completed', cancel: 'cancelled' },
  paused: { resume: 'active', end: 'completed', cancel: 'cancelled' },
  completed: {},
  cancelled: {},
};

export const allowedMoves = (status: ProjectStatus): Move[] => Object.keys(TRANSITIONS[status]) as Move[];
