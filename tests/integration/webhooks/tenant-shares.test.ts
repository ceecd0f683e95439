import { eq, inArray, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { webhooks } from '#drizzle/schema/events.ts';
import { claimFirstAttempts } from '#lib/webhooks/delivery/claim-first-attempts.ts';
import { dispatchFirstAttempts } from '#lib/webhooks/delivery/dispatch.ts';
import { updateWebhook } from '#lib/webhooks/registry/update-webhook.ts';
import { dispatching, ROOMY } from './dispatching.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { newWebhook, reportInvestments } from './stage.ts';

const desk = dispatching();

/** More than all the places of a slice. */
const HOSTS = 80;

let hosts: Receiver[];
beforeEach(async () => {
  hosts = await Promise.all(Array.from({ length: HOSTS }, () => startReceiver(() => undefined)));
});
afterEach(() => Promise.all(hosts.map((host) => host.close())));

const hanging = () => hosts.reduce((sum, { received }) => sum + received.length, 0);

/** Gives one tenant a webhook at every host that hangs. */
async function registerHanging(): Promise<string[]> {
  const registered = await Promise.all(hosts.map(({ url }) => newWebhook(desk.stage.ctx, url)));
  const ids = registered.map(({ webhook }) => webhook.id);
  const [first] = await desk.stage.ctx.db.select().from(webhooks).where(inArray(webhooks.id, ids)).limit(1);
  await desk.stage.ctx.db
    .update(webhooks)
    .set({ tenantId: first?.tenantId ?? '' })
    .where(inArray(webhooks.id, ids));
  return ids;
}

test.each([
  { kind: 'has never taken an event from us', isTried: false, places: 4 },
  { kind: 'has taken events before', isTried: true, places: 16 },
])(
  'one tenant whose every receiver hangs and $kind holds $places places, and another tenant gets its event at once',
  async ({ isTried, places }) => {
    desk.endByWord();
    const ids = await registerHanging();
    if (isTried)
      await desk.stage.ctx.db.update(webhooks).set({ firstSuccessAt: sql`now()` }).where(inArray(webhooks.id, ids));
    await reportInvestments(desk.stage.ctx.db, 5);
    const deadlineMs = desk.stage.ctx.clock.nowMs() + 1_000_000;
    const running = dispatchFirstAttempts(desk.stage.ctx, deadlineMs);
    await expect.poll(hanging).toBe(places);
    // Who comes last finds a place all the same, before any of those that hang has ended.
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await reportInvestments(desk.stage.ctx.db);
    await expect.poll(() => desk.receiver.received.length).toBe(1);
    expect(hanging()).toBe(places);
    desk.stage.ctx.clock.set(deadlineMs);
    await Promise.all(hosts.map((host) => host.close()));
    await running;
    hosts = [];
  },
);

test('every tenant’s first attempt is claimed before any tenant’s second, however many webhooks it has', async () => {
  await registerHanging();
  const other = await newWebhook(desk.stage.ctx, desk.receiver.url);
  await reportInvestments(desk.stage.ctx.db, 3);
  const { claimed } = await claimFirstAttempts(desk.stage.ctx, { ...ROOMY, capacity: 2, afterWebhookId: '' });
  expect(claimed).toHaveLength(2);
  expect(claimed.map(({ webhookId }) => webhookId)).toContain(other.webhook.id);
});

test('a receiver counts as tried from its first success on, until its URL changes', async () => {
  const { developer, webhook } = await newWebhook(desk.stage.ctx, desk.receiver.url);
  const isTried = async () => {
    const [row] = await desk.stage.ctx.db.select().from(webhooks).where(eq(webhooks.id, webhook.id));
    return row?.firstSuccessAt instanceof Date;
  };
  expect(await isTried()).toBe(false);
  await reportInvestments(desk.stage.ctx.db);
  await desk.dispatch();
  expect(await isTried()).toBe(true);
  await updateWebhook(developer, webhook.id, { description: 'the same receiver', url: desk.receiver.url });
  expect(await isTried()).toBe(true);
  await updateWebhook(developer, webhook.id, { url: `${desk.receiver.url}/elsewhere` });
  expect(await isTried()).toBe(false);
});
