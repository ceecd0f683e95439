import { expect, test } from 'vitest';
import { call } from '#tests/support/http.ts';

/** Public reads that need nothing in the database. */
const CACHED = [
  '/api/openapi.json',
  '/api/projects',
  '/api/webhooks/event-types',
  '/webhooks/event-types',
  '/api/investments?wallet_address=rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
];

test.each(CACHED)('%s has an ETag, and is 304 without a body to whoever has that', async (path) => {
  const first = await call(path);
  const etag = first.headers.get('etag') ?? '';
  expect(first.status).toBe(200);
  expect(etag).toMatch(/^"[\w-]+"$/);
  for (const named of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await call(path, { headers: { 'if-none-match': named } });
    expect({ status: again.status, text: again.text }, named).toEqual({ status: 304, text: '' });
    expect(again.headers.get('etag')).toBe(etag);
    expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'));
  }
  expect((await call(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
});

test.each(CACHED)('HEAD of %s tells what GET would, without a body', async (path) => {
  const get = await call(path);
  const head = await call(path, { method: 'HEAD' });
  expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
  for (const name of ['etag', 'content-type', 'cache-control']) {
    expect(head.headers.get(name), name).toBe(get.headers.get(name));
  }
});

test('what must not be stored has no ETag', async () => {
  for (const path of ['/api/system/status', '/api/projects/proj_0000000000000000000000']) {
    const answer = await call(path, { headers: { 'if-none-match': '*' } });
    expect(answer.status, path).not.toBe(304);
    expect(answer.headers.get('cache-control'), path).toBe('no-store');
    expect(answer.headers.get('etag'), path).toBeNull();
  }
});
