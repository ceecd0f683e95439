import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { handleEncodedAnswers } from '#lib/api/encoded-answers.ts';
import { NO_PAGE_POLICY, pagePolicy } from '#lib/api/headers.ts';
import { answerKept, isOwnRender, sharedView } from '#lib/api/kept-pages.ts';
import { applyEnv } from '#lib/base/env.ts';
import { testEnv } from '#tests/support/env.ts';

const NONCE = 'AAAAAAAAAAAAAAAAAAAAAA==';
const FILE = '/_next/static/chunks/main.js';
const PROGRAM = 'console.log("the program")';
const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** What the deployment answers to itself. */
let page: (request: IncomingMessage, response: ServerResponse) => void;
let server: Server;
const rendered: IncomingMessage[] = [];

beforeAll(async () => {
  handleEncodedAnswers();
  server = createServer((request, response) => {
    if (request.url?.startsWith('/_next/') === true) {
      response.end(request.url === FILE ? PROGRAM : undefined);
      return;
    }
    rendered.push(request);
    page(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  applyEnv(testEnv({ PORT: String((server.address() as AddressInfo).port) }));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

let turn = 0;
let path: string;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-28T12:00:00Z') + ++turn * 60_000 });
  path = `/sales/sale-${turn}`;
  rendered.length = 0;
  page = send(whole('figures'));
});
afterEach(() => vi.useRealTimers());

const whole = (text: string) =>
  `<html><head><link rel="preload" as="script" nonce="${NONCE}" href="${FILE}"/><script src="${FILE}" async="" nonce="${NONCE}"></script></head>` +
  `<body>${text}<script nonce="${NONCE}">push("\\"nonce\\":\\"${NONCE}\\"")</script></body></html>`;

const send =
  (html: string, { status = 200, policy = pagePolicy({ nonce: NONCE }), type = 'text/html; charset=utf-8' } = {}) =>
  (_: IncomingMessage, response: ServerResponse) =>
    response
      .writeHead(status, { 'content-type': type, 'content-security-policy': policy, 'set-cookie': 'a=b' })
      .end(html);

/** What begins and does not come to its end. */
const torn = (response: ServerResponse) => {
  response.writeHead(200, {
    'content-type': 'text/html',
    'content-length': '9000',
    'content-security-policy': pagePolicy({ nonce: NONCE }),
  });
  response.write('<html>', () => response.destroy());
};

const view = async (headers: Record<string, string> = {}) => {
  const answer = await answerKept({ path }, new Request(`http://x${path}`, { headers }));
  return answer === null ? null : { answer, html: await answer.text() };
};

test('fifty viewers at once are answered by one render, and half a second later by another', async () => {
  const views = await Promise.all(Array.from({ length: 50 }, () => view()));
  expect(new Set(views.map((seen) => seen?.html)).size).toBe(1);
  expect(rendered).toHaveLength(1);
  page = send(whole('changed'));
  vi.advanceTimersByTime(499);
  expect((await view())?.html).toContain('figures');
  vi.advanceTimersByTime(1);
  expect((await view())?.html).toContain('changed');
  expect(rendered).toHaveLength(2);
});

test('the policy names the hashes of the scripts that carried the nonce, and of no other that stands in the page', async () => {
  const foreign = '<script>steal()</script><script src="/_next/static/chunks/other.js"></script>';
  page = send(whole(`${foreign}<script nonce="BBBBBBBBBBBBBBBBBBBBBB==">guess()</script>`));
  const seen = await view();
  const own = ['push("\\"nonce\\":\\"\\"")', PROGRAM].map((text) => `'${hashOf(text)}'`);
  const sources = /script-src ([^;]+)/.exec(seen?.answer.headers.get('content-security-policy') ?? '')?.[1]?.split(' ');
  expect(sources?.toSorted()).toEqual(["'self'", "'strict-dynamic'", ...own].toSorted());
  expect(seen?.html).toContain(`<script src="${FILE}" async="" integrity="${hashOf(PROGRAM)}"></script>`);
  expect(seen?.html).toContain(`<link rel="preload" as="script" integrity="${hashOf(PROGRAM)}" href="${FILE}"/>`);
  expect(seen?.html).toContain(foreign);
  expect(seen?.html).not.toContain(NONCE);
});

test('nothing that a visitor sends reaches the render, and no cookie comes back', async () => {
  const seen = await view({
    cookie: 'a=b',
    authorization: 'Bearer x',
    'x-forwarded-host': 'evil.example',
    'x-evil': '1',
  });
  expect(seen?.answer.headers.get('set-cookie')).toBeNull();
  const [asked] = rendered;
  expect(Object.keys(asked?.headers ?? {}).filter((name) => /cookie|authorization|forwarded|evil/.test(name))).toEqual(
    [],
  );
});

test.each([
  ['a failure', send(whole(''), { status: 500 })],
  ['a page without a policy of ours', send(whole(''), { policy: "default-src 'self'" })],
  ['a page under a wider policy', send(whole(''), { policy: `${pagePolicy({ nonce: NONCE })} https:` })],
  ['what is no page', send('{}', { type: 'application/json' })],
  ['a page with an inline style', send(whole('<style>p{}</style>'))],
  ['a page whose script is not there', send(whole(`<script src="/gone.js" nonce="${NONCE}"></script>`))],
  ['no answer at all', (request: IncomingMessage) => request.socket.destroy()],
] as const)('%s is kept for nobody: each page is then made for its visitor', async (_, answer) => {
  page = answer;
  expect(await view()).toBeNull();
});

test('a page that cannot be kept keeps no other from it, and text with carriage returns is no reason', async () => {
  page = send(whole('<style>p{}</style>'));
  expect(await view()).toBeNull();
  path = `${path}-2`;
  page = send(whole('two\r\nlines'));
  expect((await view())?.html).toContain('two\r\nlines');
});

test('a page that is not there is answered as such, and kept for nobody', async () => {
  page = send(whole('nothing'), { status: 404 });
  expect((await view())?.answer.headers.get('cache-control')).toBe('no-store');
  page = send(whole('launched'));
  expect((await view())?.answer.status).toBe(200);
});

test('while a render takes long, viewers get the page before, and then the new one', async () => {
  await view();
  vi.advanceTimersByTime(500);
  const held = Promise.withResolvers<void>();
  page = async (...given) => {
    await held.promise;
    send(whole('late'))(...given);
  };
  expect((await view())?.html).toContain('figures');
  vi.advanceTimersByTime(500);
  const next = view();
  held.resolve();
  expect((await next)?.html).toContain('late');
  expect(rendered).toHaveLength(2);
});

test('a page before is shown to nobody a second and a half after its render began', async () => {
  await view();
  vi.advanceTimersByTime(1_501);
  page = send(whole('now'));
  expect((await view())?.html).toContain('now');
});

test('nor where it was asked for while the next one was slow, and kept from then on', async () => {
  await view();
  vi.advanceTimersByTime(1_200);
  page = (_, response) => setTimeout(() => send(whole('now'))(_, response), 600);
  expect((await view())?.html).toContain('now');
});

test('a page that is slow, or not to be kept, holds up no other one, and is made for each visitor for five seconds', async () => {
  for (const answer of [
    send(whole('<style>p{}</style>')),
    (_: IncomingMessage, response: ServerResponse) => torn(response),
  ]) {
    page = answer;
    expect(await view()).toBeNull();
    const asked = rendered.length;
    expect(await view()).toBeNull();
    expect(rendered).toHaveLength(asked);
    page = send(whole('figures'));
    const slow = path;
    path = '/status';
    expect((await view())?.html).toContain('figures');
    path = slow;
    vi.advanceTimersByTime(5_000);
    expect((await view())?.html).toContain('figures');
    vi.advanceTimersByTime(5_000);
  }
});

test.each([
  ['before the first bytes of the page', '<!--$!--><template data-dgst="1"></template><!--/$-->'],
  ['after them', `<script nonce="${NONCE}">$RX("B:0","1")</script>`],
])('a page of which a part failed %s is kept for nobody', async (_, mark) => {
  page = send(whole(mark));
  expect(await view()).toBeNull();
});

test('a page with a part that browsers alone draw is kept', async () => {
  page = send(whole('<!--$!--><template data-dgst="BAILOUT_TO_CLIENT_SIDE_RENDERING"></template><!--/$-->'));
  expect((await view())?.answer.status).toBe(200);
});

test.each(['br;q=0', 'br ;q=0', 'br ; q=0.0', 'gzip;q=0, br;x=1;q=0'])(
  'who does not take %s gets the page as it is',
  async (accepted) => {
    const seen = await view({ 'accept-encoding': accepted });
    expect(seen?.answer.headers.get('x-encoded-as')).toBeNull();
    expect(seen?.html).toContain('figures');
  },
);

const TREE = '%5B%22%22%2C%7B%7D%5D';
/** As the router of an open page asks, which takes everything. */
const router = (tree: string) => ({ headers: { accept: 'text/html, */*', rsc: '1', 'next-router-state-tree': tree } });

describe('what open pages refresh themselves with', () => {
  const data = `1:"$Sreact.fragment"\n0:{"figures":"7","nonce":"${NONCE}"}\n`;
  const sendData = (text = data, status = 200) => send(text, { status, type: 'text/x-component' });
  const refresh = async (tree = TREE) => {
    const headers = { ...router(tree).headers, cookie: 'a=b', 'next-url': '/evil' };
    const shared = { path, router: { rsc: '1', 'next-router-state-tree': tree } };
    const answer = await answerKept(shared, new Request(`http://x${path}`, { headers }));
    return answer === null ? null : { answer, text: await answer.text() };
  };

  test('is rendered once for all who show the same, without a nonce, and kept by no one else', async () => {
    page = sendData();
    const seen = await Promise.all(Array.from({ length: 50 }, () => refresh()));
    expect(rendered).toHaveLength(1);
    expect(rendered[0]?.headers).toMatchObject({ rsc: '1', 'next-router-state-tree': TREE, accept: '*/*' });
    expect(Object.keys(rendered[0]?.headers ?? {}).filter((name) => /cookie|next-url/.test(name))).toEqual([]);
    expect(new Set(seen.map((one) => one?.text))).toEqual(new Set([data.replace(NONCE, '')]));
    expect(seen[0]?.answer.headers.get('content-type')).toBe('text/x-component');
    expect(seen[0]?.answer.headers.get('content-security-policy')).toBe(NO_PAGE_POLICY['Content-Security-Policy']);
    expect(seen[0]?.answer.headers.get('cache-control')).toBe('no-store');
  });

  test('that a page is not there is said to each who asks, and kept for nobody', async () => {
    page = sendData(data, 404);
    expect((await refresh())?.answer.status).toBe(404);
    page = sendData();
    expect((await refresh())?.answer.status).toBe(200);
  });

  test('is another for another part of the page, and no page', async () => {
    page = sendData();
    await refresh();
    page = sendData('0:"another part"\n');
    expect((await refresh('another'))?.text).toContain('another part');
    expect((await refresh())?.text).toContain('figures');
    page = send(whole('html'));
    expect((await view())?.html).toContain('html');
  });

  test.each([
    ['has an error in it', sendData(`${data}a:E{"digest":"1"}\n`)],
    ['has an error after text of a given length', sendData(`${data}b:T4,texta:E{"digest":"1"}\n`)],
    ['is refused', sendData(data, 403)],
    ['is a page', send(whole('html'))],
  ])('is made for each one where it %s', async (_, answered) => {
    page = answered;
    expect(await refresh()).toBeNull();
    page = send(whole('html'));
    expect((await view())?.html, 'the page itself').toContain('html');
  });
});

test('only the deployment itself asks for a render', async () => {
  await view();
  const [{ headers = {} } = {}] = rendered;
  const token = String(headers['x-render-page']);
  expect(isOwnRender(new Headers({ 'x-render-page': token }))).toBe(true);
  for (const wrong of ['', 'guess', token.slice(1), `${token.slice(0, -2)}AA`]) {
    expect(isOwnRender(new Headers({ 'x-render-page': wrong })), wrong).toBe(false);
  }
  applyEnv(
    testEnv({ PORT: String((server.address() as AddressInfo).port), WEBHOOK_ENCRYPTION_KEYS: `b:${'B'.repeat(43)}=` }),
  );
  expect(isOwnRender(new Headers({ 'x-render-page': token }))).toBe(false);
});

test('a path is kept in one form of its own, without what its page reads from the address', () => {
  vi.stubEnv('NODE_ENV', 'production');
  const of = (address: string, init: RequestInit = {}) =>
    sharedView(new Request(`http://x${address}`, { headers: { accept: 'text/html' }, ...init }));
  const kept = [
    '/',
    '/status',
    '/sales/a-sale',
    '/sales/a-sale/terms',
    '/docs',
    '/docs/faq/investors',
    '/docs/errors/rate_limited',
    '/reference/quote',
    '/reference/investment.created',
  ];
  for (const address of kept) {
    expect(of(address)).toEqual({ path: address });
    expect(of(`${address}?utm=1&_=2`)).toEqual({ path: address });
    expect(of(`${address}?_rsc=a`), 'an address of the router, without its headers').toBeNull();
    expect(of(`${address}?_rsc=a`, router(TREE))).toEqual({
      path: address,
      router: { rsc: '1', 'next-router-state-tree': TREE },
    });
    expect(of(`${address}?_rsc=a&utm=1`, router(TREE))).toBeNull();
    expect(of(address, router('x'.repeat(4_000)))).toBeNull();
    expect(of(address, { headers: { ...router(TREE).headers, authorization: 'Bearer x' } })).toBeNull();
    expect(of(address, { method: 'POST' })).toBeNull();
    expect(of(address, { headers: { accept: '*/*' } })).toBeNull();
    expect(of(address, { headers: { accept: 'text/html', authorization: 'Bearer x' } })).toBeNull();
  }
  const own = [
    '/sales/proj_1234567890123456789012',
    '/sales/a-sale?watch=',
    '/sales/a-sale?%77allet=r',
    '/sales/a-sale?x=1&amount=5',
    '/?cursor=a',
    '/docs/search?q=a',
    '/docs/images/a.svg',
    '/operator',
    '/portal/ptl_0000000000000000000000',
    '/wallets/rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    '/sales/A-Sale',
    '/sales/%61',
    '/sales//a',
    '/status/',
    '/investments/x',
    '/holders',
  ];
  for (const address of own) {
    expect(of(address), address).toBeNull();
    expect(of(address, router(TREE)), address).toBeNull();
  }
  vi.unstubAllEnvs();
});

test('at Vercel a preview under another name than BASE_URL keeps nothing: it would answer with the pages of production', () => {
  vi.stubEnv('NODE_ENV', 'production');
  applyEnv(testEnv({ VERCEL: '1', WEBHOOK_ALLOW_LOOPBACK: undefined, BASE_URL: 'https://sale.example' }));
  const of = (host: string) =>
    sharedView(new Request(`https://${host}/status`, { headers: { accept: 'text/html', host } }));
  expect(of('sale.example')).toEqual({ path: '/status' });
  expect(of('sale-git-preview.vercel.app')).toBeNull();
  vi.unstubAllEnvs();
});
