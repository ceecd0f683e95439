/** Lets others wait until something has changed. */
export class ChangeSignal {
  readonly #listeners = new Set<() => void>();

  announce(): void {
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  /** Resolves at the next change, or after `timeoutMs` of real time. */
  next(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#listeners.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
