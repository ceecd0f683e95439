import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dispatchFirstAttempts } from '#lib/webhooks/dispatch.ts';
import { listDeliveries } from '#lib/webhooks/list-deliveries.ts';
import { type Receiver, startReceiver, status } from './receiver.ts';
import { newWebhook, openStage, reportInvestments, type Stage } from './stage.ts';

// Specification 6.4, written out.
const DELAYS = [5, 25, 120, 600, 3600, 21600];

let stage: Stage;
let receiver: Receiver;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
// What an earlier test left to be retried must not reach a receiver that was given the same port.
beforeEach(async () => {
  await stage.reset();
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const dispatch = () => dispatchFirstAttempts(stage.ctx, stage.ctx.clock.nowMs() + 10_000);

async function firstAttempt() {
  const { developer, webhook } = await newWebhook(stage.ctx, receiver.url);
  await reportInvestments(stage.ctx.db);
  await dispatch();
  const log = async () => (await listDeliveries(developer, webhook.id, { limit: 50 })).deliveries;
  return { developer, webhook, log };
}

describe('a receiver that always fails', () => {
  test('gets exactly seven attempts at 5 s, 25 s, 2 min, 10 min, 1 h, 6 h, the same bytes, validly signed', async () => {
    receiver.answerWith(status(500));
    const { webhook, log } = await firstAttempt();
    expect(receiver.received).toHaveLength(1);
    for (const [index, delaySeconds] of DELAYS.entries()) {
      expect(await stage.waiting()).toMatchObject([{ delaySeconds }]);
      await stage.advance(delaySeconds - 1);
      expect(receiver.received).toHaveLength(index + 1);
      await stage.advance(1);
      expect(receiver.received).toHaveLength(index + 2);
    }
    expect(await stage.waiting()).toEqual([]);
    await stage.advance(7 * 86_400);
    expect(receiver.received).toHaveLength(7);
    expect(await log()).toMatchObject([{ status: 'failed', response_code: 500, attempts: 7, delivered_at: null }]);

    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    for (const { body, headers } of receiver.received) {
      const hex = createHmac('sha256', webhook.secret).update(body).digest('hex');
      expect(headers['x-platform-signature']).toBe(hex);
      expect(new Webhook(webhook.secret).verify(body, headers)).toMatchObject({ event_type: 'investment.created' });
      expect(headers['content-type']).toBe('application/json');
      expect(headers['user-agent']).toBe('Tranche-Webhooks/1');
    }
  });

  test.each([301, 302, 307, 404, 410, 503])('an answer %i is a failure and is not followed', async (code) => {
    receiver.answerWith((_n, response) => response.writeHead(code, { location: receiver.url }).end());
    const { log } = await firstAttempt();
    expect(receiver.received).toHaveLength(1);
    expect(await log()).toMatchObject([{ status: 'retrying', response_code: code, attempts: 1 }]);
  });

  test('a Retry-After does not bend the schedule', async () => {
    receiver.answerWith((_n, response) => response.writeHead(503, { 'retry-after': '7200' }).end());
    await firstAttempt();
    expect(await stage.waiting()).toMatchObject([{ delaySeconds: 5 }]);
  });
});

test.each([1, 2, 4, 7])('a receiver that recovers at attempt %i gets that many attempts and no more', async (k) => {
  receiver.answerWith((n, response) => response.writeHead(n < k ? 500 : 204).end());
  const { log } = await firstAttempt();
  for (const delaySeconds of DELAYS) await stage.advance(delaySeconds);
  await stage.advance(86_400);
  expect(receiver.received).toHaveLength(k);
  expect(await log()).toMatchObject([{ status: 'success', response_code: 204, attempts: k }]);
});

test('an answer that never ends is a time-out, and its status is kept', async () => {
  receiver.answerWith((_n, response) => {
    response.writeHead(200);
    response.write('still');
  });
  const { log } = await firstAttempt();
  expect(await log()).toMatchObject([{ status: 'retrying', response_code: 200 }]);
});

describe('a callback', () => {
  test('that comes twice, or at the same time as its twin, makes no extra attempt', async () => {
    receiver.answerWith(status(500));
    const { log } = await firstAttempt();
    const [message] = await stage.waiting();
    const again = { path: '/api/queue/deliver' as const, body: JSON.parse(message?.body ?? '{}') };
    await stage.ctx.queue.publish([again, again, again]);
    await stage.advance(0);
    expect(receiver.received).toHaveLength(2);
    await stage.advance(5);
    expect(receiver.received).toHaveLength(2);
    expect(await log()).toMatchObject([{ status: 'retrying', attempts: 2 }]);
    expect(await stage.waiting()).toMatchObject([{ delaySeconds: 25 }]);
    expect(stage.answers.every((answer) => answer.status === 200)).toBe(true);
  });

  test('that QStash did not sign is refused and attempts nothing', async () => {
    receiver.answerWith(status(500));
    await firstAttempt();
    const [message] = await stage.waiting();
    const { POST } = await import('../../../app/api/queue/deliver/route.ts');
    for (const signature of [undefined, 'forged', 'e30.e30.e30']) {
      const request = new Request(message?.url ?? '', {
        method: 'POST',
        body: message?.body ?? '',
        headers: { 'content-type': 'application/json', ...(signature && { 'upstash-signature': signature }) },
      });
      expect((await POST(request, { params: Promise.resolve({}) })).status).toBe(401);
    }
    expect(receiver.received).toHaveLength(1);
  });
});
