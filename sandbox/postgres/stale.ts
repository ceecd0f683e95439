import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { codeOf, PostgresFailure } from './failure.ts';

const LET_GO_MS = 3_000;

/** Whether a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/**
 * Clears the postmaster.pid of a run that was killed. PostgreSQL clears it by itself unless the process id was given to
 * another program since, which in a container happens at almost every restart.
 *
 * @throws PostgresFailure when a PostgreSQL really runs on this data directory and does not go away
 */
export async function clearStaleLock(dataDir: string): Promise<void> {
  const lockFile = path.join(dataDir, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(lockFile, 'utf8').catch(() => ''), 10);
  // A server whose starter was killed is on its way down: see guard.ts.
  for (const until = Date.now() + LET_GO_MS; await servesFrom(pid, dataDir); await sleep(50)) {
    if (Date.now() > until) {
      throw new PostgresFailure(`Another PostgreSQL (process ${pid}) runs on ${dataDir}. Stop it first.`);
    }
  }
  await rm(lockFile, { force: true });
}

async function servesFrom(pid: number, dataDir: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const ps = await promisify(execFile)('ps', ['-o', 'args=', '-p', String(pid)]).catch(() => null);
  const command = ps?.stdout ?? (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
  return command.includes(dataDir);
}
