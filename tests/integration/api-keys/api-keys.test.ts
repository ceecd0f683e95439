import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authenticateApiKey, newApiKey } from '#lib/accounts/api-keys/authenticate-api-key.ts';
import { createApiKey } from '#lib/accounts/api-keys/create-api-key.ts';
import { listApiKeys } from '#lib/accounts/api-keys/list-api-keys.ts';
import { revokeApiKey } from '#lib/accounts/api-keys/revoke-api-key.ts';
import type { Scope } from '#lib/base/contract.ts';
import { applyEnv } from '#lib/base/env.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import { newWebhook, reportInvestments, WALLET } from '#tests/integration/webhooks/stage.ts';
import { type TestCtx, testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { rowsOf } from '#tests/support/rows.ts';

let database: FreshDatabase;
let ctx: TestCtx;

beforeAll(async () => {
  database = await freshDatabase();
  applyEnv(testEnv());
  ctx = testCtx({ db: database.db });
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.execute(
    'truncate delivery_attempts, deliveries, replays, events, webhooks, api_keys, tenants cascade',
  );
});

const scopes: Scope[] = ['webhooks:read', 'webhooks:write'];
const create = (more: { name?: string; expires_in_days?: number } = {}) =>
  createApiKey(ctx, { wallet_address: WALLET, scopes, ...more });

describe('a new key', () => {
  test('authenticates as a tenant of its own, and only its hash is stored', async () => {
    const [one, other] = [await create({ name: 'one' }), await create()];
    const actors = [await authenticateApiKey(ctx, one.api_key), await authenticateApiKey(ctx, other.api_key)];
    expect(actors[0]).toMatchObject({ kind: 'api_key', keyId: one.id, walletAddress: WALLET, scopes });
    expect(actors[0]).not.toMatchObject({ tenantId: actors[1]?.kind === 'api_key' ? actors[1].tenantId : '' });
    const rows = await rowsOf(ctx.db, 'apiKeys');
    expect(JSON.stringify(rows)).not.toContain(one.api_key.slice(14));
    expect(rows.map((row) => row.keyHash)).toContain(sha256Hex(one.api_key));
  });

  test('ends when its days are over', async () => {
    const { api_key: apiKey, created_at, expires_at } = await create({ expires_in_days: 30 });
    expect(Date.parse(expires_at ?? '') - Date.parse(created_at)).toBe(30 * 86_400_000);
    await ctx.db.execute(sql`update api_keys set expires_at = now()`);
    expect(await authenticateApiKey(ctx, apiKey)).toBeNull();
  });
});

describe('authentication', () => {
  test('asks the database nothing about a text that is no key', async () => {
    const closed = testCtx({ db: database.db });
    Object.defineProperty(closed, 'db', {
      get: () => {
        throw new Error('asked');
      },
    });
    const { api_key: apiKey } = await create();
    expect(await authenticateApiKey(closed, `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`)).toBeNull();
    await expect(authenticateApiKey(closed, apiKey)).rejects.toThrow('asked');
  });

  test('refuses a well-formed key that nobody was given', async () => {
    expect(await authenticateApiKey(ctx, newApiKey('test', ctx.random))).toBeNull();
  });

  test('notes the last use, at most once in five minutes', async () => {
    const { api_key: apiKey } = await create();
    const lastUsed = async () => (await rowsOf(ctx.db, 'apiKeys'))[0]?.lastUsedAt?.getTime();
    await authenticateApiKey(ctx, apiKey);
    const first = await lastUsed();
    await authenticateApiKey(ctx, apiKey);
    expect(await lastUsed()).toBe(first);
    await ctx.db.execute(sql`update api_keys set last_used_at = now() - interval '6 minutes'`);
    await authenticateApiKey(ctx, apiKey);
    expect(await lastUsed()).toBeGreaterThanOrEqual(first ?? Number.POSITIVE_INFINITY);
  });

  test('notes many uses at the same moment once', async () => {
    const { api_key: apiKey } = await create();
    await ctx.db.execute(sql`
      create table uses (at timestamptz);
      create function note_use() returns trigger language plpgsql as 'begin insert into uses values (now()); return new; end';
      create trigger note_use after update of last_used_at on api_keys for each row execute function note_use()`);
    const actors = await Promise.all(Array.from({ length: 20 }, () => authenticateApiKey(ctx, apiKey)));
    expect(actors.every((actor) => actor?.kind === 'api_key')).toBe(true);
    expect((await ctx.db.execute(sql`select from uses`)).rows).toHaveLength(1);
    await ctx.db.execute(sql`drop trigger note_use on api_keys; drop function note_use; drop table uses`);
  });
});

describe('the public list', () => {
  test('shows neither key, name nor scopes', async () => {
    const created = await create({ name: 'private name' });
    const { api_keys: listed } = await listApiKeys(ctx, WALLET, { limit: 50 });
    expect(listed).toEqual([
      {
        id: created.id,
        prefix: created.prefix,
        wallet_verified: false,
        created_at: created.created_at,
        expires_at: null,
        last_used_at: null,
        revoked_at: null,
      },
    ]);
  });

  test('meets every key once over its pages', async () => {
    const ids = (await Promise.all(Array.from({ length: 5 }, () => create()))).map(({ id }) => id);
    await ctx.db.execute(sql`update api_keys set created_at = now()`);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listApiKeys(ctx, WALLET, { limit: 2, cursor });
      seen.push(...page.api_keys.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });
});

describe('revoking', () => {
  test('ends the key at once and gives the same answer again', async () => {
    const { id, api_key: apiKey } = await create();
    const answer = await revokeApiKey(ctx, { api_key: apiKey });
    expect(answer).toMatchObject({ id });
    expect(await authenticateApiKey(ctx, apiKey)).toBeNull();
    expect(await revokeApiKey(ctx, { api_key: apiKey })).toEqual(answer);
  });

  test('refuses what is no key', async () => {
    for (const text of ['tr_test_x', newApiKey('test', ctx.random)]) {
      await expect(revokeApiKey(ctx, { api_key: text })).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  test('takes the webhooks along with the last key, and cancels what waits for them', async () => {
    const { developer } = await newWebhook(ctx, 'https://receiver.example.com/');
    const bystander = await newWebhook(ctx, 'https://other.example.com/');
    await reportInvestments(ctx.db, 2);
    await revokeApiKey(ctx, { api_key: developer.apiKey });
    const active = (await rowsOf(ctx.db, 'webhooks')).filter((row) => row.active);
    expect(active.map((row) => row.id)).toEqual([bystander.webhook.id]);
    const waiting = (await rowsOf(ctx.db, 'deliveries')).filter((row) => row.status === 'pending');
    expect(waiting.map((row) => row.webhookId)).toEqual([bystander.webhook.id, bystander.webhook.id]);
  });

  test('leaves the webhooks while the tenant has another live key, or a proven wallet', async () => {
    const { developer } = await newWebhook(ctx, 'https://receiver.example.com/');
    const second = await create();
    await ctx.db.execute(sql`update api_keys set tenant_id = (select tenant_id from webhooks) where id = ${second.id}`);
    await revokeApiKey(ctx, { api_key: developer.apiKey });
    expect((await rowsOf(ctx.db, 'webhooks')).map((row) => row.active)).toEqual([true]);
    await ctx.db.execute(sql`update tenants set proven_wallet = ${WALLET} where id = (select tenant_id from webhooks)`);
    await revokeApiKey(ctx, { api_key: second.api_key });
    expect((await rowsOf(ctx.db, 'webhooks')).map((row) => row.active)).toEqual([true]);
  });

  test('the last two keys at once still takes the webhooks along', async () => {
    const { developer } = await newWebhook(ctx, 'https://receiver.example.com/');
    const second = await create();
    await ctx.db.execute(sql`update api_keys set tenant_id = (select tenant_id from webhooks) where id = ${second.id}`);
    await Promise.all([
      revokeApiKey(ctx, { api_key: developer.apiKey }),
      revokeApiKey(ctx, { api_key: second.api_key }),
    ]);
    expect((await rowsOf(ctx.db, 'webhooks')).map((row) => row.active)).toEqual([false]);
  });
});
