/**
 * One instance a process, made on first use, and made anew when the settings that it is made from have changed. What is
 * replaced is left to its users.
 */
export function memoize<T>(settingsOf: () => readonly unknown[], make: () => T): { get(): T; drop(): T | undefined } {
  let current: { key: string; instance: T } | undefined;
  return {
    get() {
      const key = JSON.stringify(settingsOf());
      if (current?.key !== key) current = { key, instance: make() };
      return current.instance;
    },
    drop() {
      const dropped = current?.instance;
      current = undefined;
      return dropped;
    },
  };
}
