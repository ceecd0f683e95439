import { inArray, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { webhooks } from '#drizzle/schema/events.ts';
import { newId } from '#lib/base/ids.ts';
import { seal } from '#lib/base/secretbox.ts';
import { claimFirstAttempts } from '#lib/webhooks/delivery/claim.ts';
import { dispatchFirstAttempts } from '#lib/webhooks/delivery/dispatch.ts';
import { updateWebhook } from '#lib/webhooks/registry/change-webhook.ts';
import { addRows, rowsOf } from '#tests/support/rows.ts';
import { dispatching, ROOMY } from './dispatching.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { newWebhook, reportInvestments } from './stage.ts';

const desk = dispatching();

/** Several times all the places of a slice, and as many as thirteen tenants may have. */
const HOSTS = 250;
const OF_TENANT = 20;
const PAYMENTS = 30;

let hosts: Receiver[];
beforeEach(async () => {
  hosts = await Promise.all(Array.from({ length: HOSTS }, () => startReceiver(() => undefined)));
});
afterEach(() => Promise.all(hosts.map((host) => host.close())));

const hanging = () => hosts.reduce((sum, { received }) => sum + received.length, 0);

/** Registers a webhook at every host that hangs: one tenant all of them, or each tenant so many. */
async function registerHanging({ ofTenant = HOSTS, count = HOSTS } = {}): Promise<string[]> {
  const { ctx } = desk.stage;
  const ids: string[] = [];
  for (let from = 0; from < count; from += ofTenant) {
    const [first, ...others] = hosts.slice(from, Math.min(count, from + ofTenant));
    if (first === undefined) break;
    const { webhook } = await newWebhook(ctx, first.url);
    const [row] = await rowsOf(ctx.db, 'webhooks', { id: webhook.id });
    if (row === undefined) throw new Error('It was registered');
    const more = others.map(({ url }) => {
      const id = newId('wh', ctx.random);
      return { ...row, id, url, sealedSecret: seal(webhook.secret, id, ctx.random) };
    });
    if (more.length > 0) await addRows(ctx.db, 'webhooks', more);
    ids.push(webhook.id, ...more.map(({ id }) => id));
  }
  return ids;
}

test.each([
  {
    who: 'one tenant',
    ofTenant: HOSTS,
    kind: 'have never taken an event from us',
    isTried: false,
    positions: 4,
    most: 4,
  },
  { who: 'one tenant', ofTenant: HOSTS, kind: 'have taken events before', isTried: true, positions: 16, most: 16 },
  {
    who: 'thirteen tenants',
    ofTenant: OF_TENANT,
    kind: 'have never taken an event from us',
    isTried: false,
    positions: 16,
    most: 24,
  },
  {
    who: 'thirteen tenants',
    ofTenant: OF_TENANT,
    kind: 'have taken events before',
    isTried: true,
    positions: 48,
    most: 56,
  },
])(
  '250 receivers of $who that hang and $kind hold $places places, and another tenant gets its event at once',
  async ({ ofTenant, isTried, positions, most }) => {
    desk.endByWord();
    const ids = await registerHanging({ ofTenant });
    if (isTried)
      await desk.stage.ctx.db.update(webhooks).set({ firstSuccessAt: sql`now()` }).where(inArray(webhooks.id, ids));
    await reportInvestments(desk.stage.ctx.db, PAYMENTS);
    const deadlineMs = desk.stage.ctx.clock.nowMs() + 1_000_000;
    const running = dispatchFirstAttempts(desk.stage.ctx, deadlineMs);
    await expect.poll(hanging).toBeGreaterThanOrEqual(positions);
    // Who comes last finds a place all the same, before any of those that hang has ended.
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await reportInvestments(desk.stage.ctx.db);
    await expect.poll(() => desk.receiver.received.length).toBe(1);
    // One more for each tenant that had none when the others held these.
    expect(hanging()).toBeLessThanOrEqual(most);
    desk.stage.ctx.clock.set(deadlineMs);
    await Promise.all(hosts.map((host) => host.close()));
    await running;
    hosts = [];
  },
);

test('every tenant’s first attempt is claimed before any tenant’s second, however many webhooks it has', async () => {
  await registerHanging({ count: 80 });
  const other = await newWebhook(desk.stage.ctx, desk.receiver.url);
  await reportInvestments(desk.stage.ctx.db, 3);
  const { claimed } = await claimFirstAttempts(desk.stage.ctx, { ...ROOMY, capacity: 2, afterWebhookId: '' });
  expect(claimed).toHaveLength(2);
  expect(claimed.map(({ webhookId }) => webhookId)).toContain(other.webhook.id);
});

test('a receiver counts as tried from its first success on, until its URL changes', async () => {
  const { developer, webhook } = await newWebhook(desk.stage.ctx, desk.receiver.url);
  const isTried = async () => {
    const [row] = await rowsOf(desk.stage.ctx.db, 'webhooks', { id: webhook.id });
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
