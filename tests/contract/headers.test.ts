import { createHash } from 'node:crypto';
import { describe, expect, inject, test } from 'vitest';
import { createApiKey } from '#tests/support/http.ts';

const { base_url } = inject('sandbox').manifest;
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${base_url}${path}`, { method, headers, redirect: 'manual' });

const PAGES = ['/', '/nothing', '/a/page/that/is/not', '/apirite', '/100%25'];
const INTERFACE = [
  '/api/openapi.json',
  '/api/system/status',
  '/api/projects',
  '/api/projects/proj_0000000000000000000000',
  '/api/nothing',
  '/api',
  '/api/webhooks/%E0%A4%A',
  '/%zz',
  '/api/admin/jobs',
  '/webhooks',
  '/webhooks/event-types',
];

const directives = (response: Response) =>
  Object.fromEntries(
    (response.headers.get('content-security-policy') ?? '')
      .split('; ')
      .map((directive) => [directive.split(' ', 1)[0] ?? '', directive.split(' ').slice(1)]),
  );

const nonceOf = (response: Response): string =>
  directives(response)
    ['script-src']?.find((source) => source.startsWith("'nonce-"))
    ?.slice(7, -1) ?? '';

describe('every answer', () => {
  test.each([...PAGES, ...INTERFACE])('of %s is sniffed, framed and tracked by nobody', async (path) => {
    const { headers } = await get(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect(headers.get('permissions-policy')).toMatch(/camera=\(\)/);
    expect(headers.get('content-security-policy')).toMatch(/(^|; )frame-ancestors 'none'(;|$)/);
    expect(headers.get('x-powered-by')).toBeNull();
  });

  test.each([...PAGES, ...INTERFACE])('of %s insists on https where it came by https, and only there', async (path) => {
    expect((await get(path)).headers.get('strict-transport-security')).toBeNull();
    const secure = await get(path, { 'x-forwarded-proto': 'https' });
    expect(secure.headers.get('strict-transport-security')).toMatch(/^max-age=\d{8,}$/);
  });
});

describe('an answer of the interface', () => {
  test.each(INTERFACE)('%s loads and runs nothing where a browser shows it', async (path) => {
    const policy = (await get(path)).headers.get('content-security-policy');
    expect(policy).toBe("default-src 'none'; frame-ancestors 'none'");
  });

  test('is not stored when it shows a secret', async () => {
    const apiKey = await createApiKey();
    const answer = await get('/webhooks', { authorization: `Bearer ${apiKey}` });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

describe('a page', () => {
  test.each(PAGES)('%s runs the scripts of its own policy and no others', async (path) => {
    const response = await get(path);
    const html = await response.text();
    const nonce = nonceOf(response);
    expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/);
    const scripts = html.match(/<script\b[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    for (const tag of scripts) expect(tag).toContain(`nonce="${nonce}"`);
    // What no nonce can allow.
    expect(html).not.toMatch(/<style\b(?![^>]*nonce=)|<[^>]+\sstyle=(?!"display:none")|<[^>]+\son\w+=|javascript:/i);
    const { 'style-src-attr': hidden, ...others } = directives(response);
    // Of inline styles the one that React streams with, `display:none`, by its hash.
    const hash = createHash('sha256').update('display:none').digest('base64');
    expect(hidden).toEqual(["'unsafe-hashes'", `'sha256-${hash}'`]);
    const allowed = Object.values(others).flat();
    expect(allowed.filter((source) => /unsafe|https?:|\*/.test(source))).toEqual([]);
    expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  });

  test('loads from its own site only, and all that it names is there', async () => {
    const html = await (await get('/')).text();
    const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
    const files = named.filter((url) => url.startsWith('/_next/'));
    expect(named.filter((url) => !/^(?:\/(?!\/)|#)/.test(url))).toEqual([]);
    expect(files.some((url) => url.includes('.css'))).toBe(true);
    for (const url of new Set(files)) {
      const file = await get(url);
      expect({ url, status: file.status }).toEqual({ url, status: 200 });
      expect(file.headers.get('content-type')).toMatch(url.includes('.css') ? /^text\/css/ : /javascript/);
      expect(file.headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  test('has a nonce of its own for each request, which the client does not choose, and is not stored', async () => {
    const chosen = { 'x-nonce': 'chosen', 'content-security-policy': "script-src 'nonce-chosen'" };
    const answers = await Promise.all([get('/'), get('/'), get('/', chosen)]);
    expect(new Set(answers.map(nonceOf)).size).toBe(3);
    for (const answer of answers) {
      expect(answer.headers.get('cache-control')).toContain('no-store');
      expect(await answer.text()).not.toContain('chosen');
    }
  });
});

describe('the portal', () => {
  const ancestors = (response: Response) => directives(response)['frame-ancestors'];

  test('is framed by the origins that its link names, while the link lives, and by no other', async () => {
    const token = await createApiKey();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const links = `${base_url}/api/portal-links`;
    const make = async (body: object) => {
      const made = await fetch(links, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await made.json()) as { id: string };
    };
    const origins = ['https://dashboard.example.com', 'http://localhost:3000'];
    const [named, unnamed] = [await make({ frame_origins: origins }), await make({})];
    const page = await get(`/portal/${named.id}`);
    expect(ancestors(page)).toEqual(origins);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toContain('no-store');
    expect(directives(page)).toEqual({ ...directives(page), ...directives(await get('/')), ...dynamic(page) });
    for (const path of [unnamed.id, 'ptl_0000000000000000000000', `${named.id}/x`, `${named.id}x`]) {
      expect(ancestors(await get(`/portal/${path}`))).toEqual(["'none'"]);
    }
    await fetch(`${links}/${named.id}`, { method: 'DELETE', headers });
    expect(ancestors(await get(`/portal/${named.id}`))).toEqual(["'none'"]);
  });

  /** What may differ from another page of the site. */
  const dynamic = (page: Response) => {
    const { 'script-src': scripts, 'style-src': styles, 'frame-ancestors': frames } = directives(page);
    return { 'script-src': scripts, 'style-src': styles, 'frame-ancestors': frames };
  };
});
