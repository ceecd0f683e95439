import { readdirSync, readFileSync } from 'node:fs';

/** Memory of this run's processes at one moment, in bytes, by name. */
export type Memory = Record<string, number>;

const LOOK_EVERY_MS = 5_000;

/** The parent of a process is the second field behind its name, which stands in brackets and may hold anything. */
function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // It has ended meanwhile.
    return null;
  }
}

/** Memory of its own and its share of what it has in common with others: of a database server, buffers count once. */
function bytesOf(pid: number): number {
  try {
    const [, kilobytes = '0'] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}

/** Memory of a process and its direct children; 0 on a system without `/proc`. */
export function memoryOf(root: number): number {
  if (process.platform !== 'linux') return 0;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return [root, ...pids.map(Number).filter((pid) => parentOf(pid) === root)].reduce(
    (sum, pid) => sum + bytesOf(pid),
    0,
  );
}

/** Looks every few seconds until it is ended, and knows the highest of each process since it was last asked. */
export function watchHighest(look: () => Promise<Memory>): { highest(): Memory; latest(): Memory; end(): void } {
  let highest: Memory = {};
  let latest: Memory = {};
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .then((seen) => {
        latest = seen;
        for (const [name, bytes] of Object.entries(seen)) highest[name] = Math.max(highest[name] ?? 0, bytes);
      })
      // A process that is gone is noticed where it is needed.
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }, LOOK_EVERY_MS);
  return {
    highest() {
      const since = highest;
      highest = { ...latest };
      return since;
    },
    latest: () => latest,
    end: () => clearInterval(timer),
  };
}
