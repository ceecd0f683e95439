import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { COPY } from './bare.ts';

const READY_TIMEOUT_MS = 900_000;

export interface Served {
  baseUrl: string;
  end(): Promise<void>;
}

/** Builds the copy for production and serves it with its sandbox: the demo sale, and nobody who pays while it is measured. */
export async function serveCopy(port: number): Promise<Served> {
  const child = spawn(process.execPath, ['sandbox/main.ts', '--no-crowd', '--witnesses', '0', '--port', String(port)], {
    cwd: COPY,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const end = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  let output = '';
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('sandbox ready')) resolve();
    });
  });
  const late = new AbortController();
  const why = await Promise.race([
    ready.then(() => null),
    exited.then(([code]) => `ended with exit code ${code}`),
    sleep(READY_TIMEOUT_MS, `was not ready after ${READY_TIMEOUT_MS / 1000} s`, { signal: late.signal }),
  ]);
  late.abort();
  if (why !== null) {
    if (child.exitCode === null) await end();
    throw new Error(`The sandbox ${why}.\n${output}`);
  }
  return { baseUrl: `http://127.0.0.1:${port}`, end };
}
