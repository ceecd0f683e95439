import { readdir, readFile } from 'node:fs/promises';

/** Linux counts processor time in these. */
const TICK_MS = 10;

/** Of a process as /proc tells: its parent, and the ticks that it and its ended children have used. */
async function readProcess(pid: number): Promise<{ parent: number; ticks: number } | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // What follows the name, which may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(fields[1]), ticks };
}

/** Processor time that a process and its children have used since its start, in milliseconds. Linux alone tells. */
export async function cpuOfTreeMs(pid: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const processes = await Promise.all(pids.map(async (each) => ({ pid: each, told: await readProcess(each) })));
  const ticks = processes.reduce(
    (sum, { pid: each, told }) => (told !== null && (each === pid || told.parent === pid) ? sum + told.ticks : sum),
    0,
  );
  return ticks * TICK_MS;
}

/** Resident memory of a process, in megabytes. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_000;
}
