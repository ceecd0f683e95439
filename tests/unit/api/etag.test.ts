import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answer, etagOf, matchesTag, Reply } from '#lib/api/answer.ts';
import { preferredType } from '#lib/api/parse-request.ts';
import { Stream } from '#lib/api/stream.ts';
import { defineContract } from '#lib/base/contract.ts';
import { applyEnv } from '#lib/base/env.ts';
import { testEnv } from '#tests/support/env.ts';

beforeAll(() => applyEnv(testEnv()));

const contract = defineContract({
  id: 'getThing',
  method: 'GET',
  path: '/api/thing',
  tag: 'system',
  summary: 'A thing',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  responses: { 200: z.object({ a: z.int() }), 503: z.object({ a: z.int() }) },
  cacheControl: 'public, max-age=1',
});
const GIVEN = { 'x-request-id': 'req_1' };
const ask = (headers: Record<string, string> = {}, method = 'GET') =>
  new Request('https://tranche.example/api/thing', { method, headers });

describe('an ETag', () => {
  it('is strong, and follows from the body alone', () => {
    expect(etagOf('a')).toMatch(/^"[\w-]{24}"$/);
    expect(etagOf('a')).toBe(etagOf('a'));
    expect(etagOf('a')).not.toBe(etagOf('b'));
  });

  it.each([
    ['itself', '"abc"', true],
    ['its weak form', 'W/"abc"', true],
    ['a list with it', '"x", W/"y,z" ,"abc"', true],
    ['the star', ' * ', true],
    ['another', '"abd"', false],
    ['its text without quotes', 'abc', false],
    ['a part of it', '"ab"', false],
    ['nothing', '', false],
  ])('is named by If-None-Match with %s: %s', (_, header, expected) => {
    expect(matchesTag(header, '"abc"')).toBe(expected);
  });

  it('is not named by an absent If-None-Match', () => {
    expect(matchesTag(null, '"abc"')).toBe(false);
  });
});

describe('an answer that may be cached', () => {
  it('carries an ETag, and is 304 without a body to whoever has it, with the same headers', async () => {
    const first = await answer(contract, ask(), { a: 1 }, GIVEN);
    const etag = first.headers.get('etag') ?? '';
    const again = await answer(contract, ask({ 'if-none-match': etag }), { a: 1 }, GIVEN);
    expect(again.status).toBe(304);
    expect(again.body).toBeNull();
    expect(Object.fromEntries(again.headers)).toEqual({
      'cache-control': 'public, max-age=1',
      etag,
      'x-request-id': 'req_1',
    });
    expect((await answer(contract, ask({ 'if-none-match': etag }), { a: 2 }, GIVEN)).status).toBe(200);
  });

  it('has no body for HEAD, and the same ETag', async () => {
    const get = await answer(contract, ask(), { a: 1 }, GIVEN);
    const head = await answer(contract, ask({}, 'HEAD'), { a: 1 }, GIVEN);
    expect(head.body).toBeNull();
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
  });
});

describe('an answer that must not be cached', () => {
  it.each([
    ['by its contract', { ...contract, cacheControl: 'no-store' }, { a: 1 }],
    ['because its contract says nothing', { ...contract, cacheControl: undefined as never }, { a: 1 }],
    ['by its own word', contract, new Reply(200, { a: 1 }, { 'cache-control': 'no-store' })],
    ['because it tells of trouble', contract, new Reply(503, { a: 1 })],
  ])('%s has no ETag and is never 304', async (_, bound, result) => {
    const response = await answer(bound, ask({ 'if-none-match': '*' }), result, GIVEN);
    expect(response.status).not.toBe(304);
    expect(response.headers.get('etag')).toBeNull();
  });
});

describe('a stream', () => {
  const streaming = { ...contract, mediaTypes: ['application/jsonl', 'text/csv'] as const };
  async function* chunks() {
    yield '{"a":1}\n';
  }

  it('has an ETag only when it names one, and then is 304 without being read', async () => {
    const plain = await answer(streaming, ask(), new Stream({ contentType: 'text/csv', chunks: chunks() }), GIVEN);
    expect(plain.headers.get('etag')).toBeNull();
    expect(await plain.text()).toBe('{"a":1}\n');

    let read = false;
    async function* watched() {
      read = true;
      yield 'x';
    }
    const tagged = new Stream({ contentType: 'text/csv; charset=utf-8', chunks: watched(), etag: '"t"' });
    const response = await answer(streaming, ask({ 'if-none-match': '"t"' }), tagged, GIVEN);
    expect({ status: response.status, read }).toEqual({ status: 304, read: false });
    expect(response.headers.get('cache-control')).toBe('public, max-age=1');
  });

  it('has no body for HEAD, and ends its reading', async () => {
    let ended = false;
    async function* watched() {
      try {
        yield 'x';
        yield 'y';
      } finally {
        ended = true;
      }
    }
    const response = await answer(
      streaming,
      ask({}, 'HEAD'),
      new Stream({ contentType: 'text/csv', chunks: watched() }),
      GIVEN,
    );
    expect({ body: response.body, ended }).toEqual({ body: null, ended: true });
    expect(response.headers.get('content-type')).toBe('text/csv');
  });

  it('of a form that the contract does not declare is our fault', async () => {
    const stream = new Stream({ contentType: 'text/html', chunks: chunks() });
    await expect(answer(streaming, ask(), stream, GIVEN)).rejects.toThrow('undeclared media type text/html');
    await expect(answer(streaming, ask(), { a: 1 }, GIVEN)).rejects.toThrow('without the stream');
  });

  it.each([
    [null, 'application/jsonl'],
    ['*/*', 'application/jsonl'],
    ['text/html', 'application/jsonl'],
    ['text/csv', 'text/csv'],
    ['TEXT/CSV;charset=utf-8', 'text/csv'],
    ['text/csv;q=0.5, application/jsonl;q=0.4', 'text/csv'],
    ['text/csv;q=0, application/jsonl', 'application/jsonl'],
    ['text/csv;q=many, */*', 'application/jsonl'],
    ['/, ,text/csv', 'text/csv'],
  ])('comes to a client with Accept %s as %s', (accept, type) => {
    expect(preferredType(accept, streaming.mediaTypes)).toBe(type);
  });
});
