import type { ChildProcess } from 'node:child_process';
import { type ProcessContext, runDetached } from './run.ts';

/**
 * Stops the server when this process disappears without stopping it. PostgreSQL does not notice the death of its parent;
 * a shell that waits for the end of a pipe we hold does, and SIGINT is PostgreSQL's fast shutdown.
 */
export function guardServer(server: ChildProcess, surroundings: ProcessContext): void {
  const guard = runDetached('/bin/sh', ['-c', 'read -r _; kill -INT "$0"', String(server.pid)], surroundings, [
    'pipe',
    'ignore',
    'ignore',
  ]);
  guard.on('error', () => {});
  guard.stdin?.on('error', () => {});
  guard.unref();
  // Without the guard gone first, its signal could meet another process that was given the same id.
  server.once('exit', () => guard.kill('SIGKILL'));
}
