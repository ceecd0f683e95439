import { afterAll, beforeAll, expect, it } from 'vitest';
import { tenants } from '#drizzle/schema/access.ts';
import type { webhooks } from '#drizzle/schema/events.ts';
import { applyEnv } from '#lib/base/env.ts';
import { ADMINISTRATORS_TENANT } from '#lib/webhooks/registry/acting-tenant.ts';
import { listFailingWebhooks } from '#lib/webhooks/registry/read-webhooks.ts';
import { type TestCtx, testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { addWebhooks } from '#tests/support/sale.ts';

let database: FreshDatabase;
let ctx: TestCtx;
const before = (minutes: number) => new Date(ctx.clock.nowMs() - minutes * 60_000);
const DAY_MINUTES = 1_440;

async function insert(id: string, over: Partial<typeof webhooks.$inferInsert>): Promise<void> {
  await addWebhooks(database.db, [
    {
      id: `wh_${id}`,
      tenantId: 'ten_other',
      url: `https://${id}.example/hook?token=${id}-secret`,
      host: `${id}.example`,
      events: ['investment.created'],
      description: `${id} private`,
      ...over,
    },
  ]);
}

beforeAll(async () => {
  applyEnv(testEnv());
  database = await freshDatabase();
  ctx = testCtx({ db: database.db });
  await database.db
    .insert(tenants)
    .values([{ id: 'ten_other' }, { id: ADMINISTRATORS_TENANT }])
    .onConflictDoNothing();
  const off = { active: false, disabledReason: 'failing' as const };
  await insert('well', {});
  await insert('briefly', { failingSince: before(5) });
  await insert('long', { failingSince: before(120) });
  await insert('gone', { ...off, disabledReason: 'gone', disabledAt: before(60) });
  await insert('forgotten', { ...off, disabledAt: before(31 * DAY_MINUTES) });
  await insert('deleted', { ...off, disabledAt: before(60), deletedAt: before(1) });
  await insert('byhand', { active: false, failingSince: before(600) });
  await insert('ours', { tenantId: ADMINISTRATORS_TENANT, failingSince: before(90) });
});
afterAll(() => database?.close());

it('shows an operator whose webhooks fail or were switched off, ours first, and leaves out what passes or nobody misses', async () => {
  const { webhooks: shown, total } = await listFailingWebhooks(ctx, 10);
  expect(shown.map(({ host, ours }) => [host, ours])).toEqual([
    ['ours.example', true],
    ['gone.example', false],
    ['long.example', false],
  ]);
  expect(total).toBe(3);
  expect(shown[1]).toMatchObject({ disabledReason: 'gone', disabledAt: before(60).toISOString() });
  expect((await listFailingWebhooks(ctx, 1)).total).toBe(3);
});

it('tells of a tenant’s webhook its host and nothing of its address, its description or its secret', async () => {
  const text = JSON.stringify(await listFailingWebhooks(ctx, 10));
  for (const secret of ['token', '/hook', 'private', 'sealed', 'ten_other']) expect(text).not.toContain(secret);
});
