import { once } from 'node:events';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { redis } from '#lib/base/redis.ts';
import { testEnv } from '#tests/support/env.ts';

/**
 * In a thread of its own, so that it also answers while this one is busy: GET after a moment, MGET with what it was asked and how
 * often, SET with a refusal, DEL with no JSON; it hangs up on INCR, and leaves everything else without an answer.
 */
const SERVER = `
  const { createServer } = require('node:http');
  const { parentPort } = require('node:worker_threads');
  let requests = 0;
  const server = createServer((request, response) => {
    let body = '';
    requests += 1;
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const command = /incr|mget|get|set|del/i.exec(body)?.[0].toLowerCase();
      const send = (status, text) =>
        response.writeHead(status, { 'content-type': 'application/json', 'upstash-sync-token': 'place ' + requests }).end(text);
      if (command === 'get') setTimeout(() => send(200, JSON.stringify([{ result: 'kept' }])), 100);
      const asked = [requests, request.headers['upstash-sync-token'], request.headers.authorization].map(String);
      if (command === 'mget') send(200, JSON.stringify(JSON.parse(body).map(() => ({ result: asked }))));
      if (command === 'set') send(401, JSON.stringify({ error: 'Unauthorized' }));
      if (command === 'del') send(502, '<html>');
      if (command === 'incr') request.socket.destroy();
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;
const TOKEN = 'token-of-the-test';
const BUSY_MS = 1_500;

let server: Worker;
beforeAll(async () => {
  server = new Worker(SERVER, { eval: true });
  const [port] = await once(server, 'message');
  applyEnv(testEnv({ KV_REST_API_URL: `http://127.0.0.1:${port}`, KV_REST_API_TOKEN: TOKEN }));
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

const asked = () => redis().mget<[string, string, string]>('what was asked');

test('what one turn asks for leaves in one request, with the token, and with the place of the last write that was answered', async () => {
  const [first] = await asked();
  const [second, third] = await Promise.all([asked(), asked()]);
  expect(second).toEqual(third);
  expect(Number(second[0])).toBe(Number(first) + 1);
  expect(second.slice(1)).toEqual([`place ${first}`, `Bearer ${TOKEN}`]);
});

test.each([
  ['that is refused', () => redis().set('key', 'value'), '401: Unauthorized'],
  ['that has no answer of Redis', () => redis().del('key'), '502'],
  ['whose connection ends', () => redis().incr('key'), 'socket hang up'],
])('a call %s is an error that says so, is made once, and shows no token', async (_, call, said) => {
  const [before] = await asked();
  const error = await call().then(
    () => null,
    (thrown: unknown) => String(thrown),
  );
  expect(error).toContain(said);
  expect(error).not.toContain(TOKEN);
  expect(Number((await asked())[0])).toBe(Number(before) + 2);
});
