import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import type { Manifest } from '#sandbox/launcher/manifest.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** A first start builds the app. */
const READY_TIMEOUT_MS = 480_000;
const STOP_TIMEOUT_MS = 20_000;
/** App, ledger, QStash, Redis, PostgreSQL, receiver: consecutive from the base port. */
const PORT_COUNT = 7;

export interface RunningSandbox {
  manifest: Manifest;
  /** Folder of its logs. */
  logFolder: string;
  /** Asks it to stop; resolves with its exit code once it is gone. */
  stop(): Promise<number | null>;
}

declare module 'vitest' {
  interface ProvidedContext {
    sandbox: Pick<RunningSandbox, 'manifest' | 'logFolder'>;
  }
}

/** Whether a test file is one of those that share the sandbox of the run. */
export const sharesSandbox = (file: string): boolean => /\/tests\/(?:contract|e2e)\//.test(file);

/** vitest globalSetup: one sandbox for all files that share it, if any is to run; they read it with `inject('sandbox')`. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!project.vitest.state.getPaths().some(sharesSandbox)) return undefined;
  const { manifest, logFolder, stop } = await startSandbox();
  project.provide('sandbox', { manifest, logFolder });
  return async () => {
    const code = await stop();
    if (code !== 0) throw new Error(`The sandbox ended with exit code ${code}`);
  };
}

/**
 * Starts the whole sandbox as `npm run sandbox` does, by default without demo and crowd and with ledgers that close on
 * `ledger_accept` only. The app in it is the production build.
 */
export async function startSandbox(
  flags: readonly string[] = ['--no-crowd', '--no-demo', '--ledger-interval', '0'],
): Promise<RunningSandbox> {
  const port = await freeBasePort();
  // Tests sign by the keys of the accounts themselves.
  const oneKey = flags.includes('--witnesses') ? [] : ['--witnesses', '0'];
  const child = spawn(process.execPath, ['sandbox/main.ts', ...flags, ...oneKey, '--port', String(port)], {
    cwd: ROOT,
    // What vitest sets for its own processes is not for the app. A suite calls far more often than a user would.
    env: {
      ...process.env,
      NODE_ENV: 'production',
      VITEST: undefined,
      NODE_OPTIONS: undefined,
      LEDGER_URL: undefined,
      RATE_LIMIT_SCALE: '1000',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : null));
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    const code = await ended;
    clearTimeout(timer);
    return code;
  };
  let output = '';
  const ready = new Promise<void>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`The sandbox ${why}.\n${output}`));
    const timer = setTimeout(() => fail(`was not ready after ${READY_TIMEOUT_MS / 1000} s`), READY_TIMEOUT_MS);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('sandbox ready')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then((code) => fail(`ended with exit code ${code} before it was ready`));
    void ended.finally(() => clearTimeout(timer));
  });
  try {
    await ready;
    return { manifest: await readManifest(port), logFolder: path.join(ROOT, '.sandbox/logs', String(port)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readManifest(port: number): Promise<Manifest> {
  const manifest = JSON.parse(await readFile(path.join(ROOT, '.sandbox/manifest.json'), 'utf8')) as Manifest;
  if (manifest.base_url !== `http://127.0.0.1:${port}`) {
    throw new Error(`The manifest is of another sandbox (${manifest.base_url}); run one at a time`);
  }
  return manifest;
}

async function freeBasePort(): Promise<number> {
  for (;;) {
    const base = 20_000 + Math.floor(Math.random() * 8_000);
    const free = await Promise.all(Array.from({ length: PORT_COUNT }, (_, i) => isFree(base + i)));
    if (free.every(Boolean)) return base;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}
