import { readdirSync, readFileSync } from 'node:fs';

/** Processor time, in milliseconds, of what answers a verifier; null where the system does not tell. */
export interface Processor {
  ledgerMs: number;
  platformMs: number;
  databaseMs: number;
}

const MS_PER_TICK = 10;

interface Process {
  pid: number;
  parent: number;
  cpuMs: number;
  /** Of those below it that have ended. */
  endedMs: number;
  command: string;
}

/** `/proc/<pid>/stat`: the name stands in brackets and may hold anything; parent is the 4th field, times are the 14th to 17th. */
function processOf(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [own = 0, system = 0, ended = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
    return {
      pid,
      parent: Number(fields[1]),
      cpuMs: (own + system) * MS_PER_TICK,
      endedMs: (ended + endedSystem) * MS_PER_TICK,
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    };
  } catch {
    // It has ended meanwhile.
    return null;
  }
}

const belongsTo = (root: number, each: Process, byPid: ReadonlyMap<number, Process>): boolean => {
  const parent = byPid.get(each.parent);
  return each.pid === root || (parent !== undefined && parent !== each && belongsTo(root, parent, byPid));
};

/** What the processes below this one have used so far; null on a system without `/proc`. */
export function processorOf(platform: number): Processor | null {
  if (process.platform !== 'linux') return null;
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => processOf(Number(pid)) ?? []);
  const byPid = new Map(all.map((each) => [each.pid, each]));
  const own = all.filter((each) => each.pid !== process.pid && belongsTo(process.pid, each, byPid));
  const sum = (of: (each: Process) => boolean) =>
    own.filter(of).reduce((total, { cpuMs, endedMs }) => total + cpuMs + endedMs, 0);
  return {
    ledgerMs: sum(({ command }) => command.includes('sandbox/ledger/main')),
    platformMs: sum(({ pid }) => pid === platform),
    databaseMs: sum(({ command }) => /^postgres:|\/bin\/postgres/.test(command)),
  };
}

/** What was used between two readings. */
export const usedBetween = (before: Processor | null, after: Processor | null): Processor | null =>
  before === null || after === null
    ? null
    : {
        ledgerMs: after.ledgerMs - before.ledgerMs,
        platformMs: after.platformMs - before.platformMs,
        databaseMs: after.databaseMs - before.databaseMs,
      };
