import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parsePart, parseQuery } from '#lib/api/parse-request.ts';
import { type Asked, isCachedRead, respondCached, responseCache } from '#lib/api/response-cache.ts';
import { type Contract, defineContract } from '#lib/base/contract.ts';
import { applyEnv } from '#lib/base/env.ts';
import { testEnv } from '#tests/support/env.ts';

const contract = defineContract({
  id: 'getThing',
  method: 'GET',
  path: '/api/things/{id}',
  tag: 'projects',
  summary: 'A thing',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  cacheControl: 'public, max-age=60',
  params: z.strictObject({ id: z.string().regex(/^[a-z]+$/) }),
  query: z.strictObject({ limit: z.coerce.number().optional() }),
  responses: { 200: z.object({ made: z.number(), id: z.string(), limit: z.number().nullable() }) },
});

beforeAll(() => applyEnv(testEnv()));

let made = 0;
beforeEach(() => {
  made = 0;
  responseCache().forget();
});

/** Says what it was asked for, and how often anything was made. */
async function makeThing(id: string, limit: number | undefined) {
  made += 1;
  return { made, id, limit: limit ?? null };
}

function answerThing({ params, query }: Asked) {
  const { id } = parsePart('path', contract.params, params) as { id: string };
  const { limit } = parseQuery(contract, query) as { limit?: number };
  return makeThing(id, limit);
}

let callers = 0;
async function ask(
  id: string,
  {
    path = `/api/things/${id}`,
    of = contract as Contract,
    ...init
  }: RequestInit & { path?: string; of?: Contract } = {},
) {
  callers += 1;
  const request = new Request(`http://127.0.0.1:3000${path}`, {
    ...init,
    headers: { 'x-forwarded-for': `198.18.${callers >> 8}.${callers & 255}`, ...(init.headers as object) },
  });
  const answer = await respondCached(of, request, { params: Promise.resolve({ id }) }, `req_${callers}`, answerThing);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
const thing = async (...asked: Parameters<typeof ask>) => JSON.parse((await ask(...asked)).text);

describe('a read whose answer is kept', () => {
  test('is answered once for everybody, each answer under a name of its own', async () => {
    const [first, second] = [await ask('a'), await ask('a')];
    expect(second.text).toBe(first.text);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(made).toBe(1);
  });

  test('is counted for each caller, whether or not its answer is kept', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const left = async () => Number(/r=(\d+)/.exec((await ask('a', { headers })).headers.get('ratelimit') ?? '')?.[1]);
    const before = await left();
    expect(await left()).toBe(before - 1);
  });

  test('is 304 to whoever has it, and without a body to HEAD', async () => {
    const etag = (await ask('a')).headers.get('etag') ?? '';
    expect(await ask('a', { headers: { 'if-none-match': etag } })).toMatchObject({ status: 304, text: '' });
    expect(await ask('a', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect(await ask('a')).toMatchObject({ status: 200, text: expect.stringContaining('"made":1') });
  });
});

describe('nobody gets the answer to', () => {
  test('other parameters under the same path', async () => {
    expect(await thing('a', { path: '/path' })).toMatchObject({ id: 'a' });
    expect(await thing('b', { path: '/path' })).toMatchObject({ id: 'b' });
  });

  test('another query', async () => {
    expect(await thing('a', { path: '/a?limit=1' })).toMatchObject({ limit: 1 });
    expect(await thing('a', { path: '/a?limit=2' })).toMatchObject({ limit: 2 });
    expect(await thing('a', { path: '/a' })).toMatchObject({ limit: null });
  });

  test('what stands behind a fragment and only looks like a query', async () => {
    expect(await thing('a', { path: '/a#?limit=1' })).toMatchObject({ limit: null });
    expect(await thing('a', { path: '/a?limit=1' })).toMatchObject({ limit: 1 });
  });

  test('another operation', async () => {
    const { made: first } = await thing('a');
    expect((await thing('a', { of: { ...contract, id: 'getOtherThing' } })).made).not.toBe(first);
  });

  test('parameters that read like another one and its query', async () => {
    const given = ['a","?limit=1', 'a"},"?limit=1"]', 'a?limit=1', 'a\\', 'a ?limit=1'];
    await thing('a', { path: '/a?limit=1' });
    for (const id of given) await expect(ask(id, { path: '/a' })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('a header', async () => {
    const headers = {
      cookie: 'session=1',
      host: 'elsewhere.example',
      origin: 'https://elsewhere.example',
      accept: 'text/html',
      'x-forwarded-host': 'elsewhere.example',
      'x-original-url': '/api/things/b',
      'x-rewrite-url': '/api/things/b',
      'x-http-method-override': 'POST',
    };
    const dressed = await ask('a', { headers });
    const plain = await ask('a');
    expect(plain.text).toBe(dressed.text);
    expect(made).toBe(1);
  });
});

describe('a caller that has to see its own write', () => {
  test.each([
    ['with a credential', { authorization: 'Bearer tr_live_x' }],
    ['that asks past the cache', { 'cache-control': 'max-age=0, no-cache' }],
  ])('%s gets what is made anew, and so do all who ask after it', async (_, headers) => {
    await ask('a');
    expect(await thing('a', { headers })).toMatchObject({ made: 2 });
    expect(await thing('a')).toMatchObject({ made: 2 });
    expect(await thing('a', { headers })).toMatchObject({ made: 3 });
  });

  test('gets no answer that was being made before it asked', async () => {
    const [early, late] = await Promise.all([thing('a'), thing('a', { headers: { authorization: 'Bearer x' } })]);
    expect([early.made, late.made]).toEqual([1, 2]);
  });
});

test('a request that is refused is refused each time, whatever is kept', async () => {
  await ask('a');
  for (const path of ['/a?unknown=1', '/a?limit=1&limit=2', '/a?limit=x']) {
    await expect(ask('a', { path })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(ask('a', { path })).rejects.toMatchObject({ code: 'invalid_request' });
  }
  await expect(ask('A')).rejects.toMatchObject({ code: 'invalid_request' });
  expect(made).toBe(1);
});

describe('no answer is kept for an operation that', () => {
  const changed: [string, Partial<Contract>][] = [
    ['takes a credential', { access: [{ kind: 'public' }, { kind: 'api_key', scope: null }] }],
    ['changes something', { method: 'POST' }],
    ['nobody may keep', { cacheControl: undefined }],
    ['everybody has to ask about each time', { cacheControl: 'public, no-cache' }],
    ['streams', { mediaTypes: ['application/json'] }],
    ['is limited over all instances', { rateLimit: 'export' }],
  ] as [string, Partial<Contract>][];
  test.each(changed)('%s', (_, change) => {
    expect([isCachedRead(contract), isCachedRead({ ...contract, ...change })]).toEqual([true, false]);
  });
});
