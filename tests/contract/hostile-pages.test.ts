import { globSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { generateSeed } from 'ripple-keypairs';
import { describe, expect, inject, test } from 'vitest';

const { manifest, logFolder } = inject('sandbox');
const { base_url: BASE_URL, admin_token } = manifest;
const EVIL = 'https://evil.example';

const appLog = () => readFileSync(path.join(logFolder, 'app.log'), 'utf8');
/** What was logged since `before`, once a line that is asked for after it stands there: lines come in their order. */
const linesSince = (before: string): string[] => appLog().slice(before.length).split('\n').filter(Boolean);

const ask = (where: string, options: RequestInit = {}) =>
  fetch(`${BASE_URL}${where}`, { redirect: 'manual', ...options });

/** A request that no client library would send, and the first line and the rest of its answer. */
function sendRaw(request: string): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(BASE_URL);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.once('error', reject);
    socket.once('close', () => resolve({ status: Number(text.split(' ', 2)[1]), text }));
  });
}
const raw = (line: string, headers = '') =>
  sendRaw(`${line} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`);

describe('what only a client can have caused is answered as its fault, and leaves no line in the log', () => {
  test.each(['/', '/api/projects', '/api/nothing', '/_next/static/x', '/reference', '/operator/login'])(
    'TRACE %s is 405',
    async (where) => {
      const before = appLog();
      const answer = await raw(`TRACE ${where}`);
      expect(answer.status).toBe(405);
      expect(answer.text).toMatch(/\r\nallow: GET, HEAD, POST/i);
      expect(answer.text).toContain('"code":"method_not_allowed"');
      expect(linesSince(before).join('\n')).not.toContain('TRACE');
    },
  );

  test('OPTIONS * says what is allowed, and no other method has that target', async () => {
    expect((await raw('OPTIONS *')).status).toBe(204);
    expect((await raw('GET *')).status).toBe(400);
  });

  test('a whole URL as the target is answered as its path, and sends nobody elsewhere', async () => {
    expect((await raw('GET http://evil.example/api/projects')).status).toBe(200);
    const elsewhere = await raw('GET http://evil.example/nothing');
    expect(elsewhere.status).toBe(404);
    expect(elsewhere.text).not.toMatch(/\r\nlocation:/i);
  });

  test.each(['%5B%22%22%5D', '%', 'null', '[[[[', '%5B%5D', `[${'['.repeat(9_000)}`])(
    'the router state %s is 400',
    async (state) => {
      const answer = await ask('/', { headers: { rsc: '1', 'next-router-state-tree': state } });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: 'invalid_request' });
    },
  );

  test.each(['PUT', 'PATCH', 'DELETE'])('%s of a page is 405', async (method) => {
    const answer = await ask('/', { method });
    expect({ status: answer.status, allow: answer.headers.get('allow') }).toEqual({
      status: 405,
      allow: 'GET, HEAD, POST, OPTIONS',
    });
  });

  test.each(['/_global-error', '/wallets/%25', '/wallets/rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh?cursor=%00', '/sales/%00'])(
    '%s is 404',
    async (where) => {
      expect((await ask(where)).status).toBe(404);
    },
  );
});

/** A form as the page shows it to a browser without scripts: its hidden fields. */
async function formOf(where: string, cookie = ''): Promise<[string, string][]> {
  const html = await (await ask(where, { headers: { cookie } })).text();
  const form = html.slice(html.indexOf('<form'), html.indexOf('</form>'));
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?/g)];
  expect(hidden.length).toBeGreaterThan(0);
  return hidden.map(([, name = '', value = '']) => [name, value.replaceAll('&quot;', '"')]);
}

function send(where: string, fields: [string, string][], headers: Record<string, string>): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value);
  return ask(where, { method: 'POST', body, headers });
}

async function signIn(headers: Record<string, string> = { origin: BASE_URL }): Promise<Response> {
  return send('/operator/login', [...(await formOf('/operator/login')), ['token', admin_token]], headers);
}

describe('a form', () => {
  test('is taken from a page of BASE_URL, whatever host the request claims', async () => {
    for (const headers of [{ origin: BASE_URL }, { origin: BASE_URL, 'x-forwarded-host': 'evil.example' }]) {
      const answer = await signIn(headers);
      expect({ status: answer.status, location: answer.headers.get('location') }).toEqual({
        status: 303,
        location: '/operator',
      });
      expect(answer.headers.get('set-cookie')).toContain('operator-session=');
    }
  });

  test.each([
    ['another site', { origin: EVIL }],
    ['another site that claims to be the host', { origin: EVIL, 'x-forwarded-host': 'evil.example' }],
    ['another site that is said to be forwarded', { origin: EVIL, forwarded: 'host=evil.example' }],
    ['a sandboxed page', { origin: 'null' }],
    ['what is no origin', { origin: 'zz' }],
    ['nobody', {}],
  ])('of %s opens no session: 403', async (_, headers) => {
    const answer = await signIn(headers as Record<string, string>);
    expect(answer.status).toBe(403);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  test('of another site signs nobody out', async () => {
    const cookie = (await signIn()).headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const signOut = await formOf('/operator', cookie);
    const forged = await send('/operator', signOut, { cookie, origin: EVIL, 'x-forwarded-host': 'evil.example' });
    expect({ status: forged.status, cookie: forged.headers.get('set-cookie') }).toEqual({ status: 403, cookie: null });
    const own = await send('/operator', signOut, { cookie, origin: BASE_URL });
    expect(own.headers.get('set-cookie')).toMatch(/operator-session=;/);
  });

  test.each(['[', '[[[[', '', 'null', '["$F1"]', '["$B1"]', '["$Q1"]', '[null,{"get":1}]', '['.repeat(50_000)])(
    'whose nested values are %.20s is 400, and no error in the log',
    async (value) => {
      const before = appLog();
      const fields = await formOf('/operator/login');
      const altered = fields.map(([name, given]): [string, string] => [name, name.endsWith(':1') ? value : given]);
      const answer = await send('/operator/login', [...altered, ['token', 'x']], { origin: BASE_URL });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: 'invalid_request', status: 400 });
      expect(linesSince(before).filter((line) => /"level":"(error|warn)"/.test(line))).toEqual([]);
    },
  );

  test.each([
    ['a text that is no value', 'text/plain', '['],
    ['a deep one', 'text/plain', '['.repeat(90_000)],
    ['one in place of the form', 'text/plain', '[null,{}]'],
    ['a body without its boundary', 'multipart/form-data', '--x\r\n'],
    ['a body that breaks off', 'multipart/form-data; boundary=x', '--x\r\nContent-Disp'],
    ['more than a form may hold', 'text/plain', 'x'.repeat(1_500_000)],
  ])('sent by a script with %s is 400', async (_, type, body) => {
    const id = /"id":"(\w+)"/.exec(JSON.stringify(await formOf('/operator/login')).replaceAll('\\', ''))?.[1] ?? '';
    const headers = { origin: BASE_URL, 'next-action': id, 'content-type': type };
    const answer = await ask('/operator/login', { method: 'POST', headers, body });
    expect(answer.status).toBe(400);
  });
});

const seeds = [generateSeed(), generateSeed({ algorithm: 'ed25519' })];
const encodedFirst = (seed: string) => `%${seed.charCodeAt(0).toString(16)}${seed.slice(1)}`;

describe.each(seeds)('a seed in the address of a page (%#)', (seed) => {
  test.each([
    `/sales/${seed}`,
    `/sales/${seed}/terms`,
    `/sales/${seed}/opengraph-image`,
    `/investments/${seed}`,
    `/wallets/${seed}`,
    `/wallets?address=${seed}`,
    `/wallets?address=+${seed}+`,
    `/wallets?address=%20${seed}`,
    `/wallets?address=${encodedFirst(seed)}`,
    `/sales/${encodedFirst(seed)}`,
    `/developers/webhooks/${seed}`,
    `/holders?project_id=${seed}`,
    `/nothing/${seed}`,
    `/?${seed}=1`,
    `/operator/login?next=${seed}`,
  ])('is in no part of its answer, as HTML or as RSC payload: %#', async (where) => {
    for (const headers of [{}, { rsc: '1' }, { rsc: '1', 'next-router-prefetch': '1' }] as Record<string, string>[]) {
      const answer = await ask(where, { headers });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      const text = `${await answer.text()}${JSON.stringify([...answer.headers])}`;
      expect(text).not.toContain(seed);
      expect(text).not.toContain(encodedFirst(seed));
      expect(text).toContain('move the funds');
    }
  });
});

describe('a page has no second address, at which it would come without a policy and past each check', () => {
  const buildId = async () => /\\?"b\\?":\\?"([\w-]+)/.exec(await (await ask('/docs')).text())?.[1] ?? '';

  test.each(['docs', 'operator', 'operator/login', '%64ocs', '_global-error', `wallets`])(
    'data of the page %s',
    async (page) => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const answer = await ask(`/_next/data/${await buildId()}/${page}.json`, {
          method,
          headers: { accept: 'text/html' },
        });
        expect(answer.status, method).toBe(404);
        expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; (?!script)/);
        expect(await answer.text()).not.toContain('<script');
      }
    },
  );

  test.each(['/api.rsc', '/webhooks.rsc', '/_next.rsc'])('%s', async (where) => {
    const answer = await ask(where);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; (?!script)/);
    expect(answer.headers.get('content-type')).toContain('text/html');
  });
});

test('whatever a client sends, each line of the log is one of ours, and no seed stands in it', async () => {
  const before = appLog();
  const forged = '{"level":"error","msg":"forged"}';
  const [seed = ''] = seeds;
  for (const where of [`/sales/x%0a${encodeURIComponent(forged)}`, `/nothing/%0d%0a${encodeURIComponent(forged)}`]) {
    await ask(where);
  }
  const headers = { origin: BASE_URL, 'content-type': 'text/plain' };
  for (const action of [seed, `x${forged}`, `00${seed}`, `\x1b[2J${forged}`]) {
    await ask('/operator/login', {
      method: 'POST',
      headers: { ...headers, 'next-action': action.replaceAll('\x1b', '') },
      body: '[]',
    });
  }
  await sendRaw(
    `GET /sales/${seed} HTTP/1.1\r\nHost: ${seed}\r\nx-forwarded-host: ${seed}\r\nConnection: close\r\n\r\n`,
  );
  for (const line of linesSince(before)) {
    expect(() => JSON.parse(line), line).not.toThrow();
    expect(line).not.toMatch(/^\{"level":"error","msg":"forged"/);
  }
  for (const log of globSync('**/*.log', { cwd: logFolder })) {
    const lines = readFileSync(path.join(logFolder, log), 'utf8').split('\n');
    expect(lines.filter((line) => seeds.some((each) => line.includes(each)))).toEqual([]);
  }
});
