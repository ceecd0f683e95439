import type { VirtualClock } from './clock.ts';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Calls once when the virtual clock reaches a time. It may call early; the callee looks at the clock itself. */
export class Alarm {
  readonly #clock: VirtualClock;
  readonly #onDue: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(clock: VirtualClock, onDue: () => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /** Replaces what was set before; undefined sets nothing. */
  setFor(dueAtMs: number | undefined): void {
    this.clear();
    if (dueAtMs === undefined) return;
    const waitMs = Math.max(0, dueAtMs - this.#clock.nowMs());
    this.#timer = setTimeout(this.#onDue, Math.min(waitMs, LONGEST_TIMER_MS));
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
