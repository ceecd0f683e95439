import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  ConnectionError,
  cancelWebhookSecretRotation,
  connect,
  deleteWebhook,
  getProject,
  ProblemError,
  registerWebhook,
  revokeApiKey,
  updateWebhook,
} from '../index.ts';

let server: Server;
let baseUrl: string;
let asked: IncomingMessage[] = [];
/** Answers in their order; the last one again and again. */
let answers: ((response: ServerResponse) => void)[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    request.resume().on('end', () => answer?.(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  asked = [];
});
afterAll(() => server.close());

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const cut = (response: ServerResponse): void => void response.destroy();
const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, { code, detail: `it is ${code}`, request_id: 'req_1', status }, headers);
const ok = json(200, { id: 'proj_1' });
const made = json(201, { id: 'wh_1' });
const body = { url: 'https://example.org/hook' };
const keys = () => asked.map(({ headers }) => headers['idempotency-key']);

test('a read is asked again after a cut connection and after a failure of the server', async () => {
  answers = [cut, json(502, {}), ok];
  expect(await getProject({ id: 'proj_1' }, connect({ baseUrl }))).toEqual({ id: 'proj_1' });
  expect(asked).toHaveLength(3);
});

test('Retry-After is heeded: not a moment earlier, and not at all when it is longer than a minute', async () => {
  answers = [problem(429, 'rate_limited', { 'retry-after': '1' }), ok];
  const startedAtMs = performance.now();
  await getProject({ id: 'proj_1' }, connect({ baseUrl }));
  expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(990);
  answers = [problem(429, 'rate_limited', { 'retry-after': '3600' })];
  const refused = getProject({ id: 'proj_1' }, connect({ baseUrl }));
  await expect(refused).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 3_600 });
});

test('a POST with an API key is sent again under one Idempotency-Key, each call under a new one or yours', async () => {
  const tranche = connect({ baseUrl, apiKey: 'key' });
  answers = [cut, made];
  await registerWebhook({ body }, tranche);
  const [first, again] = keys();
  expect(first).toMatch(/^[\w-]{36}$/);
  expect(again).toBe(first);
  answers = [problem(409, 'idempotency_key_in_use', { 'retry-after': '0' }), made];
  await registerWebhook({ body, idempotencyKey: 'mine' }, tranche);
  expect(keys().slice(2)).toEqual(['mine', 'mine']);
  expect(asked.map(({ headers }) => headers.authorization)).toEqual(Array(4).fill('Bearer key'));
});

test('what might be done twice is never sent again: a POST without a key, a PATCH', async () => {
  answers = [json(503, {})];
  await expect(registerWebhook({ body }, connect({ baseUrl }))).rejects.toMatchObject({ status: 503, code: null });
  const tranche = connect({ baseUrl, apiKey: 'key' });
  await expect(updateWebhook({ id: 'wh_1', body: { active: false } }, tranche)).rejects.toMatchObject({ status: 503 });
  expect(asked).toHaveLength(2);
  expect(keys()).toEqual([undefined, undefined]);
});

test('a refusal is a ProblemError at once, whose message holds neither key nor header', async () => {
  answers = [problem(409, 'conflict')];
  const error = await getProject({ id: 'proj_1' }, connect({ baseUrl, apiKey: 'sk_secret' })).catch((one) => one);
  expect(error).toBeInstanceOf(ProblemError);
  expect(error).toMatchObject({ status: 409, code: 'conflict', requestId: 'req_1', message: 'it is conflict' });
  expect(asked).toHaveLength(1);
  expect(JSON.stringify(error) + String(error.stack)).not.toContain('sk_secret');
});

test('what has not changed since an ETag is a ProblemError with status 304', async () => {
  answers = [(response) => void response.writeHead(304, { etag: '"1"' }).end()];
  const unchanged = getProject({ id: 'proj_1', ifNoneMatch: '"1"' }, connect({ baseUrl })).catch((one) => one);
  expect(await unchanged).toBeInstanceOf(ProblemError);
  expect(await unchanged).toMatchObject({ status: 304, code: null });
  expect(asked).toHaveLength(1);
});

test('a webhook whose deletion was sent again because no answer came is deleted, also when the platform has no such webhook any more', async () => {
  const tranche = connect({ baseUrl, apiKey: 'key' });
  const gone = problem(404, 'webhook_not_found');
  answers = [cut, gone];
  const startedAtMs = Date.now();
  const { id, deleted_at: deletedAt } = await deleteWebhook({ id: 'wh_1' }, tranche);
  expect(id).toBe('wh_1');
  expect(Date.parse(deletedAt)).toBeGreaterThanOrEqual(startedAtMs);
  answers = [json(503, {}), gone];
  expect(await deleteWebhook({ id: 'wh_1' }, tranche)).toMatchObject({ id: 'wh_1' });
  answers = [gone];
  await expect(deleteWebhook({ id: 'wh_1' }, tranche)).rejects.toMatchObject({ status: 404 });
  // Of what is beneath a webhook that is gone, nothing was done.
  answers = [cut, gone];
  await expect(cancelWebhookSecretRotation({ webhook_id: 'wh_1' }, tranche)).rejects.toMatchObject({ status: 404 });
  answers = [cut, problem(404, 'not_found')];
  await expect(deleteWebhook({ id: 'wh_1' }, tranche)).rejects.toMatchObject({ code: 'not_found' });
});

test('an operation that takes no Idempotency-Key is sent none, and is not sent again', async () => {
  answers = [json(200, { revoked: true })];
  const tranche = connect({ baseUrl, apiKey: 'key' });
  await revokeApiKey({ body: { api_key: 'key' } }, tranche);
  expect(keys()).toEqual([undefined]);
});

test('an answer that is cut off in its body is none: it is asked for again, and then a failure', async () => {
  const half = (response: ServerResponse): void => {
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': '100' }).write('{"id":');
    setImmediate(() => response.destroy());
  };
  const tranche = connect({ baseUrl, apiKey: 'key' });
  answers = [half, made];
  expect(await registerWebhook({ body }, tranche)).toEqual({ id: 'wh_1' });
  expect(new Set(keys()).size).toBe(1);
  answers = [half];
  await expect(registerWebhook({ body }, tranche)).rejects.toThrow(ConnectionError);
});

test('a failed or timed out connection says nothing of the API key, however it is printed', async () => {
  answers = [cut];
  const failed = await getProject({ id: 'proj_1' }, connect({ baseUrl, apiKey: 'sk_secret' })).catch((one) => one);
  answers = [() => undefined];
  const slow = connect({ baseUrl, apiKey: 'sk_secret', timeoutMs: 50, retries: 0 });
  const late = await getProject({ id: 'proj_1' }, slow).catch((one) => one);
  for (const error of [failed, late]) {
    expect(error).toBeInstanceOf(ConnectionError);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('sk_secret');
  }
  server.closeAllConnections();
});

test('after the last attempt the failure is what is thrown', async () => {
  answers = [json(500, {})];
  await expect(getProject({ id: 'proj_1' }, connect({ baseUrl, retries: 1 }))).rejects.toMatchObject({ status: 500 });
  expect(asked).toHaveLength(2);
});
