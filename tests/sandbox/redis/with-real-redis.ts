/**
 * Runs the Redis tests in front of a real Redis: `node tests/sandbox/redis/with-real-redis.ts [vitest arguments]`. It starts a
 * `redis-server` of its own, or uses the one at REDIS_TEST_URL, whose data are then flushed. Ends with vitest's exit code.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const NOT_INSTALLED = `redis-server is not installed. On Debian and Ubuntu: apt-get install redis-server
Or set REDIS_TEST_URL to a Redis whose data may be flushed.`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A server in memory only, on this machine only. @throws Error with a sentence for the user */
async function startServer(folder: string): Promise<{ url: string; server: ChildProcess }> {
  const port = await freePort();
  const settings = { port: String(port), bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no', databases: '1' };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ready = Promise.withResolvers<void>();
  server.once('error', (error) => {
    const isMissing = 'code' in error && error.code === 'ENOENT';
    ready.reject(isMissing ? new Error(NOT_INSTALLED) : error);
  });
  server.once('exit', (code) => ready.reject(new Error(`redis-server ended with exit code ${code} as it started`)));
  createInterface(server.stdout).on('line', (line) => {
    if (line.includes('Ready to accept connections')) ready.resolve();
  });
  await ready.promise;
  return { url: `redis://127.0.0.1:${port}`, server };
}

async function runTests(redisUrl: string): Promise<number> {
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
  // One file at a time: they flush what they share.
  const args = ['run', '--no-file-parallelism', 'tests/sandbox/redis'];
  const tests = spawn(process.execPath, [vitest, ...args, ...process.argv.slice(2)], {
    cwd: ROOT,
    env: { ...process.env, REDIS_TEST_URL: redisUrl },
    stdio: 'inherit',
  });
  const [code] = await once(tests, 'exit');
  return typeof code === 'number' ? code : 1;
}

/** How many commands the server has worked off: that a run was green says nothing if none reached it. */
async function commandsProcessed(redisUrl: string): Promise<number> {
  const redis = new Redis(redisUrl);
  const stats = await redis.info('stats').finally(() => redis.disconnect());
  return Number(/total_commands_processed:(\d+)/.exec(stats)?.[1] ?? 0);
}

async function testAgainst(redisUrl: string): Promise<number> {
  const before = await commandsProcessed(redisUrl);
  const code = await runTests(redisUrl);
  const commands = (await commandsProcessed(redisUrl)) - before;
  process.stdout.write(`${commands} commands reached the real Redis\n`);
  return commands > 100 ? code : 1;
}

async function main(): Promise<number> {
  if (process.env.REDIS_TEST_URL) return testAgainst(process.env.REDIS_TEST_URL);
  const folder = await mkdtemp(path.join(tmpdir(), 'tranche-redis-'));
  let started: Awaited<ReturnType<typeof startServer>> | undefined;
  try {
    started = await startServer(folder);
    return await testAgainst(started.url);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    if (started !== undefined) {
      const ended = once(started.server, 'exit');
      started.server.kill();
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
