const RealDate = Date;
let offsetMs = 0;

/** The time of this process is off by `offsetMs`, for everything that asks JavaScript for it; timers run as they did. */
class OffsetDate extends RealDate {
  /** What was made before the clock was set is a date too. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof RealDate;
  }

  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(RealDate.now() + offsetMs);
    else super(...(given as [number]));
  }

  static override now(): number {
    return RealDate.now() + offsetMs;
  }
}

/** From now on, at once, as when somebody sets the machine's clock. */
export function setClockOffset(ms: number): void {
  offsetMs = ms;
  globalThis.Date = OffsetDate as DateConstructor;
}
