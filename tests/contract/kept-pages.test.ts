import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { call } from '#tests/support/http.ts';

const { manifest } = inject('sandbox');
const { base_url: BASE_URL, admin_token, cron_secret, ledger_rpc } = manifest;

interface Page {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  html: string;
}

/** As a browser asks, with any header, Host and Cookie among them. */
function open(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Page> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${BASE_URL}${path}`,
      { method, headers: { accept: 'text/html,*/*;q=0.8', ...headers } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const body = Buffer.concat(chunks);
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body, html: body.toString() });
        });
      },
    );
    asked.on('error', reject);
    asked.end();
  });
}

const isKept = ({ headers }: Page): boolean => String(headers['cache-control']).startsWith('public');
const policyOf = ({ headers }: Page): Record<string, string[]> =>
  Object.fromEntries(
    String(headers['content-security-policy'])
      .split('; ')
      .map((directive) => {
        const [name = '', ...sources] = directive.split(' ');
        return [name, sources];
      }),
  );
const hashOf = (content: string | Buffer) => `sha256-${createHash('sha256').update(content).digest('base64')}`;

const closeLedger = () =>
  fetch(String(ledger_rpc), { method: 'POST', body: JSON.stringify({ method: 'ledger_accept', params: [{}] }) });

interface Sale {
  id: string;
  slug: string;
}

async function createSale(name: string): Promise<Sale> {
  const { accounts } = manifest;
  if (accounts === null) throw new Error('the sandbox made no accounts');
  const json = {
    name,
    token: { kind: 'iou', currency: 'DMO', issuer: accounts.issuer.address },
    distributor: accounts.distributor.address,
    deposit_address: accounts.deposit.address,
    treasury: accounts.issuer.address,
    tiers: [{ price_per_token: '0.10', total_tokens: '1000' }],
  };
  const created = await call('/api/admin/projects', { token: admin_token, json });
  expect(created.status, created.text).toBe(201);
  return created.json as Sale;
}

/** Does it, and resolves once the API shows it. */
async function act({ id }: Sale, action: string, status: string): Promise<void> {
  const acted = await call(`/api/admin/projects/${id}/${action}`, { token: admin_token, json: { reason: 'a test' } });
  expect(acted.status, acted.text).toBe(202);
  await vi.waitFor(
    async () => {
      await closeLedger();
      await call('/api/cron/process-payments', { token: cron_secret });
      const { json } = await call(`/api/projects/${id}`, { headers: { 'cache-control': 'no-cache' } });
      expect((json as { status: string }).status).toBe(status);
    },
    { timeout: 20_000, interval: 100 },
  );
}

let sale: Sale;
let other: Sale;
let draft: Sale;
beforeAll(async () => {
  [sale, other, draft] = [
    await createSale('Kept alpha'),
    await createSale('Kept beta'),
    await createSale('Kept draft'),
  ];
  await act(sale, 'launch', 'active');
  await act(other, 'launch', 'active');
  // Whatever makes the first page of each: compiled and loaded.
  for (const path of kept()) await open(path);
});

const kept = () => [
  '/',
  '/status',
  `/sales/${sale.slug}`,
  `/sales/${sale.slug}/terms`,
  '/docs',
  '/docs/quickstart',
  '/docs/runbook',
  '/docs/errors/rate_limited',
  '/reference',
  '/reference/getProject',
  '/reference/investment.created',
];

describe('a kept page', () => {
  test('has the policy of all other pages, directive by directive, but for hashes in the place of the nonce', async () => {
    const { 'script-src': scripts, 'style-src': styles, ...rest } = policyOf(await open('/', { accept: '*/*' }));
    const [own, nonce, dynamic] = scripts ?? [];
    expect([own, dynamic, styles?.[0]]).toEqual(["'self'", "'strict-dynamic'", "'self'"]);
    expect(nonce).toMatch(/^'nonce-/);
    for (const path of kept()) {
      const page = await open(path);
      expect(isKept(page), path).toBe(true);
      const { 'script-src': hashed = [], 'style-src': plain, ...same } = policyOf(page);
      expect(same, path).toEqual(rest);
      expect(plain, path).toEqual(["'self'"]);
      expect([hashed[0], hashed.at(-1)], path).toEqual(["'self'", "'strict-dynamic'"]);
      expect(hashed.length, path).toBeGreaterThan(3);
      for (const source of hashed.slice(1, -1)) expect(source, path).toMatch(/^'sha256-[A-Za-z0-9+/]{43}='$/);
      // nginx has room for 4 kB of headers.
      expect(JSON.stringify(page.headers).length, path).toBeLessThan(4_000);
    }
  });

  test('allows each of its scripts by the hash of what it runs, and has no nonce and no inline style', async () => {
    for (const path of kept()) {
      const page = await open(path);
      const allowed = policyOf(page)['script-src'] ?? [];
      const scripts = [...page.html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)];
      expect(scripts.length, path).toBeGreaterThan(5);
      for (const [, tag = '', text = ''] of scripts) {
        const [file, integrity] = ['src', 'integrity'].map((name) => new RegExp(` ${name}="([^"]+)"`).exec(tag)?.[1]);
        const content =
          file === undefined ? text : Buffer.from(await (await fetch(`${BASE_URL}${file}`)).arrayBuffer());
        const hash = hashOf(content);
        expect(allowed, `${path} ${tag}`).toContain(`'${hash}'`);
        if (file !== undefined) expect(integrity, `${path} ${tag}`).toBe(hash);
      }
      expect(page.html, path).not.toMatch(/ nonce=|nonce-|<style\b/);
    }
  });

  test('is the same bytes for everybody, whatever they send, and nothing of that is in it', async () => {
    const path = `/sales/${sale.slug}`;
    const smuggled: Record<string, string>[] = [
      {},
      {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        forwarded: 'host=evil.example',
      },
      {
        cookie: 'theme=dark; tranche_session=evil-session',
        'x-nonce': 'evil',
        'content-security-policy': "script-src 'nonce-evil'",
      },
      {
        'x-render-page': 'ZXZpbA',
        'x-middleware-subrequest': 'proxy',
        'x-invoke-path': '/operator',
        'x-matched-path': '/evil',
      },
      { 'x-forwarded-for': '6.6.6.6', 'user-agent': 'evil', 'accept-language': 'de', 'next-url': '/evil' },
      {
        'cache-control': 'no-cache',
        pragma: 'no-cache',
        range: 'bytes=0-10',
        'x-original-url': '/evil',
        'x-rewrite-url': '/evil',
      },
    ];
    const same = async () => {
      const pages = await Promise.all(
        smuggled.flatMap((headers) => [open(path, headers), open(`${path}?utm_source=evil&ref=evil`, headers)]),
      );
      for (const page of pages) {
        expect(page.status).toBe(200);
        expect(isKept(page)).toBe(true);
        expect(page.html).not.toContain('evil');
        expect(page.headers['set-cookie']).toBeUndefined();
        expect(page.headers.vary).toMatch(/\brsc\b.*Accept-Encoding/);
      }
      return new Set(pages.map(({ headers }) => headers.etag)).size;
    };
    // The half of a second may end among them.
    await expect.poll(same).toBe(1);
  });

  test('is told by HEAD, confirmed by 304, and sent in the form that a client takes', async () => {
    const path = `/sales/${other.slug}`;
    const agreeing = async () => {
      const [plain, head, zipped, brotli] = await Promise.all([
        open(path),
        open(path, {}, 'HEAD'),
        open(path, { 'accept-encoding': 'gzip, deflate' }),
        open(path, { 'accept-encoding': 'gzip, deflate, br;q=1.0' }),
      ]);
      const etag = String(plain.headers.etag);
      expect(etag).toMatch(/^W\/"/);
      const [known, unknown] = [
        await open(path, { 'if-none-match': etag }),
        await open(path, { 'if-none-match': 'W/"other"', 'accept-encoding': 'br;q=0' }),
      ];
      expect([head.status, head.body.length, known.body.length]).toEqual([200, 0, 0]);
      expect(unknown.status).toBe(200);
      expect(unknown.headers['content-encoding']).toBeUndefined();
      if (known.status !== 304) return false;
      for (const name of ['content-security-policy', 'cache-control', 'x-frame-options', 'vary']) {
        expect(known.headers[name], name).toBe(plain.headers[name]);
        expect(head.headers[name], name).toBe(plain.headers[name]);
      }
      expect([zipped.headers['content-encoding'], brotli.headers['content-encoding']]).toEqual(['gzip', 'br']);
      return gunzipSync(zipped.body).equals(plain.body) && brotliDecompressSync(brotli.body).equals(plain.body);
    };
    await expect.poll(agreeing).toBe(true);
  });

  test('is that of its own address, also when many are asked for at once', async () => {
    const named = [sale, other].flatMap(({ slug }) => Array.from({ length: 25 }, () => slug));
    const pages = await Promise.all(named.map((slug) => open(`/sales/${slug}`)));
    for (const [index, { html }] of pages.entries()) {
      expect(html).toContain(`<link rel="canonical" href="${BASE_URL}/sales/${named[index]}"/>`);
      expect(html).toContain(index < 25 ? 'Kept alpha' : 'Kept beta');
      expect(html).not.toContain(index < 25 ? 'Kept beta' : 'Kept alpha');
    }
    expect(new Set(pages.map(({ headers }) => headers.etag)).size).toBeLessThanOrEqual(6);
  });

  test('names the tag by which the API answers whether the sale is still as shown', async () => {
    const agrees = async () => {
      const [{ html }, { headers }] = await Promise.all([
        open(`/sales/${sale.slug}`),
        call(`/api/projects/${sale.id}`),
      ]);
      return html.includes(JSON.stringify(headers.get('etag')).slice(1, -1).replaceAll('\\', '\\\\\\'));
    };
    await expect.poll(agrees).toBe(true);
  });

  test('shows a launch and a pause within a second of the API', async () => {
    const later = await createSale('Kept gamma');
    const path = `/sales/${later.slug}`;
    expect((await open(path)).status).toBe(404);
    const beganAt = performance.now();
    await open(`/sales/${sale.slug}?watch=`);
    // Beside the second, what it takes this machine to make the page, and to answer that it has.
    const within = { timeout: 1_000 + 4 * (performance.now() - beganAt), interval: 20 };
    await act(later, 'launch', 'active');
    await expect.poll(async () => (await open(path)).status, within).toBe(200);
    await expect.poll(async () => (await open('/')).html.includes('Kept gamma'), within).toBe(true);
    await act(later, 'pause', 'paused');
    await expect.poll(async () => (await open(path)).html.includes('The sale is paused.'), within).toBe(true);
  });
});

describe('what open pages refresh themselves with', () => {
  // A router that has nothing yet: it asks for all of the page.
  const router = { accept: '*/*', rsc: '1' };

  test('is the same bytes for all, without a nonce, and kept by no one else', async () => {
    const path = `/sales/${sale.slug}?_rsc=a`;
    const same = async () => {
      const answers = await Promise.all([
        open(path, router),
        open(path, { ...router, accept: 'text/html', cookie: 'theme=dark', 'next-url': '/evil', host: 'evil.example' }),
      ]);
      for (const { status, headers, html } of answers) {
        expect(status).toBe(200);
        expect(headers['content-type']).toBe('text/x-component');
        expect(headers['content-security-policy']).not.toContain('nonce-');
        expect(headers['cache-control']).toContain('no-store');
        expect(headers['set-cookie']).toBeUndefined();
        expect(html).toContain('Kept alpha');
        expect(html).not.toMatch(/evil|"nonce":"[^"]/);
      }
      return new Set(answers.map(({ html }) => html)).size;
    };
    await expect.poll(same).toBe(1);
  });
});

describe('is made for its visitor, and kept by nobody,', () => {
  const cases: [string, () => [string, Record<string, string>?]][] = [
    ['what a visitor watches', () => [`/sales/${sale.slug}?watch=rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh`]],
    ['an amount', () => [`/sales/${sale.slug}?utm_source=x&amount=5`]],
    ['a parameter written another way', () => [`/sales/${sale.slug}?%77atch=`]],
    ['an older page of the list', () => ['/?cursor=x']],
    ['a draft', () => [`/sales/${draft.id}`]],
    ['a sale by its id', () => [`/sales/${sale.id}`]],
    ['the console', () => ['/operator']],
    ['the sign-in of the console', () => ['/operator/login']],
    ['a wallet', () => ['/wallets/rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh']],
    ['a portal', () => ['/portal/ptl_0000000000000000000000']],
    ['a search', () => ['/docs/search?q=sale']],
    ['a page for who has a credential', () => ['/', { authorization: 'Bearer x' }]],
    ['what a page of another amount loads', () => [`/sales/${sale.slug}?amount=5&_rsc=a`, { accept: '*/*', rsc: '1' }]],
    ['an address of the router, for who asks for a page', () => [`/sales/${sale.slug}?_rsc=a`]],
  ];
  test.each(cases)('%s', async (_, asked) => {
    const page = await open(...asked());
    expect(page.headers['cache-control']).toContain('no-store');
    expect(page.headers['content-security-policy']).toMatch(/'nonce-[A-Za-z0-9+/]{22}=='/);
  });

  test('a page that is not there: it is 404 to each who asks, under a policy as strict', async () => {
    for (const path of ['/sales/not-there', '/docs/not-there', `/sales/${draft.slug}`]) {
      const page = await open(path);
      expect([page.status, page.headers['cache-control'], page.headers.etag], path).toEqual([
        404,
        'no-store',
        undefined,
      ]);
      expect(policyOf(page)['script-src']?.filter((source) => /unsafe|https?:|\*/.test(source))).toEqual([]);
    }
  });

  test('a page of an address with a seed in it, a method that no page has, a form of another site: refused as before', async () => {
    expect((await open('/?note=sEdTM1uX8pu2do5XvTnutH6HsouMaM2')).status).toBe(400);
    expect((await open('/', {}, 'DELETE')).status).toBe(405);
    expect((await open('/', { origin: 'https://evil.example' }, 'POST')).status).toBe(403);
  });
});
