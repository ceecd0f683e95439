import { pack, unpack } from './pack.ts';
import type { Progress } from './progress.ts';

/** Goes up with each change of `Progress`, or of what it means: what an older program has kept is not gone on with. */
const FORMAT = 4;

interface Kept {
  format: number;
  projectId: string;
  progress: Progress;
}

/** What a verification keeps between two pages, as text. */
export const keepProgress = (projectId: string, progress: Progress): string =>
  pack({ format: FORMAT, projectId, progress } satisfies Kept);

/**
 * Where a verification of `projectId` stood; null when another version of this program has kept it, so that it begins anew.
 *
 * @throws Error when it belongs to another sale
 */
export function readProgress(text: string, projectId: string): Progress | null {
  const kept = unpack(text) as Partial<Kept> | null;
  if (kept?.format !== FORMAT || kept.progress === undefined) return null;
  if (kept.projectId !== projectId) throw new Error(`it belongs to ${kept.projectId}: name another file`);
  return kept.progress;
}
