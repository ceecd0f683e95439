import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { operation, resource } from '#lib/api/route.ts';
import { defineContract } from '#lib/base/contract.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { LOCK_SECONDS, pruneKeys } from '#lib/base/idempotency-rows.ts';
import { asDeveloper, openStage, type Stage } from '#tests/integration/webhooks/stage.ts';
import { registerSecretsIn } from '#tests/support/secrets.ts';

const TARGET = 'http://127.0.0.1:9/hook';

/** An operation whose work the test decides. */
let work: () => Promise<unknown>;
let runs = 0;
const made = () => Promise.resolve({ run: runs });
const contract = defineContract({
  id: 'makeThing',
  method: 'POST',
  path: '/api/things',
  tag: 'webhooks',
  summary: 'Make a thing',
  access: [{ kind: 'public' }, { kind: 'api_key', scope: null }],
  rateLimit: 'internal',
  idempotent: true,
  query: z.strictObject({ dry_run: z.literal('true').optional() }),
  body: z.strictObject({ name: z.string() }),
  responses: { 201: z.object({ run: z.int() }) },
});
const things = resource(
  operation(contract, () => {
    runs += 1;
    return work();
  }),
);

let stage: Stage;
let apiKey: string;
let otherApiKey: string;
let webhooks: typeof things;
beforeAll(async () => {
  stage = await openStage({ RATE_LIMIT_SCALE: '1000' });
  webhooks = await import('../../../app/api/webhooks/route.ts');
});
beforeEach(async () => {
  await stage.reset();
  await stage.database.db.execute(sql`truncate idempotency_keys`);
  ({ apiKey } = await asDeveloper(stage.ctx));
  ({ apiKey: otherApiKey } = await asDeveloper(stage.ctx));
  runs = 0;
  work = made;
});
afterAll(() => stage.close());

interface Asked {
  status: number;
  headers: Headers;
  text: string;
  json: { code?: string; errors?: { field: string }[]; secret?: string; request_id?: string };
}

interface Sent {
  key?: string;
  token?: string | null;
  body?: unknown;
  path?: string;
}

async function ask(
  route: typeof things,
  { key, token = apiKey, body = { name: 'a' }, path = '/api/things' }: Sent = {},
): Promise<Asked> {
  const headers = new Headers({ 'content-type': 'application/json' });
  if (key !== undefined) headers.set('idempotency-key', key);
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  const request = new Request(`http://127.0.0.1:3000${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const response = await route.POST(request, { params: Promise.resolve(undefined) });
  const text = await response.text();
  registerSecretsIn(text);
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
}

const isReplay = ({ headers }: Asked) => headers.get('idempotency-replayed') === 'true';
const rowCount = async (table: string) =>
  Number((await stage.database.db.execute(sql`select count(*) from ${sql.identifier(table)}`)).rows[0]?.count);

describe('an Idempotency-Key', () => {
  test('on twenty equal requests at once makes one webhook', async () => {
    const request = { key: 'one', body: { url: TARGET }, path: '/webhooks' };
    const asked = await Promise.all(Array.from({ length: 20 }, () => ask(webhooks, request)));
    expect(await rowCount('webhooks')).toBe(1);
    const created = asked.filter(({ status }) => status === 201);
    expect(created.filter((one) => !isReplay(one))).toHaveLength(1);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    for (const { status, json, headers } of asked.filter((one) => one.status !== 201)) {
      expect({ status, code: json.code }).toEqual({ status: 409, code: 'idempotency_key_in_use' });
      expect(headers.get('retry-after')).toBe('1');
    }
    const later = await ask(webhooks, request);
    expect(isReplay(later)).toBe(true);
    expect(later.text).toBe(created[0]?.text);
  });

  test('gives the very bytes of the first answer, a secret that is shown once among them, under either path form', async () => {
    const request = { key: 'again', body: { url: TARGET } };
    const first = await ask(webhooks, { ...request, path: '/webhooks' });
    const second = await ask(webhooks, { ...request, path: '/api/webhooks' });
    expect(first.json.secret).toMatch(/^whsec_/);
    expect({ status: second.status, text: second.text }).toEqual({ status: 201, text: first.text });
    expect([isReplay(first), isReplay(second)]).toEqual([false, true]);
    for (const name of ['content-type', 'cache-control']) {
      expect(second.headers.get(name)).toBe(first.headers.get(name));
    }
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  });

  test('keeps the answer sealed, and bound to its place', async () => {
    const { json } = await ask(webhooks, { key: 'sealed', body: { url: TARGET } });
    const { rows } = await stage.database.db.execute(sql`select * from idempotency_keys`);
    expect(JSON.stringify(rows)).not.toContain(json.secret);
    expect(JSON.stringify(rows)).not.toContain(apiKey);
    await stage.database.db.execute(sql`update idempotency_keys set key = 'action_applied'`);
    const moved = await ask(webhooks, { key: 'action_applied', body: { url: TARGET } });
    expect(moved.json.code).toBe('internal_error');
    expect(moved.text).not.toContain(json.secret);
    expect(await rowCount('webhooks')).toBe(1);
  });

  test('stands for one content: another body, query or operation is 422 and does nothing', async () => {
    await ask(things, { key: 'k' });
    const others: (Sent & { route?: typeof things })[] = [
      { body: { name: 'b' } },
      { path: '/api/things?dry_run=true' },
      { body: { url: TARGET }, route: webhooks, path: '/webhooks' },
    ];
    for (const other of others) {
      const asked = await ask(other.route ?? things, { key: 'k', ...other });
      expect({ status: asked.status, code: asked.json.code }).toEqual({ status: 422, code: 'idempotency_key_reused' });
    }
    expect([runs, await rowCount('webhooks')]).toEqual([1, 0]);
  });

  test('belongs to its credential: the same key of another makes another thing', async () => {
    const first = await ask(things, { key: 'k' });
    const second = await ask(things, { key: 'k', token: otherApiKey, body: { name: 'b' } });
    expect([first.text, second.text]).toEqual(['{"run":1}', '{"run":2}']);
  });

  test('replays nothing to a credential that was revoked', async () => {
    await ask(things, { key: 'k' });
    await stage.database.db.execute(sql`update api_keys set revoked_at = now()`);
    expect((await ask(things, { key: 'k' })).json.code).toBe('unauthorized');
  });

  test('is free for its own request again once the process that held it has been dead for long', async () => {
    work = () => new Promise(() => {});
    void ask(things, { key: 'k' });
    await expect.poll(() => runs).toBe(1);
    work = made;
    expect((await ask(things, { key: 'k' })).json.code).toBe('idempotency_key_in_use');
    await stage.database.db.execute(
      sql`update idempotency_keys set locked_until = locked_until - make_interval(secs => ${LOCK_SECONDS}::integer)`,
    );
    expect((await ask(things, { key: 'k', body: { name: 'b' } })).json.code).toBe('idempotency_key_reused');
    const again = await Promise.all(Array.from({ length: 10 }, () => ask(things, { key: 'k' })));
    expect(again.filter((one) => one.status === 201 && !isReplay(one))).toHaveLength(1);
    expect(runs).toBe(2);
  });

  test('that a later request took over keeps the later answer', async () => {
    let end: (value: unknown) => void = () => {};
    work = () => new Promise((resolve) => (end = resolve));
    const slow = ask(things, { key: 'k' });
    await expect.poll(() => runs).toBe(1);
    await stage.database.db.execute(sql`update idempotency_keys set locked_until = now()`);
    work = made;
    expect((await ask(things, { key: 'k' })).text).toBe('{"run":2}');
    end({ run: 1 });
    expect((await slow).text).toBe('{"run":1}');
    expect((await ask(things, { key: 'k' })).text).toBe('{"run":2}');
  });

  test('is not answered by a request that lost it to a later one, which is still at work', async () => {
    const ends: ((value: unknown) => void)[] = [];
    work = () => new Promise((resolve) => ends.push(resolve));
    const slow = ask(things, { key: 'k' });
    await expect.poll(() => runs).toBe(1);
    await stage.database.db.execute(sql`update idempotency_keys set locked_until = now()`);
    const later = ask(things, { key: 'k' });
    await expect.poll(() => runs).toBe(2);
    ends[0]?.({ run: 1 });
    expect((await slow).text).toBe('{"run":1}');
    expect((await ask(things, { key: 'k' })).json.code).toBe('idempotency_key_in_use');
    ends[1]?.({ run: 2 });
    expect((await later).text).toBe('{"run":2}');
    expect((await ask(things, { key: 'k' })).text).toBe('{"run":2}');
    expect(runs).toBe(2);
  });

  test('is not freed by a request that lost it to a later one, and failed', async () => {
    const ends: (() => void)[] = [];
    work = () => new Promise((_, reject) => ends.push(() => reject(new Error('broken'))));
    const slow = ask(things, { key: 'k' });
    await expect.poll(() => runs).toBe(1);
    await stage.database.db.execute(sql`update idempotency_keys set locked_until = now()`);
    const later = ask(things, { key: 'k' });
    await expect.poll(() => runs).toBe(2);
    ends[0]?.();
    expect((await slow).json.code).toBe('internal_error');
    expect((await ask(things, { key: 'k' })).json.code).toBe('idempotency_key_in_use');
    ends[1]?.();
    expect((await later).json.code).toBe('internal_error');
    expect(await rowCount('idempotency_keys')).toBe(0);
  });

  test('keeps a refusal by the operation itself', async () => {
    work = () => Promise.reject(new PlatformError('conflict', 'Not now.'));
    const first = await ask(things, { key: 'k' });
    work = made;
    const second = await ask(things, { key: 'k' });
    expect({ status: second.status, text: second.text }).toEqual({ status: 409, text: first.text });
    expect(isReplay(second)).toBe(true);
    expect(second.headers.get('content-type')).toBe('application/problem+json');
    expect(runs).toBe(1);
  });

  test.each([
    ['that is our fault', () => new Error('broken')],
    ['that a part is away', () => new PlatformError('ledger_unavailable', 'Later.')],
    [
      'that says when to come again',
      () => new PlatformError('conflict', 'Later.', { headers: { 'retry-after': '5' } }),
    ],
  ])('is free after an answer %s', async (_, failure) => {
    work = () => Promise.reject(failure());
    expect((await ask(things, { key: 'k' })).status).toBeGreaterThanOrEqual(400);
    expect(await rowCount('idempotency_keys')).toBe(0);
    work = made;
    expect((await ask(things, { key: 'k', body: { name: 'b' } })).text).toBe('{"run":2}');
  });

  test('is not taken by a request that did not come to its work', async () => {
    for (const request of [{ body: { name: 1 } }, { token: 'nobody' }]) {
      expect((await ask(things, { key: 'k', ...request })).status).toBeGreaterThanOrEqual(400);
    }
    expect(await rowCount('idempotency_keys')).toBe(0);
    expect((await ask(things, { key: 'k' })).status).toBe(201);
  });

  test('is kept for a day, and the answer goes with it', async () => {
    for (const key of ['old', 'new']) await ask(things, { key });
    const age = (key: string, interval: string) =>
      stage.database.db.execute(
        sql`update idempotency_keys set created_at = now() - ${interval}::interval where key = ${key}`,
      );
    await age('old', '24 hours');
    await age('new', '23 hours 59 minutes');
    expect((await ask(things, { key: 'old', body: { name: 'b' } })).text).toBe('{"run":3}');
    expect(isReplay(await ask(things, { key: 'new' }))).toBe(true);
    await age('old', '24 hours');
    expect(await pruneKeys(stage.database.db)).toBe(1);
    const { rows } = await stage.database.db.execute(sql`select key from idempotency_keys`);
    expect(rows).toEqual([{ key: 'new' }]);
  });

  test('is 1 to 255 visible ASCII characters', async () => {
    for (const key of ['', ' ', 'a b', 'a'.repeat(256), 'ä', 'a, b']) {
      const asked = await ask(things, { key });
      expect({ key, status: asked.status, field: asked.json.errors?.[0]?.field }).toEqual({
        key,
        status: 400,
        field: 'Idempotency-Key',
      });
    }
    expect((await ask(things, { key: 'a'.repeat(255) })).status).toBe(201);
    expect((await ask(things, { key: '"8e03978e-40d5-43dd-bc93-6894a57f9324"' })).status).toBe(201);
  });

  test('is refused where nobody would look at it: without a credential, and by an operation that keeps no answers', async () => {
    const anonymous = await ask(things, { key: 'k', token: null });
    expect(anonymous.json.errors?.[0]?.field).toBe('Idempotency-Key');
    const challenges = await import('../../../app/api/api-keys/challenge/route.ts');
    const body = { wallet_address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', action: 'create_key' };
    const unkept = await ask(challenges, { key: 'k', token: null, body, path: '/api/api-keys/challenge' });
    expect(unkept.json.errors?.[0]?.field).toBe('Idempotency-Key');
    expect([runs, await rowCount('wallet_challenges')]).toEqual([0, 0]);
  });

  test('that is left out changes nothing', async () => {
    const asked = [await ask(things), await ask(things)];
    expect(asked.map(({ text }) => text)).toEqual(['{"run":1}', '{"run":2}']);
    expect(await rowCount('idempotency_keys')).toBe(0);
  });
});
