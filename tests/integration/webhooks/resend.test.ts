import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { deliveries } from '#drizzle/schema/events.ts';
import { updateWebhook } from '#lib/webhooks/registry/change-webhook.ts';
import { sendTestEvent } from '#lib/webhooks/testing/send-test-event.ts';
import { rowsOf } from '#tests/support/rows.ts';
import * as resendRoute from '../../../app/api/webhooks/[id]/deliveries/[delivery_id]/resend/route.ts';
import * as deliveryRoute from '../../../app/api/webhooks/[id]/deliveries/[delivery_id]/route.ts';
import { call } from './call.ts';
import { dispatching } from './dispatching.ts';
import { status } from './receiver.ts';
import { asDeveloper, newWebhook, reportInvestments } from './stage.ts';

const desk = dispatching({ RATE_LIMIT_SCALE: '1000' });
let developer: Awaited<ReturnType<typeof newWebhook>>['developer'];
let webhookId: string;

beforeEach(async () => {
  const registered = await newWebhook(desk.stage.ctx, desk.receiver.url);
  developer = registered.developer;
  webhookId = registered.webhook.id;
});

const { dispatch } = desk;
const resend = (deliveryId: string, apiKey = developer.apiKey) =>
  call(resendRoute, 'POST', { apiKey, params: { id: webhookId, delivery_id: deliveryId } });
const resent = () => desk.stage.ctx.db.select().from(deliveries).where(sql`resend_of is not null`);
const wakes = async () => (await desk.stage.waiting()).filter(({ body }) => body.includes('"deliveries"'));

/** A delivery of one event that has ended in success. */
async function delivered(): Promise<string> {
  await reportInvestments(desk.stage.ctx.db);
  await dispatch();
  return (await rowsOf(desk.stage.ctx.db, 'deliveries'))[0]?.id ?? '';
}

describe('a delivery that is sent again', () => {
  test('is a new one of the same event and bytes, made at once, and the first one stays as it was', async () => {
    const first = await delivered();
    const before = await rowsOf(desk.stage.ctx.db, 'deliveries');
    const answer = await resend(first);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({
      status: 'pending',
      attempts: 0,
      resend_of: first,
      event_id: before[0]?.eventId,
    });
    expect(await wakes()).toHaveLength(1);
    expect(await dispatch()).toMatchObject({ success: 1 });
    const [one, two] = desk.receiver.received;
    expect(two?.body).toBe(one?.body);
    expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id']);
    expect(await desk.stage.ctx.db.select().from(deliveries).where(sql`resend_of is null`)).toEqual(before);
  });

  test('goes through the whole schedule of its own when it fails', async () => {
    const first = await delivered();
    desk.receiver.answerWith(status(500));
    const { body } = await resend(first);
    await dispatch();
    for (const seconds of [5, 25, 120, 600, 3600, 21600]) await desk.stage.advance(seconds);
    const params = { id: webhookId, delivery_id: String(body.id) };
    const detail = await call(deliveryRoute, 'GET', { apiKey: developer.apiKey, params });
    expect(detail.body).toMatchObject({ status: 'failed', attempts: 7, resend_of: first });
    expect(desk.receiver.received).toHaveLength(8);
  });

  test('again names the first one, not the one between', async () => {
    const first = await delivered();
    const { body: second } = await resend(first);
    await dispatch();
    expect((await resend(String(second.id))).body).toMatchObject({ resend_of: first });
  });

  test('need not be subscribed to any more', async () => {
    const first = await delivered();
    await updateWebhook(developer, webhookId, { events: ['project.launched'] });
    expect((await resend(first)).status).toBe(202);
    expect(await dispatch()).toMatchObject({ success: 1 });
  });

  test('by many at once is sent again once', async () => {
    const first = await delivered();
    const answers = await Promise.all(Array.from({ length: 6 }, () => resend(first)));
    expect(answers.map(({ status: code }) => code).toSorted()).toEqual([202, 409, 409, 409, 409, 409]);
    const [unfinished] = await resent();
    expect(answers.find(({ status: code }) => code === 409)?.body).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining(unfinished?.id ?? 'no resend'),
    });
    expect(await resent()).toHaveLength(1);
  });
});

describe('is not sent again', () => {
  const conflict = (detail: RegExp) => ({
    status: 409,
    body: { code: 'conflict', detail: expect.stringMatching(detail) },
  });

  test('a delivery that waits, is retried or is under way: the answer says what to do', async () => {
    await reportInvestments(desk.stage.ctx.db);
    const id = (await rowsOf(desk.stage.ctx.db, 'deliveries'))[0]?.id ?? '';
    for (const change of [
      sql`status = 'pending'`,
      sql`status = 'retrying'`,
      sql`status = 'cancelled', leased_until = now() + interval '1 minute'`,
    ]) {
      await desk.stage.ctx.db.execute(sql`update deliveries set ${change}`);
      expect(await resend(id)).toMatchObject(conflict(/comes by itself/));
    }
    expect(await resent()).toEqual([]);
  });

  test('a test event', async () => {
    const test = { webhook_id: webhookId, event_type: 'investment.created' as const, test_data: {} };
    const { id } = await sendTestEvent(developer, test);
    expect(await resend(id)).toMatchObject(conflict(/POST \/webhooks\/test/));
  });

  test('an event whose payload is gone', async () => {
    const id = await delivered();
    await desk.stage.ctx.db.execute(sql`update events set pruned_at = now(), body = ''`);
    expect(await resend(id)).toMatchObject({ status: 410, body: { code: 'gone' } });
  });

  test('anything to an inactive webhook', async () => {
    const id = await delivered();
    await updateWebhook(developer, webhookId, { active: false });
    expect(await resend(id)).toMatchObject(conflict(/PATCH/));
    expect(await resent()).toEqual([]);
  });

  test('a delivery of another tenant', async () => {
    const id = await delivered();
    const stranger = await asDeveloper(desk.stage.ctx);
    expect(await resend(id, stranger.apiKey)).toMatchObject({ status: 404, body: { code: 'webhook_not_found' } });
    expect(await resent()).toEqual([]);
  });
});
