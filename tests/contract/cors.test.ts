import { beforeAll, describe, expect, inject, test } from 'vitest';
import { CONTRACTS } from '#lib/api/contracts.ts';
import type { Contract } from '#lib/base/contract.ts';
import { call, createApiKey, credentialFor, fillPath, prepareMember } from '#tests/support/http.ts';

const ORIGIN = { origin: 'https://elsewhere.example' };
const pathsOf = ({ path, alias }: Contract) => [path, ...(alias === undefined ? [] : [alias])];
const named = (contracts: readonly Contract[]) => contracts.map((one) => [`${one.method} ${one.path}`, one] as const);

const isOpen = ({ method, access }: Contract) => method === 'GET' && access.every(({ kind }) => kind === 'public');
const open = CONTRACTS.filter(isOpen);
const closed = CONTRACTS.filter((one) => !isOpen(one));

let apiKey: string;
beforeAll(async () => {
  apiKey = await createApiKey();
  await prepareMember();
});

const corsHeaders = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

async function preflight(path: string, method: string): Promise<Response> {
  return fetch(new URL(fillPath(path), inject('sandbox').manifest.base_url), {
    method: 'OPTIONS',
    headers: { ...ORIGIN, 'access-control-request-method': method, 'access-control-request-headers': 'if-none-match' },
  });
}

describe('a public read', () => {
  test.each(named(open))('%s may be read by a page of any site, its refusals too', async (_, contract) => {
    for (const path of pathsOf(contract)) {
      for (const asked of [fillPath(path), `${fillPath(path)}?unknown_field=1`]) {
        const { headers } = await call(asked, { headers: ORIGIN });
        expect(headers.get('access-control-allow-origin')).toBe('*');
        expect(headers.get('access-control-allow-credentials')).toBeNull();
        expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
        const exposed = (headers.get('access-control-expose-headers') ?? '').split(', ');
        const shown = ['ETag', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id', 'X-As-Of-Ledger'];
        expect(exposed).toEqual(expect.arrayContaining(shown));
      }
    }
  });

  test.each(named(open))('%s may be asked for with If-None-Match', async (_, contract) => {
    for (const path of pathsOf(contract)) {
      const { status, headers } = await preflight(path, 'GET');
      expect(status).toBe(204);
      expect(corsHeaders(headers)).toEqual({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-allow-headers': 'Content-Type, If-None-Match',
        'access-control-max-age': '86400',
      });
    }
  });

  test('is as open when nothing has changed', async () => {
    const { headers } = await call('/api/openapi.json', { headers: ORIGIN });
    const again = await call('/api/openapi.json', {
      headers: { ...ORIGIN, 'if-none-match': headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    expect(corsHeaders(again.headers)).toEqual(corsHeaders(headers));
  });
});

describe('everything else', () => {
  test.each(named(closed))('%s is for no other site, with and without its credential', async (_, contract) => {
    for (const path of pathsOf(contract)) {
      for (const token of [null, credentialFor(contract, apiKey) ?? null]) {
        const { headers } = await call(`${fillPath(path)}?unknown_field=1`, {
          method: contract.method,
          token,
          headers: ORIGIN,
        });
        expect(corsHeaders(headers)).toEqual({});
        expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      }
    }
  });

  test.each(named(closed))('%s is refused to a browser that asks first', async (_, contract) => {
    for (const path of pathsOf(contract)) {
      expect(corsHeaders((await preflight(path, contract.method)).headers)).toEqual({});
    }
  });

  test.each(['POST', 'PUT', 'DELETE', 'get', '*', ''])('a public read is not open to %s', async (method) => {
    expect(corsHeaders((await preflight('/api/projects', method)).headers)).toEqual({});
  });

  test('an address that is nobody’s says nothing', async () => {
    expect(corsHeaders((await call('/api/nothing', { headers: ORIGIN })).headers)).toEqual({});
  });
});
