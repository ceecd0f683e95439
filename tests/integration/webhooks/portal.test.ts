import { globSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApiKey } from '#lib/accounts/api-keys/create-api-key.ts';
import { revokeApiKey } from '#lib/accounts/api-keys/revoke-api-key.ts';
import { CONTRACTS } from '#lib/api/contracts.ts';
import type { Contract, Method, Scope } from '#lib/base/contract.ts';
import type { Actor } from '#lib/ctx.ts';
import { removeExpiredLinks } from '#lib/webhooks/portal/remove-expired-links.ts';
import { startRedisRest } from '#sandbox/redis/index.ts';
import { fillPath } from '#tests/support/http.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import { seedSale } from '#tests/support/sale.ts';
import { registerSecretsIn } from '#tests/support/secrets.ts';
import { type Route, serveApp } from '#tests/support/serve-app.ts';
import { dispatching } from './dispatching.ts';
import { asDeveloper, reportInvestments, WALLET } from './stage.ts';

const APP = path.resolve(import.meta.dirname, '../../../app');
const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** Every route of the API by its file, those without parameters first. */
async function everyRoute(): Promise<Route[]> {
  const files = globSync('api/**/route.ts', { cwd: APP }).filter((file) => !file.includes('[[...'));
  const ordered = files.toSorted((a, b) => a.split('[').length - b.split('[').length);
  const routes = await Promise.all(
    ordered.map(async (file): Promise<Route[]> => {
      const handlers = (await import(path.join(APP, file))) as Record<Method, Route[2]>;
      const pattern = path.posix.dirname(file).replaceAll(/\[(\w+)\]/g, '(?<$1>[^/]+)');
      return METHODS.map((method) => [method, new RegExp(`^/${pattern}$`), handlers[method]] as const);
    }),
  );
  return routes.flat();
}

const redis = await startRedisRest({ token: 'redis' });
const desk = dispatching({
  RATE_LIMIT_SCALE: '1000',
  KV_REST_API_URL: redis.url,
  KV_REST_API_TOKEN: 'redis',
});
let app: Awaited<ReturnType<typeof serveApp>>;
let developer: Awaited<ReturnType<typeof asDeveloper>>;
beforeAll(async () => {
  app = await serveApp(await everyRoute());
});
afterAll(async () => {
  await app.close();
  await redis.close();
});
beforeEach(async () => {
  developer = await asDeveloper(desk.stage.ctx);
});

interface Answer {
  status: number;
  // The tests' assertions say what it must be.
  body: Record<string, unknown>;
}

async function ask(token: string | null, method: Method, at: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${app.port}${at}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  registerSecretsIn(text);
  return { status: response.status, body: JSON.parse(text) as Record<string, unknown> };
}

interface Link {
  id: string;
  url: string;
  opens_until: string;
  expires_at: string;
}

async function makeLink(body: object = {}, key = developer.apiKey): Promise<Link> {
  const made = await ask(key, 'POST', '/api/portal-links', body);
  expect(made).toMatchObject({ status: 201 });
  return made.body as unknown as Link;
}

const tokenOf = ({ url }: Link): string => new URL(url).hash.slice(1);
const open = (link: Link) => ask(null, 'POST', '/api/portal-sessions', { link_token: tokenOf(link) });

/** A session of the portal, as the page of a link has it. */
async function session(body: object = {}, key = developer.apiKey): Promise<{ token: string; link: Link }> {
  const link = await makeLink(body, key);
  const opened = await open(link);
  expect(opened.status).toBe(201);
  return { token: String(opened.body.session_token), link };
}

const register = (token: string, body: object = {}) =>
  ask(token, 'POST', '/api/webhooks', { url: desk.receiver.url, ...body });
const list = async (token: string) => {
  const { status, body } = await ask(token, 'GET', '/api/webhooks');
  expect(status).toBe(200);
  return (body.webhooks as { id: string }[]).map(({ id }) => id);
};
const change = (set: ReturnType<typeof sql>) => desk.stage.ctx.db.execute(sql`update portal_links set ${set}`);

test('whoever opens a link manages the webhooks of the key: register, change, test, read and resend deliveries, rotate, count, replay, delete', async () => {
  const { token } = await session();
  const { status, body: made } = await register(token, { headers: { 'x-api-key': 'of-a-gateway' }, rate_limit: 50 });
  expect(status).toBe(201);
  const at = `/api/webhooks/${String(made.id)}`;
  expect(await list(token)).toEqual([made.id]);
  expect(await list(developer.apiKey)).toEqual([made.id]);
  const changed = await ask(token, 'PATCH', at, { min_amount_xrp: '5', statuses: ['confirmed'], description: 'x' });
  expect(changed).toMatchObject({ status: 200, body: { min_amount_xrp: '5.000000', statuses: ['confirmed'] } });
  await ask(token, 'PATCH', at, { min_amount_xrp: null, statuses: null });
  const sent = await ask(token, 'POST', '/api/webhooks/test', {
    webhook_id: made.id,
    event_type: 'investment.created',
  });
  expect(sent).toMatchObject({ status: 200, body: { status: 'success', response_code: 200 } });
  await reportInvestments(desk.stage.ctx.db);
  await desk.dispatch();
  const log = await ask(token, 'GET', `${at}/deliveries`);
  const [delivery] = log.body.deliveries as { id: string }[];
  const one = `${at}/deliveries/${delivery?.id}`;
  expect(await ask(token, 'GET', one)).toMatchObject({ status: 200, body: { attempt_log: [{ number: 1 }] } });
  expect(await ask(token, 'POST', `${one}/resend`)).toMatchObject({ status: 202, body: { resend_of: delivery?.id } });
  expect(await ask(token, 'GET', `${at}/statistics`)).toMatchObject({ status: 200 });
  expect(await ask(token, 'POST', `${at}/rotate-secret`)).toMatchObject({
    status: 200,
    body: { secret: expect.stringMatching(/^whsec_/) },
  });
  expect((await ask(token, 'POST', `${at}/rotate-secret/commit`)).status).toBe(200);
  const from = new Date(Date.now() - 3_600_000).toISOString();
  expect(await ask(token, 'POST', `${at}/replays`, { from, dry_run: true })).toMatchObject({ status: 200 });
  expect((await ask(token, 'DELETE', at)).status).toBe(200);
  expect(await list(token)).toEqual([]);
});

describe('a link', () => {
  test('is opened once, also by two visitors at once', async () => {
    const link = await makeLink();
    const opened = await Promise.all([open(link), open(link), open(link)]);
    expect(opened.map(({ status }) => status).toSorted()).toEqual([201, 410, 410]);
    expect(await open(link)).toMatchObject({ status: 410, body: { code: 'gone' } });
  });

  test('has its token where browsers send it to nobody, and neither it nor the session’s stands in the database', async () => {
    const { token, link } = await session();
    const { pathname, search, hash } = new URL(link.url);
    expect({ pathname, search }).toEqual({ pathname: `/portal/${link.id}`, search: '' });
    expect(hash).toMatch(/^#tr_link_[0-9A-Za-z]{43}$/);
    const stored = JSON.stringify([
      await rowsOf(desk.stage.ctx.db, 'portalLinks'),
      (await ask(developer.apiKey, 'GET', '/api/portal-links')).body,
      (await ask(developer.apiKey, 'GET', `/api/portal-links/${link.id}`)).body,
    ]);
    expect(stored).toContain(link.id);
    expect(stored).not.toContain(tokenOf(link));
    expect(stored).not.toContain(token);
  });

  test('is no credential itself, and a session’s token opens no link', async () => {
    const { token, link } = await session();
    for (const credential of [tokenOf(await makeLink()), link.id]) {
      expect((await ask(credential, 'GET', '/api/webhooks')).status).toBe(401);
    }
    const body = { link_token: token };
    expect((await ask(null, 'POST', '/api/portal-sessions', body)).status).toBe(400);
  });

  test('is opened within five minutes, and sooner where all of it ends sooner', async () => {
    const lasts = ({ opens_until, expires_at }: Link) => (Date.parse(expires_at) - Date.parse(opens_until)) / 1_000;
    expect(lasts(await makeLink())).toBe(3_300);
    expect(lasts(await makeLink({ expires_in_seconds: 60 }))).toBe(0);
    const link = await makeLink();
    await change(sql`opens_until = now()`);
    expect(await open(link)).toMatchObject({ status: 410 });
  });

  test.each([59, 43_201, 1.5])('cannot last %d seconds', async (seconds) => {
    const made = await ask(developer.apiKey, 'POST', '/api/portal-links', { expires_in_seconds: seconds });
    expect(made).toMatchObject({ status: 400, body: { errors: [{ field: 'expires_in_seconds' }] } });
  });

  test.each([
    'https://a.example;script-src https://evil.example',
    'https://*.example.com',
    'https://example.com/path',
    'https://example.com/',
    'https://user@example.com',
    'https://EXAMPLE.com',
    "https://example.com 'self'",
    'https://example.com,https://evil.example',
    'https://example.com:0',
    'http://example.com',
    'http://localhost.evil.example',
    'data:text/html,x',
    'https:',
    '*',
    "'self'",
    'https://[::1]',
    'https://exa\nmple.com',
    'https://example.com\n',
  ])('cannot be framed by %j', async (origin) => {
    const made = await ask(developer.apiKey, 'POST', '/api/portal-links', { frame_origins: [origin] });
    expect(made).toMatchObject({ status: 400, body: { errors: [{ field: 'frame_origins[0]' }] } });
  });

  test('of a key that was revoked since is not opened', async () => {
    const link = await makeLink();
    await revokeApiKey(desk.stage.ctx, { api_key: developer.apiKey });
    expect(await open(link)).toMatchObject({ status: 410 });
  });

  test('is made at most a thousand times at once for a tenant', async () => {
    const link = await makeLink();
    await desk.stage.ctx.db.execute(sql`
      insert into portal_links (id, key_id, link_hash, scopes, frame_origins, opens_until, expires_at)
      select 'ptl_' || n, key_id, 'hash ' || n, scopes, frame_origins, opens_until, expires_at
      from portal_links, generate_series(2, 1000) n`);
    const refused = await ask(developer.apiKey, 'POST', '/api/portal-links', {});
    expect(refused).toMatchObject({ status: 409, body: { code: 'limit_reached' } });
    expect((await ask(developer.apiKey, 'DELETE', `/api/portal-links/${link.id}`)).status).toBe(200);
    await makeLink();
    await makeLink({}, (await asDeveloper(desk.stage.ctx)).apiKey);
  });

  test('that is long over goes, an opened one with what was done by it after thirty days', async () => {
    const { link: opened, token } = await session();
    await register(token);
    await makeLink();
    const now = desk.stage.ctx.clock.nowMs();
    await change(sql`created_at = now() - interval '40 days', opens_until = now() - interval '2 days',
      expires_at = now() - interval '2 days'`);
    expect(await removeExpiredLinks(desk.stage.ctx, now)).toBe(1);
    const kept = await ask(developer.apiKey, 'GET', `/api/portal-links/${opened.id}`);
    expect(kept).toMatchObject({ status: 200, body: { audit: [{ action: 'webhook.register' }] } });
    await change(sql`opens_until = now() - interval '31 days', expires_at = now() - interval '31 days'`);
    expect(await removeExpiredLinks(desk.stage.ctx, now)).toBe(1);
    expect(await rowsOf(desk.stage.ctx.db, 'portalAuditEntries')).toEqual([]);
  });
});

describe('a session of the portal ends at once', () => {
  test.each<[string, (world: { link: Link }) => Promise<unknown>]>([
    ['when its time is up', () => change(sql`opens_until = now() - interval '1 second', expires_at = now()`)],
    ['when its link is ended', ({ link }) => ask(developer.apiKey, 'DELETE', `/api/portal-links/${link.id}`)],
    ['when its key is revoked', () => revokeApiKey(desk.stage.ctx, { api_key: developer.apiKey })],
    [
      'when its key expires',
      () => desk.stage.ctx.db.execute(sql`update api_keys set expires_at = now() - interval '1 second'`),
    ],
    [
      'when its key loses a scope that it has',
      () => desk.stage.ctx.db.execute(sql`update api_keys set scopes = '{webhooks:read}'`),
    ],
  ])('%s', async (_, end) => {
    const made = await session();
    expect(await list(made.token)).toEqual([]);
    await end(made);
    for (const refused of [await ask(made.token, 'GET', '/api/webhooks'), await register(made.token)]) {
      expect(refused).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    }
  });

  test('and a second end gives the same answer', async () => {
    const at = `/api/portal-links/${(await makeLink()).id}`;
    const first = await ask(developer.apiKey, 'DELETE', at);
    expect(await ask(developer.apiKey, 'DELETE', at)).toEqual(first);
  });
});

describe('a session of the portal', () => {
  const opensTo = ({ access }: Contract, scope: Scope) =>
    access.some((one) => one.kind === 'portal' && one.scope === scope);
  /** Which look at no credential at all. */
  const isOpen = ({ access }: Contract) => access.every(({ kind }) => kind === 'public');
  const known = (contract: Contract) => fillPath(contract.path.replace(/^\/webhooks/, '/api/webhooks'));

  test('reaches the operations of webhooks and no other, neither those of keys, events and links nor the operators’', async () => {
    const { token } = await session();
    const refused: string[] = [];
    for (const contract of CONTRACTS.filter((one) => !isOpen(one))) {
      const { status } = await ask(token, contract.method, known(contract), contract.method === 'GET' ? undefined : {});
      if (status === 401 || status === 403) refused.push(contract.id);
    }
    const expected = CONTRACTS.filter((one) => !isOpen(one) && !opensTo(one, 'webhooks:read'))
      .filter((one) => !opensTo(one, 'webhooks:write'))
      .map(({ id }) => id);
    expect(refused).toEqual(expected);
    expect(refused).toEqual(
      expect.arrayContaining(['createApiKey', 'listApiKeys', 'listEvents', 'streamEvents', 'createPortalLink']),
    );
    expect(refused).toEqual(expect.arrayContaining(['listPortalLinks', 'endPortalLink', 'listJobs', 'issueTokens']));
  });

  test('that may only read changes nothing', async () => {
    const { token } = await session({ read_only: true });
    const { body } = await register(developer.apiKey);
    expect(await list(token)).toEqual([body.id]);
    const writing = CONTRACTS.filter((one) => opensTo(one, 'webhooks:write'));
    expect(writing.length).toBeGreaterThan(8);
    for (const contract of writing) {
      const at = fillPath(contract.path.replace(/^\/webhooks/, '/api/webhooks'), {
        id: String(body.id),
        webhook_id: String(body.id),
      });
      expect(await ask(token, contract.method, at, {})).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    expect(await list(developer.apiKey)).toEqual([body.id]);
  });

  test('of a key that may only read is made to read, and nothing else', async () => {
    const reader = await createApiKey(desk.stage.ctx, { wallet_address: WALLET, scopes: ['webhooks:read'] });
    const refused = await ask(reader.api_key, 'POST', '/api/portal-links', {});
    expect(refused).toMatchObject({ status: 403, body: { errors: [{ field: 'read_only' }] } });
    const { token } = await session({ read_only: true }, reader.api_key);
    expect(await list(token)).toEqual([]);
    expect((await register(token)).status).toBe(403);
    const writer = await createApiKey(desk.stage.ctx, { wallet_address: WALLET, scopes: ['webhooks:write'] });
    expect((await ask(writer.api_key, 'POST', '/api/portal-links', {})).status).toBe(403);
  });

  test('sees nothing of another tenant', async () => {
    const stranger = await asDeveloper(desk.stage.ctx);
    const { body } = await register(stranger.apiKey);
    await reportInvestments(desk.stage.ctx.db);
    const id = String(body.id);
    const { token } = await session();
    expect(await list(token)).toEqual([]);
    for (const contract of CONTRACTS.filter(({ access }) => access.some(({ kind }) => kind === 'portal'))) {
      if (!/\{(?:webhook_)?id\}/.test(contract.path)) continue;
      const at = fillPath(contract.path.replace(/^\/webhooks/, '/api/webhooks'), { id, webhook_id: id });
      const sent = contract.id === 'startReplay' ? { from: '2026-01-01T00:00:00Z' } : {};
      const answer = await ask(token, contract.method, at, contract.method === 'GET' ? undefined : sent);
      expect([contract.id, answer.status, answer.body.code]).toEqual([contract.id, 404, 'webhook_not_found']);
    }
    const tested = await ask(token, 'POST', '/api/webhooks/test', { webhook_id: id, event_type: 'investment.created' });
    expect(tested).toMatchObject({ status: 404, body: { code: 'webhook_not_found' } });
    expect(await list(stranger.apiKey)).toEqual([id]);
  });

  test('counts its requests apart from the key’s', async () => {
    const { token, link } = await session();
    const response = await fetch(`http://127.0.0.1:${app.port}/api/webhooks`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.headers.get('ratelimit-policy')).toContain('"read_portal"');
    expect(response.headers.get('ratelimit-policy')).not.toContain('read_key');
    expect(link.id).toMatch(/^ptl_/);
  });
});

describe('a session that is limited to a project', () => {
  let projectId: string;
  let otherId: string;
  beforeEach(async () => {
    await desk.stage.ctx.db.execute(sql`truncate deposit_accounts cascade`);
    projectId = (await seedSale(desk.stage.ctx.db, { tag: 1 })).projectId;
    otherId = (await seedSale(desk.stage.ctx.db, { tag: 2 })).projectId;
  });

  test('sees and makes webhooks of this project only, and moves none out of it', async () => {
    const { body: all } = await register(developer.apiKey);
    const { body: other } = await register(developer.apiKey, { project_id: otherId });
    const { token } = await session({ project_id: projectId });
    expect(await list(token)).toEqual([]);
    for (const { id } of [all, other]) {
      const answer = await ask(token, 'GET', `/api/webhooks/${String(id)}`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'webhook_not_found' } });
      expect((await ask(token, 'DELETE', `/api/webhooks/${String(id)}`)).status).toBe(404);
    }
    const { status, body: made } = await register(token);
    expect([status, made.project_id]).toEqual([201, projectId]);
    expect(await list(token)).toEqual([made.id]);
    for (const project_id of [otherId, null]) {
      const wrong = { status: 403, body: { code: 'forbidden', errors: [{ field: 'project_id' }] } };
      expect(await register(token, { project_id })).toMatchObject(wrong);
      expect(await ask(token, 'PATCH', `/api/webhooks/${String(made.id)}`, { project_id })).toMatchObject(wrong);
    }
    expect((await ask(token, 'PATCH', `/api/webhooks/${String(made.id)}`, { project_id: projectId })).status).toBe(200);
  });

  test('subscribes to nothing that tells of the tenant’s other webhooks', async () => {
    const { token } = await session({ project_id: projectId });
    const { body } = await register(token);
    expect(body.events).toContain('investment.confirmed');
    for (const type of ['system.webhook_disabled', 'system.delivery_failed']) {
      expect(body.events).not.toContain(type);
      const wrong = { status: 400, body: { errors: [{ field: 'events' }] } };
      expect(await ask(token, 'PATCH', `/api/webhooks/${String(body.id)}`, { events: [type] })).toMatchObject(wrong);
    }
    const whole = await session();
    expect((await register(whole.token)).body.events).toContain('system.delivery_failed');
  });

  test('sees nothing of what a webhook of this project got while it took other projects too', async () => {
    const { body: made } = await register(developer.apiKey);
    const at = `/api/webhooks/${String(made.id)}`;
    for (const project of [projectId, otherId]) await reportInvestments(desk.stage.ctx.db, 1, project);
    await desk.stage.ctx.db.execute(
      sql`insert into events (id, type, body) values ('evt_ours', 'system.delivery_failed', '{}')`,
    );
    await desk.stage.ctx.db.execute(sql`
      insert into deliveries (id, event_id, webhook_id, event_sequence, status, due_at)
      select 'del_ours', id, ${made.id}, sequence, 'failed', null from events where id = 'evt_ours'`);
    await desk.dispatch();
    await ask(developer.apiKey, 'POST', '/api/webhooks/test', {
      webhook_id: made.id,
      event_type: 'investment.created',
    });
    expect((await ask(developer.apiKey, 'PATCH', at, { project_id: projectId })).status).toBe(200);
    const logOf = async (token: string) =>
      (await ask(token, 'GET', `${at}/deliveries`)).body.deliveries as { id: string; event_id: string }[];
    const all = await logOf(developer.apiKey);
    const { rows: others } = await desk.stage.ctx.db.execute<{ id: string }>(
      sql`select id from events where project_id = ${otherId} or id = 'evt_ours'`,
    );
    const hidden = all.filter((one) => others.some(({ id }) => id === one.event_id));
    const ofProject = all.filter((one) => !hidden.includes(one));
    expect([all.length, hidden.length]).toEqual([4, 2]);

    const { token } = await session({ project_id: projectId });
    expect(await logOf(token)).toEqual(ofProject);
    for (const { id } of ofProject) expect((await ask(token, 'GET', `${at}/deliveries/${id}`)).status).toBe(200);
    for (const { id } of hidden) {
      for (const answer of [
        await ask(token, 'GET', `${at}/deliveries/${id}`),
        await ask(token, 'POST', `${at}/deliveries/${id}/resend`),
      ]) {
        expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
      }
    }
    const totals = { success: 2, failed: 0, success_rate: 1 };
    expect(await ask(token, 'GET', `${at}/statistics`)).toMatchObject({ status: 200, body: { totals } });
    expect(await ask(developer.apiKey, 'GET', `${at}/statistics`)).toMatchObject({
      body: { totals: { success: 3, failed: 1 } },
    });
  });

  test('is for a project that was launched', async () => {
    await desk.stage.ctx.db.execute(sql`update projects set status = 'draft' where id = ${otherId}`);
    const made = await ask(developer.apiKey, 'POST', '/api/portal-links', { project_id: otherId });
    expect(made).toMatchObject({ status: 400, body: { errors: [{ field: 'project_id' }] } });
  });
});

describe('what was done by a link', () => {
  test('is recorded for the tenant, in the transaction of the change, without a secret', async () => {
    const { token, link } = await session();
    const { body } = await register(token, { url: `${desk.receiver.url}?secret=of-a-receiver` });
    await ask(token, 'PATCH', `/api/webhooks/${String(body.id)}`, { description: 'x' });
    await ask(token, 'POST', '/api/webhooks/test', { webhook_id: body.id, event_type: 'investment.created' });
    await ask(token, 'PATCH', `/api/webhooks/${String(body.id)}`, { events: ['system.alert'] });
    const { body: read } = await ask(developer.apiKey, 'GET', `/api/portal-links/${link.id}`);
    expect((read.audit as { action: string; webhook_id: string }[]).map((one) => [one.action, one.webhook_id])).toEqual(
      [
        ['webhook.test', body.id],
        ['webhook.update', body.id],
        ['webhook.register', body.id],
      ],
    );
    expect(JSON.stringify(read)).not.toContain('of-a-receiver');
    expect((await desk.stage.ctx.db.execute(sql`select from audit_entries`)).rowCount).toBe(0);
  });

  test('is for keys of the tenant, and only a key that may write ends the link of another', async () => {
    const { link } = await session();
    const at = `/api/portal-links/${link.id}`;
    const stranger = await asDeveloper(desk.stage.ctx);
    for (const method of ['GET', 'DELETE'] as const) {
      expect(await ask(stranger.apiKey, method, at)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    expect((await ask(stranger.apiKey, 'GET', '/api/portal-links')).body.portal_links).toEqual([]);
    const colleague = await createApiKey(desk.stage.ctx, { wallet_address: WALLET, scopes: ['webhooks:read'] });
    const { tenantId } = developer.actor as Extract<Actor, { kind: 'api_key' }>;
    await changeRows(desk.stage.ctx.db, 'apiKeys', { id: colleague.id }, { tenantId });
    expect((await ask(colleague.api_key, 'GET', at)).status).toBe(200);
    expect((await ask(colleague.api_key, 'DELETE', at)).status).toBe(404);
    const own = await makeLink({ read_only: true }, colleague.api_key);
    expect((await ask(colleague.api_key, 'DELETE', `/api/portal-links/${own.id}`)).status).toBe(200);
    expect((await ask(developer.apiKey, 'DELETE', at)).body.ended_at).not.toBeNull();
  });
});
