/** Real time plus what has been skipped. Milliseconds since 1970 throughout. */
export class VirtualClock {
  #skippedMs = 0;

  nowMs(): number {
    return Date.now() + this.#skippedMs;
  }

  skip(durationMs: number): void {
    this.#skippedMs += durationMs;
  }
}
