import type { ProjectState } from '@tranche/rules/types.ts';
import type { Progress } from './progress.ts';
import type { ReadTerms } from './terms.ts';

/** The sale as the feed has left it so far. */
export function stateOf({ projectId, terms }: ReadTerms, { sale }: Progress): ProjectState {
  const state = sale.projects.get(terms.destination_tag);
  if (state === undefined) throw new Error(`${projectId} has no state`);
  return state;
}
