import { once } from 'node:events';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { redis } from '#lib/base/redis.ts';
import { testEnv } from '#tests/support/env.ts';

/**
 * In a thread of its own, so that it also answers while this one is busy: GET after a moment, MGET with what it was asked and how
 * often, ECHO and an end of the connection a moment later, SET with a refusal, DEL with no JSON, PING as the token says; it hangs up
 * on INCR, and leaves everything else without an answer.
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
      const command = /incr|mget|get|set|del|echo|ping/i.exec(body)?.[0].toLowerCase();
      const send = (status, text) =>
        response.writeHead(status, { 'content-type': 'application/json', 'upstash-sync-token': 'place ' + requests }).end(text);
      if (command === 'get') setTimeout(() => send(200, JSON.stringify([{ result: 'kept' }])), 100);
      const asked = [requests, request.headers['upstash-sync-token'], request.headers.authorization].map(String);
      if (command === 'mget') send(200, JSON.stringify(JSON.parse(body).map(() => ({ result: asked }))));
      if (command === 'echo') send(200, JSON.stringify([{ result: 'kept' }])), setTimeout(() => request.socket.destroy(), 50);
      if (command === 'set') send(401, JSON.stringify({ error: 'Unauthorized' }));
      if (command === 'del') send(502, '<html>');
      if (command === 'incr') request.socket.destroy();
      if (command === 'ping' && request.headers.authorization.endsWith('pong')) send(200, '{"result":"PONG"}');
      if (command === 'ping' && request.headers.authorization.endsWith('other')) send(200, '{"status":"fine"}');
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;
const TOKEN = 'token-of-the-test';
const BUSY_MS = 1_500;

let server: Worker;
let port: number;
const connect = (token = TOKEN) =>
  applyEnv(testEnv({ KV_REST_API_URL: `http://127.0.0.1:${port}`, KV_REST_API_TOKEN: token }));
const beBusy = (milliseconds: number) => {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
};

beforeAll(async () => {
  server = new Worker(SERVER, { eval: true });
  [port] = await once(server, 'message');
});
beforeEach(() => connect());
afterAll(() => server?.terminate());

test('an answer that came in time is taken, though this process was busy until after its time', async () => {
  // The connection is there: what follows is sent at once.
  await redis().get('first');
  const answer = redis().get('second');
  await pause(20);
  // As in a handler of a request: the loop comes to its timers next.
  await turn();
  beBusy(BUSY_MS);
  expect(await answer).toBe('kept');
});

test('a call is not late where this process stood still, before it could send what it asks, for longer than a call may take', async () => {
  // Of another token: the connection is not there yet.
  connect('another-token');
  const answer = redis().get('first');
  await turn();
  beBusy(BUSY_MS);
  expect(await answer).toBe('kept');
});

test('a connection that may have ended while this process slept is not used again', async () => {
  await redis().echo('last before its sleep');
  beBusy(300);
  vi.setSystemTime(Date.now() + 60_000);
  try {
    expect(await redis().get('first after its sleep')).toBe('kept');
  } finally {
    vi.useRealTimers();
  }
});

test('a ping is answered by Redis alone, and not by whatever else answers', async () => {
  connect('pong');
  expect(await redis().ping()).toBe('PONG');
  connect('other');
  await expect(redis().ping()).rejects.toThrow('answered a ping with something else');
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
