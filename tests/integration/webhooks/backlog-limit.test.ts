import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { deliveries, type webhooks } from '#drizzle/schema/events.ts';
import { sweepDeliveries } from '#lib/webhooks/delivery/sweep.ts';
import { listDeliveries } from '#lib/webhooks/log/read-deliveries.ts';
import { updateWebhook } from '#lib/webhooks/registry/change-webhook.ts';
import { getWebhook } from '#lib/webhooks/registry/read-webhooks.ts';
import { countReplay } from '#lib/webhooks/replay/replays.ts';
import { changeRows } from '#tests/support/rows.ts';
import { dispatching } from './dispatching.ts';
import { newWebhook, reportInvestments } from './stage.ts';

const desk = dispatching();
const MOST = 1_000;

let subscribed: Awaited<ReturnType<typeof newWebhook>>;
beforeEach(async () => {
  subscribed = await newWebhook(desk.stage.ctx, desk.receiver.url);
});

const report = (count: number) => reportInvestments(desk.stage.ctx.db, count);
const sweep = () => sweepDeliveries(desk.stage.ctx);
const set = (values: Partial<typeof webhooks.$inferInsert>) =>
  changeRows(desk.stage.ctx.db, 'webhooks', { id: subscribed.webhook.id }, values);
const read = () => getWebhook(subscribed.developer, subscribed.webhook.id);
const end = (count: number, to: 'failed' | 'retrying') =>
  desk.stage.ctx.db.execute(sql`
    update deliveries set status = ${to}, due_at = case when ${to} = 'retrying' then now() end, next_attempt = 2
    where id in (select id from deliveries where webhook_id = ${subscribed.webhook.id} and status = 'pending' limit ${count})`);

test('a webhook that fails and has never taken an event gets no more once 1,000 are undelivered, and its log tells what it misses', async () => {
  await set({ failingSince: new Date() });
  await report(MOST - 1);
  // Those that are retried count as well as those whose first attempt is due.
  await end(600, 'retrying');
  await sweep();
  expect(await read()).toMatchObject({ backlog_full: false, failing_since: expect.any(String) });
  expect(await report(1)).toBe(1);
  await sweep();
  expect(await report(50)).toBe(0);
  expect(await read()).toMatchObject({ active: true, backlog_full: true, disabled_at: null });
  const { deliveries: log } = await listDeliveries(subscribed.developer, subscribed.webhook.id, {
    limit: 100,
    status: 'cancelled',
  });
  expect(log).toHaveLength(50);
  for (const line of log) expect(line).toMatchObject({ cancelled_reason: 'backlog_full', attempts: 0 });
  const asked = { from: new Date(0), selection: 'failed' as const, dry_run: true };
  expect(await countReplay(subscribed.developer, subscribed.webhook.id, asked)).toMatchObject({
    total: 50,
    missed: 50,
  });
});

test('what ends makes room again', async () => {
  await set({ failingSince: new Date() });
  await report(MOST);
  await sweep();
  expect(await report(1)).toBe(0);
  await end(10, 'failed');
  await sweep();
  expect(await read()).toMatchObject({ backlog_full: false });
  expect(await report(5)).toBe(5);
});

test('a webhook that has taken an event once is never limited, however long it fails', async () => {
  await set({ failingSince: new Date(Date.now() - 86_400_000), firstSuccessAt: new Date(0) });
  expect(await report(MOST + 50)).toBe(MOST + 50);
  await sweep();
  expect(await read()).toMatchObject({ backlog_full: false });
  expect(await report(1)).toBe(1);
  expect(await desk.stage.ctx.db.$count(deliveries, eq(deliveries.status, 'cancelled'))).toBe(0);
});

test('a webhook that has not failed yet is not limited, whatever comes at once', async () => {
  expect(await report(MOST + 50)).toBe(MOST + 50);
  await sweep();
  expect(await read()).toMatchObject({ backlog_full: false, failing_since: null });
  expect(await report(1)).toBe(1);
});

test('a webhook whose backlog is full takes nothing from another', async () => {
  await set({ failingSince: new Date() });
  await report(MOST);
  await sweep();
  await newWebhook(desk.stage.ctx, desk.receiver.url);
  expect(await report(3)).toBe(3);
});

test('a full backlog is full no more with the first success of its receiver, without a sweep', async () => {
  await set({ failingSince: new Date() });
  await report(MOST);
  await sweep();
  expect(await read()).toMatchObject({ backlog_full: true });
  await desk.dispatch();
  expect(await read()).toMatchObject({ backlog_full: false, failing_since: null });
  expect(await report(2)).toBe(2);
});

test('another URL, or switching it on again, begins anew', async () => {
  const { developer, webhook } = subscribed;
  await set({ failingSince: new Date(), backlogFull: true });
  await updateWebhook(developer, webhook.id, {
    description: 'the same receiver',
    url: desk.receiver.url,
    active: true,
  });
  expect(await read()).toMatchObject({ backlog_full: true });
  await updateWebhook(developer, webhook.id, { url: `${desk.receiver.url}/elsewhere` });
  await set({ failingSince: new Date() });
  expect(await read()).toMatchObject({ backlog_full: false });
  await set({ backlogFull: true });
  await updateWebhook(developer, webhook.id, { active: false });
  await updateWebhook(developer, webhook.id, { active: true });
  await set({ failingSince: new Date() });
  expect(await read()).toMatchObject({ backlog_full: false });
});

test('a webhook that is paused says so of what it misses, and not that its backlog is full', async () => {
  await set({ failingSince: new Date() });
  await report(MOST);
  await sweep();
  await updateWebhook(subscribed.developer, subscribed.webhook.id, { active: false });
  expect(await report(1)).toBe(0);
  expect(await desk.stage.ctx.db.$count(deliveries, eq(deliveries.cancelReason, 'webhook_paused'))).toBe(1);
});
