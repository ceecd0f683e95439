import { once } from 'node:events';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { redis } from '#lib/base/redis.ts';
import { testEnv } from '#tests/support/env.ts';

/** Answers GET after a moment, and nothing else ever, in a thread of its own: also while this one is busy. */
const SERVER = `
  const { createServer } = require('node:http');
  const { parentPort } = require('node:worker_threads');
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      if (!/get/i.test(body)) return;
      const answer = JSON.stringify([{ result: Buffer.from('kept').toString('base64') }]);
      setTimeout(() => response.setHeader('content-type', 'application/json').end(answer), 100);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;
const BUSY_MS = 1_500;

let server: Worker;
beforeAll(async () => {
  server = new Worker(SERVER, { eval: true });
  const [port] = await once(server, 'message');
  applyEnv(testEnv({ KV_REST_API_URL: `http://127.0.0.1:${port}` }));
});
afterAll(() => server?.terminate());

test('an answer that came in time is taken, though this process was busy until after its time', async () => {
  // The connection is there: what follows is sent at once.
  await redis().get('first');
  const answer = redis().get('second');
  await pause(20);
  // As in a handler of a request: the loop comes to its timers next.
  await turn();
  const until = performance.now() + BUSY_MS;
  while (performance.now() < until);
  expect(await answer).toBe('kept');
});

test('a call that is not answered ends after a second', async () => {
  await expect(redis().ping()).rejects.toThrow('timeout');
});
