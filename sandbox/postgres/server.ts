import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Cluster } from './cluster.ts';
import { PostgresFailure } from './failure.ts';
import { guardServer } from './guard.ts';
import { type ProcessContext, runDetached } from './run.ts';

/** A running PostgreSQL server. */
export type Server = { process: ChildProcess; stop(): Promise<void> };

const START_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 5_000;
const KEPT_LINES = 40;

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  // No Unix socket: its path could be too long, and a second way in would only need guarding.
  'unix_socket_directories=',
  'max_connections=200',
  // The sandbox forgets its state at each start and a test with its end: durability would buy nothing and cost a disk
  // flush a commit. Not for data that anyone wants to keep.
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=256MB',
  'jit=off',
  'timezone=UTC',
  'log_timezone=UTC',
];

/**
 * Starts the server of a cluster on 127.0.0.1 and returns when it accepts connections.
 *
 * @throws PostgresFailure with the server's last lines when it does not come up
 */
export async function startServer(
  postgres: string,
  cluster: Cluster & { settings: readonly string[] },
  port: number,
  surroundings: ProcessContext,
  onLine: (line: string) => void,
): Promise<Server> {
  const settings = [...SETTINGS, ...cluster.settings];
  const args = ['-D', cluster.dataDir, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const child = runDetached(postgres, args, surroundings, ['ignore', 'ignore', 'pipe']);
  const lines: string[] = [];
  const ready = Promise.withResolvers<void>();
  const giveUp = (what: string) => ready.reject(new PostgresFailure(`${what}\n${lines.join('\n')}`.trim()));
  const timer = setTimeout(
    () => giveUp(`PostgreSQL was not ready after ${START_TIMEOUT_MS / 1000} s.`),
    START_TIMEOUT_MS,
  );
  child.once('error', (error) => giveUp(`PostgreSQL could not be run: ${error.message}`));
  child.once('close', (code, signal) =>
    giveUp(`PostgreSQL ended while it started (${signal ?? `exit code ${code}`}).`),
  );
  if (child.stderr) {
    createInterface(child.stderr).on('line', (line) => {
      lines.push(line);
      if (lines.length > KEPT_LINES) lines.shift();
      onLine(line);
      if (line.includes('database system is ready to accept connections')) ready.resolve();
    });
  }
  if (child.pid !== undefined) guardServer(child, surroundings);
  try {
    await ready.promise;
  } catch (error) {
    await stopServer(child);
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return { process: child, stop: () => stopServer(child) };
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGINT');
  // SIGQUIT ends every backend at once; SIGKILL would leave them behind.
  const timer = setTimeout(() => child.kill('SIGQUIT'), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(timer);
}
