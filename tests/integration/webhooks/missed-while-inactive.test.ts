import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { deliveries } from '#drizzle/schema/events.ts';
import { dispatchDeliveries } from '#lib/jobs/dispatch-deliveries.ts';
import { listDeliveries } from '#lib/webhooks/log/read-deliveries.ts';
import { resendDelivery } from '#lib/webhooks/log/resend-delivery.ts';
import { deleteWebhook, updateWebhook } from '#lib/webhooks/registry/change-webhook.ts';
import { registerWebhook } from '#lib/webhooks/registry/register-webhook.ts';
import { countReplay, startReplay } from '#lib/webhooks/replay/replays.ts';
import { dispatching } from './dispatching.ts';
import { status } from './receiver.ts';
import { appendInvestments, asDeveloper, newWebhook } from './stage.ts';

const desk = dispatching();

const report = async (count = 1) => {
  await appendInvestments(desk.stage.ctx.db, count);
  await dispatchDeliveries(desk.stage.ctx);
};
const logOf = async ({ developer, webhook }: Awaited<ReturnType<typeof newWebhook>>) =>
  (await listDeliveries(developer, webhook.id, { limit: 50 })).deliveries;

test('the log of a paused webhook has a cancelled line for each event that it misses, and nothing is sent', async () => {
  const subscribed = await newWebhook(desk.stage.ctx, desk.receiver.url);
  await updateWebhook(subscribed.developer, subscribed.webhook.id, { active: false });
  await report(3);
  const log = await logOf(subscribed);
  expect(log).toHaveLength(3);
  for (const line of log) {
    expect(line).toMatchObject({ status: 'cancelled', cancelled_reason: 'webhook_paused', attempts: 0 });
  }
  expect(desk.receiver.received).toHaveLength(0);
});

test('the log of a webhook that was paused from the start tells what it misses', async () => {
  const developer = await asDeveloper(desk.stage.ctx);
  const webhook = await registerWebhook(developer, { url: desk.receiver.url, active: false, description: '' });
  await report();
  expect(await logOf({ developer, webhook })).toMatchObject([{ cancelled_reason: 'webhook_paused' }]);
});

test('the log of a webhook that the platform disabled says so of each event that it misses', async () => {
  desk.receiver.answerWith(status(500));
  const subscribed = await newWebhook(desk.stage.ctx, desk.receiver.url);
  await report();
  await desk.stage.ctx.db.execute(sql`update webhooks set failing_since = now() - interval '6 days'`);
  await report();
  desk.receiver.received.length = 0;
  await report();
  const [newest] = await logOf(subscribed);
  expect(newest).toMatchObject({
    event_type: 'investment.created',
    status: 'cancelled',
    cancelled_reason: 'webhook_disabled',
  });
  expect(desk.receiver.received).toHaveLength(0);
});

test('what was missed is sent again by a resend or a replay, which counts it as never sent', async () => {
  const subscribed = await newWebhook(desk.stage.ctx, desk.receiver.url);
  const { developer, webhook } = subscribed;
  await updateWebhook(developer, webhook.id, { active: false });
  await report(3);
  await updateWebhook(developer, webhook.id, { active: true });
  const [first] = await logOf(subscribed);
  await resendDelivery(developer, webhook.id, first?.id ?? '');
  await dispatchDeliveries(desk.stage.ctx);
  expect(desk.receiver.received).toHaveLength(1);
  const asked = { from: new Date(0), selection: 'failed' as const, dry_run: true };
  expect(await countReplay(developer, webhook.id, asked)).toMatchObject({ total: 2, missed: 2 });
  await startReplay(developer, webhook.id, { ...asked, dry_run: false });
  await dispatchDeliveries(desk.stage.ctx);
  expect(new Set(desk.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
});

test('lines are written no longer than the payload of what is missed is kept, and never for a deleted webhook', async () => {
  const long = await newWebhook(desk.stage.ctx, desk.receiver.url);
  await updateWebhook(long.developer, long.webhook.id, { active: false });
  await desk.stage.ctx.db.execute(sql`update webhooks set inactive_since = now() - interval '31 days'`);
  await updateWebhook(long.developer, long.webhook.id, { active: false });
  const gone = await newWebhook(desk.stage.ctx, desk.receiver.url);
  await deleteWebhook(gone.developer, gone.webhook.id);
  await report(2);
  expect(await desk.stage.ctx.db.$count(deliveries)).toBe(0);
});

test('a delivery that waits when its webhook is paused or deleted says why it was cancelled', async () => {
  const paused = await newWebhook(desk.stage.ctx, desk.receiver.url);
  desk.receiver.answerWith(status(500));
  await report();
  await updateWebhook(paused.developer, paused.webhook.id, { active: false });
  await desk.stage.advance(5);
  expect(await logOf(paused)).toMatchObject([{ status: 'cancelled', cancelled_reason: 'webhook_paused', attempts: 1 }]);
  const deleted = await newWebhook(desk.stage.ctx, desk.receiver.url);
  await report();
  await deleteWebhook(deleted.developer, deleted.webhook.id);
  const rows = await desk.stage.ctx.db.select().from(deliveries).where(sql`webhook_id = ${deleted.webhook.id}`);
  expect(rows).toMatchObject([{ status: 'cancelled', cancelReason: 'webhook_deleted' }]);
});
