import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApiKey } from '#lib/accounts/api-keys/create-api-key.ts';
import { issueChallenge } from '#lib/accounts/api-keys/issue-challenge.ts';
import { removeExpiredAccess } from '#lib/accounts/api-keys/remove-expired-access.ts';
import { applyEnv } from '#lib/base/env.ts';
import { monitorTrustLines } from '#lib/jobs/monitor-trust-lines.ts';
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
    'truncate wallet_challenges, delivery_attempts, deliveries, replays, events, webhooks, api_keys, tenants cascade',
  );
});

const create = () => createApiKey(ctx, { wallet_address: WALLET });
const sweep = () => removeExpiredAccess(ctx, ctx.clock.nowMs() + 10_000);
const age = (days: number) =>
  database.db.execute(sql`update api_keys set created_at = now() - make_interval(days => ${days}::integer)`);

test('an unproven key that nobody used in 30 days goes with its empty tenant; used, proven and younger ones stay', async () => {
  const [unused, used, proven] = [await create(), await create(), await create()];
  await database.db.execute(sql`update api_keys set last_used_at = now() - interval '40 days' where id = ${used.id}`);
  await database.db.execute(
    sql`update tenants set proven_wallet = ${WALLET} where id = (select tenant_id from api_keys where id = ${proven.id})`,
  );
  await age(29);
  expect(await sweep()).toMatchObject({ keys: 0 });
  await age(31);
  const young = await create();
  expect(await sweep()).toEqual({ challenges: 0, keys: 1, more: false });
  const left = (await rowsOf(database.db, 'apiKeys')).map(({ id }) => id);
  expect(left.toSorted()).toEqual([used.id, proven.id, young.id].toSorted());
  expect(left).not.toContain(unused.id);
  expect(await rowsOf(database.db, 'tenants')).toHaveLength(3);
});

test('webhooks whose last key is over stop, and what waits for them is cancelled; others go on', async () => {
  const orphan = await newWebhook(ctx, 'https://receiver.example.com/');
  const kept = await newWebhook(ctx, 'https://other.example.com/');
  await database.db.execute(sql`insert into tenants (id) values ('ten_administrators')`);
  await database.db.execute(sql`
    insert into webhooks (id, tenant_id, url, host, events, active, description, sealed_secret, api_version)
    select 'wh_administrators', 'ten_administrators', url, host, events, true, '', sealed_secret, api_version
    from webhooks where id = ${kept.webhook.id}`);
  await reportInvestments(database.db, 2);
  await database.db.execute(sql`
    update api_keys set last_used_at = now(), expires_at = now()
    where tenant_id = (select tenant_id from webhooks where id = ${orphan.webhook.id})`);
  await sweep();
  const active = (await rowsOf(database.db, 'webhooks')).filter((row) => row.active).map(({ id }) => id);
  expect(active.toSorted()).toEqual([kept.webhook.id, 'wh_administrators'].toSorted());
  const cancelled = (await rowsOf(database.db, 'deliveries')).filter(({ status }) => status === 'cancelled');
  expect(cancelled.map(({ webhookId }) => webhookId)).toEqual([orphan.webhook.id, orphan.webhook.id]);
});

test('challenges that are over go, open ones stay, and two sweeps at once do no harm', async () => {
  const body = { wallet_address: WALLET, action: 'create_key' } as const;
  const [over, open] = [await issueChallenge(ctx, body), await issueChallenge(ctx, body)];
  await database.db.execute(sql`update wallet_challenges set expires_at = now() where id = ${over.id}`);
  await Promise.all(Array.from({ length: 20 }, create));
  await age(31);
  const swept = await Promise.all([sweep(), sweep()]);
  expect(swept.reduce((sum, one) => sum + one.challenges, 0)).toBe(1);
  expect(swept.reduce((sum, one) => sum + one.keys, 0)).toBe(20);
  expect((await rowsOf(database.db, 'walletChallenges')).map(({ id }) => id)).toEqual([open.id]);
  expect(await rowsOf(database.db, 'tenants')).toEqual([]);
});

test('the daily cron sweeps, also while no ledger server answers', async () => {
  await create();
  await age(31);
  await Promise.allSettled([monitorTrustLines(ctx)]);
  expect(await rowsOf(database.db, 'apiKeys')).toEqual([]);
});
