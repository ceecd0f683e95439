import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Notes that a sandbox with this base port runs from this folder; returns how to take the note away. */
export async function registerRunning(folder: string, basePort: number): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const note = path.join(folder, String(basePort));
  await writeFile(note, String(process.pid));
  return () => rm(note, { force: true });
}

/** Base ports of the other sandboxes that run from this folder. A note of a process that is gone does not count. */
export async function othersRunning(folder: string, basePort: number): Promise<number[]> {
  const ports: number[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const port = Number(name);
    const pid = Number(await readFile(path.join(folder, name), 'utf8').catch(() => ''));
    if (port !== basePort && exists(pid)) ports.push(port);
  }
  return ports;
}

function exists(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
