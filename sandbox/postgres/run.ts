import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import type { Account } from './account.ts';

const execFileAsync = promisify(execFile);

/** Where and as whom a PostgreSQL program runs; `account` null is the current user. */
export type ProcessContext = { account: Account | null; cwd: string };

// Nothing of the caller's environment: a PGDATA, PGPORT or an odd locale there would change what the programs do, and
// readiness is recognised by English log lines.
const ENVIRONMENT: NodeJS.ProcessEnv = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  NODE_ENV: 'production',
};

function optionsFor({ account, cwd }: ProcessContext) {
  return { cwd, env: ENVIRONMENT, ...(account ?? {}) };
}

/** Runs a program to its end and returns its stdout; throws with its stderr when it fails. */
export async function runToEnd(file: string, args: string[], surroundings: ProcessContext): Promise<string> {
  const { stdout } = await execFileAsync(file, args, { ...optionsFor(surroundings), encoding: 'utf8' });
  return stdout;
}

/** Starts a long-running program in a session of its own, so that a Ctrl-C in the terminal does not reach it. */
export function runDetached(
  file: string,
  args: string[],
  surroundings: ProcessContext,
  stdio: ['ignore' | 'pipe', 'ignore', 'ignore' | 'pipe'],
): ChildProcess {
  return spawn(file, args, { ...optionsFor(surroundings), detached: true, stdio });
}
