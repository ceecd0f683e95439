import type { Target } from './world.ts';

/** A way to deliver webhooks, as the measurements drive it. */
export interface System {
  name: string;
  /** Takes up these receivers and forgets everything before. */
  prepare(targets: readonly Target[]): Promise<void>;
  /** Writes so many events for every receiver, and lets nothing begin. Gives the number of deliveries. */
  fill(events: number): Promise<number>;
  /** Begins to work. */
  start(): Promise<void>;
  /** Writes one event for one receiver. Gives its id and when its commit was known, in `nowMs()`. */
  publish(target: Target): Promise<{ eventId: string; committedAtMs: number }>;
  /** True when everything is delivered and stored. */
  isDone(): Promise<boolean>;
  /** Ends to work. */
  rest(): Promise<void>;
}
