import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { createQueue } from '#lib/base/queue.ts';
import { type RunningQStash, startQStash } from '#sandbox/qstash/index.ts';
import { testEnv } from '#tests/support/env.ts';

const TOKEN = 'token-of-the-test';
const ROOT = path.resolve(import.meta.dirname, '../../..');

let qstash: RunningQStash;
let other: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
beforeAll(async () => {
  qstash = await startQStash({ token: TOKEN, currentSigningKey: 'sig_current', nextSigningKey: 'sig_next' });
  other = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
  await once(other, 'listening');
});
afterAll(async () => {
  await qstash.close();
  other.close();
});

const settingsFor = (url: string, token = TOKEN) => testEnv({ QSTASH_URL: url, QSTASH_TOKEN: token });

function queueAt(url: string, token?: string) {
  applyEnv(settingsFor(url, token));
  return createQueue();
}

const urlOfOther = () => `http://127.0.0.1:${(other.address() as AddressInfo).port}`;

const failureOf = (asked: Promise<void>): Promise<string | null> => asked.then(() => null, String);

test('QStash that knows our token is there, also when its address ends with a slash', async () => {
  await expect(queueAt(qstash.url).ping()).resolves.toBeUndefined();
  await expect(queueAt(`${qstash.url}/`).ping()).resolves.toBeUndefined();
});

test('a token that QStash does not know is an error with its reason, which does not show the token', async () => {
  const failure = await failureOf(queueAt(qstash.url, 'token-of-somebody-else').ping());
  expect(failure).toBe('Error: QStash answered 401: unauthorized: invalid or missing token');
});

test.each<[string, typeof answer, string]>([
  ['is not JSON', (_, response) => response.end('<html>'), 'QStash answered 200 with something that is not JSON'],
  ['is no list', (_, response) => response.end('{}'), 'no list of schedules'],
  ['leads elsewhere', (_, response) => response.writeHead(302, { location: qstash.url }).end('[]'), 'answered 302'],
  ['breaks off', (_, response) => response.write('[', () => response.destroy()), 'aborted'],
  ['is a hang-up', (request) => request.socket.destroy(), 'socket hang up'],
])('an answer that %s is an error', async (_, given, said) => {
  answer = given;
  const failure = await failureOf(queueAt(urlOfOther()).ping());
  expect(failure).toContain(said);
  expect(failure).not.toContain(TOKEN);
});

test('a question that is given up leaves no connection behind', async () => {
  const asked = new Promise<IncomingMessage>((resolve) => {
    answer = resolve;
  });
  applyEnv(settingsFor(urlOfOther()));
  const pinged = failureOf(createQueue(200).ping());
  const { socket } = await asked;
  expect(await pinged).toContain('did not answer within 0.2 s');
  await expect.poll(() => socket.destroyed).toBe(true);
});

test('asking does not load the SDK, and calls no fetch', async () => {
  const asking = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { createQueue } = await import('#lib/base/queue.ts');
    globalThis.fetch = () => Promise.reject(new Error('fetch was called'));
    await createQueue().ping();
    console.log(JSON.stringify(loaded));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', asking], {
    cwd: ROOT,
    env: { ...process.env, ...settingsFor(qstash.url) },
  });
  const loaded: string[] = JSON.parse(stdout);
  expect(loaded.filter((name) => name.endsWith('/lib/base/queue.ts'))).toHaveLength(1);
  expect(loaded.filter((name) => name.includes('upstash'))).toEqual([]);
});
