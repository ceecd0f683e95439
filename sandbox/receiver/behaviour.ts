import { z } from 'zod';

/** How the receiver answers verified events: for trying out what a sender does with failures. */
export const behaviourSchema = z.strictObject({
  status: z.int().min(200).max(599).default(200),
  /** After so many answers the receiver goes back to 200; without it, never. */
  times: z.int().min(1).max(1_000_000).optional(),
  /** Waits before it answers. */
  delay_ms: z.int().min(0).max(120_000).default(0),
  /** Headers of the answer, for example `Retry-After`. */
  headers: z.record(z.string(), z.string()).default({}),
});

export type Behaviour = z.output<typeof behaviourSchema>;

const NORMAL: Behaviour = { status: 200, delay_ms: 0, headers: {} };

/** Holds the wished behaviour and counts down its `times`. */
export function createBehaviours(): { set(behaviour: Behaviour): void; next(): Behaviour } {
  let current = NORMAL;
  return {
    set: (behaviour) => {
      current = behaviour;
    },
    next: () => {
      const now = current;
      if (now.times !== undefined) current = now.times > 1 ? { ...now, times: now.times - 1 } : NORMAL;
      return now;
    },
  };
}
