import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { claimRetry } from '#lib/webhooks/delivery/attempt-delivery.ts';
import { sweepDeliveries } from '#lib/webhooks/delivery/sweep.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import * as deliveryRoute from '../../../app/api/webhooks/[id]/deliveries/[delivery_id]/route.ts';
import { call } from './call.ts';
import { dispatching } from './dispatching.ts';
import { status } from './receiver.ts';
import { asDeveloper, newWebhook, reportInvestments } from './stage.ts';

const desk = dispatching({ RATE_LIMIT_SCALE: '1000' });
let apiKey: string;
let webhookId: string;

beforeEach(async () => {
  const { developer, webhook } = await newWebhook(desk.stage.ctx, desk.receiver.url);
  apiKey = developer.apiKey;
  webhookId = webhook.id;
});

const { dispatch } = desk;
const onlyDelivery = async () => (await rowsOf(desk.stage.ctx.db, 'deliveries'))[0]?.id ?? '';
const read = (deliveryId: string, key = apiKey) =>
  call(deliveryRoute, 'GET', { apiKey: key, params: { id: webhookId, delivery_id: deliveryId } });

describe('one delivery', () => {
  test('shows the bytes that were sent and every attempt, the interrupted one too', async () => {
    desk.receiver.answerWith((n, response) => {
      if (n > 1) return status(200)(n, response, { path: '', headers: {}, body: '' });
      response.writeHead(503, { 'retry-after': '7' }).end('busy');
    });
    await reportInvestments(desk.stage.ctx.db);
    await dispatch();
    const id = await onlyDelivery();
    expect(await claimRetry(desk.stage.ctx, id, 2)).not.toBeNull();
    await desk.stage.ctx.db.execute(sql`update deliveries set leased_until = now() - interval '1 second'`);
    await sweepDeliveries(desk.stage.ctx);
    await desk.stage.advance(5);
    await expect.poll(async () => (await read(id)).body.status).toBe('success');

    const { status: code, body } = await read(id);
    expect(code).toBe(200);
    expect(body).toMatchObject({ id, attempts: 2, response_code: 200, resend_of: null, pruned: false });
    expect(body.request).toMatchObject({ method: 'POST', body: desk.receiver.received[0]?.body });
    expect(body.attempt_log).toMatchObject([
      { number: 1, response_code: 503, error_kind: 'status', response_body: 'busy', retry_after: '7' },
      { number: 2, response_code: null, error_kind: 'interrupted', duration_ms: null },
      { number: 2, response_code: 200, error_kind: null, retry_after: null, duration_ms: expect.any(Number) },
    ]);
  });

  test('names the address and the headers of each attempt, and of the newest as the request', async () => {
    await reportInvestments(desk.stage.ctx.db);
    await dispatch();
    const kept = {
      url: desk.receiver.url,
      requestHeaders: { 'webhook-id': 'evt_1' },
      responseHeaders: { server: 'one' },
    };
    await changeRows(desk.stage.ctx.db, 'deliveryAttempts', {}, kept);
    const { body } = await read(await onlyDelivery());
    expect(body.request).toMatchObject({ url: desk.receiver.url, headers: { 'webhook-id': 'evt_1' } });
    expect(body.attempt_log).toMatchObject([{ url: desk.receiver.url, response_headers: { server: 'one' } }]);
  });

  test('that was not attempted yet has no address, no headers and no attempts', async () => {
    await reportInvestments(desk.stage.ctx.db);
    const { body } = await read(await onlyDelivery());
    expect(body).toMatchObject({
      status: 'pending',
      request: { url: null, headers: null, body: expect.stringContaining('investment.created') },
      attempt_log: [],
    });
  });

  test('says when its payload is gone', async () => {
    await reportInvestments(desk.stage.ctx.db);
    await desk.stage.ctx.db.execute(sql`update events set pruned_at = now(), body = ''`);
    expect((await read(await onlyDelivery())).body).toMatchObject({ pruned: true, request: { body: null } });
  });

  test('of another tenant, or of another webhook, is not found', async () => {
    await reportInvestments(desk.stage.ctx.db);
    const id = await onlyDelivery();
    const stranger = await asDeveloper(desk.stage.ctx);
    expect(await read(id, stranger.apiKey)).toMatchObject({ status: 404, body: { code: 'webhook_not_found' } });
    const { developer, webhook } = await newWebhook(desk.stage.ctx, desk.receiver.url);
    const params = { id: webhook.id, delivery_id: id };
    expect(await call(deliveryRoute, 'GET', { apiKey: developer.apiKey, params })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect(await read('nothing')).toMatchObject({ status: 400, body: { errors: [{ field: 'delivery_id' }] } });
  });
});
