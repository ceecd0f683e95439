import { HEALTH_RANK, type HealthStatus } from '../parts.ts';

/** What is known of a part. */
export interface PartState {
  /** As it was announced last. */
  status: HealthStatus;
  since: Date;
  /** When a look first found it worse; null while the last look did not. */
  suspectedSince: Date | null;
}

/**
 * What a look makes of a part. Worse is believed when two looks in a row find it so, better at once: what fails for a
 * moment tells nobody, and what works again is told without delay. A changed `status` is to be announced. Pure.
 */
export function nextState(known: PartState, seen: HealthStatus, at: Date): PartState {
  if (seen === known.status) return { ...known, suspectedSince: null };
  if (HEALTH_RANK[seen] < HEALTH_RANK[known.status]) return { status: seen, since: at, suspectedSince: null };
  if (known.suspectedSince === null) return { ...known, suspectedSince: at };
  return { status: seen, since: known.suspectedSince, suspectedSince: null };
}
