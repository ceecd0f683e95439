import type { World } from './world.ts';

/** When the commit of an event was known, in `nowMs()`, by its id. */
export type Committed = Map<string, number>;

/** A whole system that takes events and delivers them, as the measurements of a launch drive it. */
export interface Deliverer {
  name: string;
  /**
   * Forgets everything before; from now on there are these receivers, either each for events of its own or all of them for the
   * same, and one of somebody else.
   */
  register(urls: readonly string[], urlOfAnother: string, events: 'own' | 'same'): Promise<void>;
  /** Writes one event for the n-th receiver alone, of those with events of their own. */
  publishTo(receiver: number): Promise<Committed>;
  /** Writes one event for somebody else's receiver. */
  publishToAnother(): Promise<Committed>;
  /** Writes so many events for every receiver, of those for the same ones, as fast as it takes them. */
  publishAll(events: number): Promise<Committed>;
  /** Waits until what has arrived is stored too. */
  settle(): Promise<void>;
  /** Processor time of the system and its database, since their start. */
  cpuMs(): Promise<number>;
  /** Resident memory without the database. */
  memoryMb(): Promise<number>;
}

export type OpenDeliverer = (world: World) => Promise<Deliverer & { end(): void }>;
