import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export type ChildSpec = {
  /** Names its log and stands in messages. */
  name: string;
  /** Arguments to node: a script and its own arguments. */
  args: string[];
  env: Record<string, string>;
  cwd: string;
  /** Opens a message channel (`process.send`). */
  talks?: boolean;
};

export type Ending = { code: number | null; signal: NodeJS.Signals | null };

export type Child = {
  name: string;
  logFile: string;
  process: ChildProcess;
  /** Resolves when the process has ended, for whatever reason; never rejects. */
  ended: Promise<Ending>;
  /** Asks it to end, and after `graceMs` ends it and all it started. Returns when it is gone. */
  stop(graceMs: number): Promise<void>;
};

const LEASH = pathToFileURL(path.join(import.meta.dirname, 'leash.ts')).href;
const LEASH_FD = 3;

/** Starts a node process in a process group of its own; a Ctrl-C in the terminal reaches the launcher only. */
export function startChild(spec: ChildSpec, logFile: string): Child {
  const log = openSync(logFile, 'w', 0o600);
  const child = spawn(process.execPath, ['--import', LEASH, ...spec.args], {
    cwd: spec.cwd,
    env: { NODE_ENV: 'production', ...spec.env, TRANCHE_LEASH_FD: String(LEASH_FD) },
    detached: true,
    stdio: ['ignore', log, log, 'pipe', spec.talks ? 'ipc' : 'ignore'],
  });
  closeSync(log);
  // Node reads none of it; without a listener a broken pipe would be an uncaught error.
  child.stdio[LEASH_FD]?.on('error', () => {});
  const ended = new Promise<Ending>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => {
      if (child.pid === undefined) resolve({ code: null, signal: null });
    });
  });
  const stop = async (graceMs: number) => {
    signalGroup(child, 'SIGTERM');
    const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
    await ended;
    clearTimeout(timer);
    // What it had started itself may have outlived it.
    signalGroup(child, 'SIGKILL');
  };
  return { name: spec.name, logFile, process: child, ended, stop };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}
