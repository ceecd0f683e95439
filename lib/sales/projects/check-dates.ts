import type { ProjectInput } from '../schemas.ts';
import type { Faults } from './faults.ts';

/** The end lies ahead and after the start; tiers start one after the other, between the two. */
export function checkDates(
  input: Pick<ProjectInput, 'starts_at' | 'ends_at' | 'tiers'>,
  nowMs: number,
  faults: Faults,
): void {
  const startsAtMs = input.starts_at?.getTime() ?? null;
  const endsAtMs = input.ends_at?.getTime() ?? null;
  if (endsAtMs !== null && endsAtMs <= nowMs) faults.add('ends_at', 'must be in the future');
  if (startsAtMs !== null && endsAtMs !== null && endsAtMs <= startsAtMs) {
    faults.add('ends_at', 'must be after starts_at');
  }
  let latestMs: number | null = null;
  for (const [place, tier] of input.tiers.entries()) {
    const tierStartsAtMs = tier.starts_at?.getTime() ?? null;
    if (tierStartsAtMs === null) continue;
    const field = `tiers[${place}].starts_at`;
    if (startsAtMs !== null && tierStartsAtMs < startsAtMs) faults.add(field, 'must not be before starts_at');
    if (endsAtMs !== null && tierStartsAtMs >= endsAtMs) faults.add(field, 'must be before ends_at');
    if (latestMs !== null && tierStartsAtMs < latestMs) {
      faults.add(field, 'must not be before the start of a tier ahead of it');
    }
    latestMs = Math.max(latestMs ?? tierStartsAtMs, tierStartsAtMs);
  }
}
