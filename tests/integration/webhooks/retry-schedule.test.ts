import { createHmac } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { deliveryAttempts } from '#drizzle/schema/events.ts';
import { sweepDeliveries } from '#lib/webhooks/delivery/sweep.ts';
import { listDeliveries } from '#lib/webhooks/log/read-deliveries.ts';
import { updateWebhook } from '#lib/webhooks/registry/change-webhook.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { dispatching } from './dispatching.ts';
import { status } from './receiver.ts';
import { newWebhook, reportInvestments } from './stage.ts';

// docs/webhooks.md#retries, written out.
const DELAYS = [5, 25, 120, 600, 3600, 21600];

const desk = dispatching();

const { dispatch } = desk;

/** Attempts that the queue holds. The report of a failed delivery wakes other work. */
const retries = async () => (await desk.stage.waiting()).filter(({ url }) => url.includes('/api/queue/deliver'));

async function firstAttempt() {
  const { developer, webhook } = await newWebhook(desk.stage.ctx, desk.receiver.url);
  await reportInvestments(desk.stage.ctx.db);
  await dispatch();
  const log = async () => (await listDeliveries(developer, webhook.id, { limit: 50 })).deliveries;
  return { developer, webhook, log };
}

describe('a receiver that always fails', () => {
  test('gets exactly seven attempts at 5 s, 25 s, 2 min, 10 min, 1 h, 6 h, the same bytes, validly signed', async () => {
    desk.receiver.answerWith(status(500));
    const { webhook, log } = await firstAttempt();
    expect(desk.receiver.received).toHaveLength(1);
    for (const [index, delaySeconds] of DELAYS.entries()) {
      expect(await desk.stage.waiting()).toMatchObject([{ delaySeconds }]);
      await desk.stage.advance(delaySeconds - 1);
      expect(desk.receiver.received).toHaveLength(index + 1);
      await desk.stage.advance(1);
      expect(desk.receiver.received).toHaveLength(index + 2);
    }
    expect(await retries()).toEqual([]);
    await desk.stage.advance(7 * 86_400);
    expect(desk.receiver.received).toHaveLength(7);
    expect(await log()).toMatchObject([{ status: 'failed', response_code: 500, attempts: 7, delivered_at: null }]);

    const [event] = await rowsOf(desk.stage.ctx.db, 'events');
    expect(new Set(desk.receiver.received.map(({ body }) => body))).toEqual(new Set([event?.body]));
    expect(new Set(desk.receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([event?.id]));
    for (const { body, headers } of desk.receiver.received) {
      const hex = createHmac('sha256', webhook.secret).update(body).digest('hex');
      expect(headers['x-platform-signature']).toBe(hex);
      const signed = `${event?.id}.${headers['webhook-timestamp']}.${body}`;
      const key = Buffer.from(webhook.secret.replace('whsec_', ''), 'base64');
      expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
      expect(new Webhook(webhook.secret).verify(body, headers)).toMatchObject({ event_type: 'investment.created' });
      expect(headers['content-type']).toBe('application/json');
      expect(headers['user-agent']).toBe('Tranche-Webhooks/1');
    }
  });

  test('leaves a record of every attempt: where it went, what was sent, what came back, how long it took', async () => {
    desk.receiver.answerWith((_n, response) =>
      response.writeHead(503, { 'retry-after': '7200', 'x-trace': 'abc' }).end('busy'),
    );
    const { developer, webhook } = await firstAttempt();
    await updateWebhook(developer, webhook.id, { url: `${desk.receiver.url}/moved` });
    await desk.stage.advance(25);
    const attempts = await desk.stage.ctx.db.select().from(deliveryAttempts).orderBy(deliveryAttempts.attempt);
    expect(attempts).toMatchObject(
      [desk.receiver.url, `${desk.receiver.url}/moved`].map((url, index) => ({
        attempt: index + 1,
        url,
        responseCode: 503,
        errorKind: 'status',
        responseBody: 'busy',
        retryAfter: '7200',
        responseHeaders: { 'retry-after': '7200', 'x-trace': 'abc' },
        durationMs: expect.any(Number),
      })),
    );
    for (const [index, { requestHeaders }] of attempts.entries()) {
      expect(Object.keys(requestHeaders ?? {})).toContain('webhook-signature');
      expect(desk.receiver.received[index]?.headers).toMatchObject(requestHeaders ?? {});
    }
  });

  test.each([301, 302, 307, 404, 410, 503])('an answer %i is a failure and is not followed', async (code) => {
    desk.receiver.answerWith((_n, response) => response.writeHead(code, { location: desk.receiver.url }).end());
    const { log } = await firstAttempt();
    expect(desk.receiver.received).toHaveLength(1);
    expect(await log()).toMatchObject([{ status: 'retrying', response_code: code, attempts: 1 }]);
  });

  test('and asks for more time gets it, up to the delay that comes next, and all seven attempts', async () => {
    desk.receiver.answerWith((_n, response) => response.writeHead(503, { 'retry-after': '7200' }).end());
    const { log } = await firstAttempt();
    for (const [index, delaySeconds] of [25, 120, 600, 3600, 7200, 21600].entries()) {
      expect(await desk.stage.waiting()).toMatchObject([{ delaySeconds }]);
      await desk.stage.advance(delaySeconds - 1);
      expect(desk.receiver.received).toHaveLength(index + 1);
      const { rows } = await desk.stage.ctx.db.execute<{ seconds: number }>(
        sql`select extract(epoch from due_at - now())::float8 as seconds from deliveries`,
      );
      expect(rows[0]?.seconds).toBeGreaterThan(delaySeconds - 30);
      expect(rows[0]?.seconds).toBeLessThanOrEqual(delaySeconds);
      await desk.stage.advance(1);
      expect(desk.receiver.received).toHaveLength(index + 2);
    }
    expect(await retries()).toEqual([]);
    expect(await log()).toMatchObject([{ status: 'failed', attempts: 7 }]);
  });

  test('and names a date gets its retry then', async () => {
    const date = new Date(desk.stage.ctx.clock.nowMs() + 15_000).toUTCString();
    desk.receiver.answerWith((_n, response) => response.writeHead(429, { 'retry-after': date }).end());
    await firstAttempt();
    const [message] = await desk.stage.waiting();
    expect(message?.delaySeconds).toBeGreaterThan(10);
    expect(message?.delaySeconds).toBeLessThanOrEqual(15);
  });
});

test.each([1, 2, 3, 4, 5, 6, 7])(
  'a receiver that recovers at attempt %i gets that many attempts and no more',
  async (k) => {
    desk.receiver.answerWith((n, response) => response.writeHead(n < k ? 500 : 204).end());
    const { log } = await firstAttempt();
    for (const delaySeconds of DELAYS) await desk.stage.advance(delaySeconds);
    await desk.stage.advance(86_400);
    expect(desk.receiver.received).toHaveLength(k);
    expect(await log()).toMatchObject([{ status: 'success', response_code: 204, attempts: k }]);
  },
);

describe('a retry whose callback the queue refused', () => {
  test('is published by the very next sweep, for the time at which it is due', async () => {
    desk.receiver.answerWith(status(500));
    desk.stage.queueFaults.inject({ kind: 'refuse', count: 1 });
    await firstAttempt();
    expect(await retries()).toEqual([]);
    expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ republished: 1 });
    const [message] = await desk.stage.waiting();
    expect(message?.delaySeconds).toBeGreaterThan(0);
    expect(message?.delaySeconds).toBeLessThanOrEqual(5);
    expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ republished: 0 });
    await desk.stage.advance(5);
    expect(desk.receiver.received).toHaveLength(2);
  });

  test.each(['refuse', 'down'] as const)(
    'by a queue that goes on (%s) is counted as published by no sweep, and then by one',
    async (kind) => {
      desk.receiver.answerWith(status(500));
      desk.stage.queueFaults.inject({ kind });
      await firstAttempt();
      for (let sweep = 0; sweep < 3; sweep++) {
        expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ republished: 0 });
      }
      desk.stage.queueFaults.clear();
      expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ republished: 1 });
      await desk.stage.advance(5);
      expect(desk.receiver.received).toHaveLength(2);
    },
  );

  test('leaves the others of its request to come by themselves', async () => {
    desk.receiver.answerWith(status(500));
    desk.stage.queueFaults.inject({ kind: 'refuse', count: 1 });
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await reportInvestments(desk.stage.ctx.db, 3);
    await dispatch();
    expect(await desk.stage.waiting()).toHaveLength(2);
    expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ republished: 1 });
    expect(await desk.stage.waiting()).toHaveLength(3);
  });

  test('and that is due much later is not published before its time is near', async () => {
    desk.receiver.answerWith(status(500));
    await firstAttempt();
    for (const seconds of [5, 25]) await desk.stage.advance(seconds);
    desk.stage.queueFaults.inject({ kind: 'refuse', count: 1 });
    await desk.stage.advance(120);
    expect(desk.receiver.received).toHaveLength(4);
    expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ republished: 0 });
    await desk.stage.ctx.db.execute(sql`update deliveries set due_at = now() + interval '1 minute'`);
    expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ republished: 1 });
    const [message] = await desk.stage.waiting();
    expect(message?.delaySeconds).toBeGreaterThan(30);
  });
});

test('an answer that never ends is a time-out, and its status is kept', async () => {
  desk.receiver.answerWith((_n, response) => {
    response.writeHead(200);
    response.write('still');
  });
  const { log } = await firstAttempt();
  expect(await log()).toMatchObject([{ status: 'retrying', response_code: 200 }]);
});

describe('a callback', () => {
  test('that comes twice, or at the same time as its twin, makes no extra attempt', async () => {
    desk.receiver.answerWith(status(500));
    const { log } = await firstAttempt();
    const [message] = await desk.stage.waiting();
    const again = { path: '/api/queue/deliver' as const, body: JSON.parse(message?.body ?? '{}') };
    await desk.stage.ctx.queue.publish([again, again, again]);
    await desk.stage.advance(0);
    expect(desk.receiver.received).toHaveLength(2);
    await desk.stage.advance(5);
    expect(desk.receiver.received).toHaveLength(2);
    expect(await log()).toMatchObject([{ status: 'retrying', attempts: 2 }]);
    expect(await desk.stage.waiting()).toMatchObject([{ delaySeconds: 25 }]);
    expect(desk.stage.answers.every((answer) => answer.status === 200)).toBe(true);
  });

  test('comes to one host eight at a time at most, over all the webhooks that lead there', async () => {
    desk.receiver.answerWith(status(500));
    for (let i = 0; i < 3; i += 1) await newWebhook(desk.stage.ctx, desk.receiver.url);
    await reportInvestments(desk.stage.ctx.db, 10);
    await dispatch();
    let underWay = 0;
    let most = 0;
    const { promise: full, resolve: fill } = Promise.withResolvers<void>();
    desk.receiver.answerWith((_n, response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      if (underWay === 8) fill();
      // Nobody is answered before eight have come, and then a ninth would have the time to come too.
      const answer = () => {
        underWay -= 1;
        response.writeHead(200).end();
      };
      void full.then(() => setTimeout(answer, 30));
    });
    await desk.stage.advance(5);
    await expect.poll(() => desk.receiver.received.length).toBe(60);
    expect(most).toBe(8);
  });

  test('that is signed and makes no sense attempts nothing, and QStash gives it up', async () => {
    desk.receiver.answerWith(status(500));
    await firstAttempt();
    const path = '/api/queue/deliver' as const;
    const before = desk.stage.answers.length;
    await desk.stage.ctx.queue.publish([
      { path, body: 'garbage' },
      { path, body: { delivery_id: "' or 1=1", attempt: 2 } },
      { path, body: { delivery_id: 'del_0', attempt: 8 } },
      { path, body: { delivery_id: 'del_0000000000000000000000', attempt: 1 } },
    ]);
    // It tries what was refused three times more, further and further apart.
    await expect
      .poll(
        async () => {
          await desk.stage.advance(86_400);
          return desk.stage.waiting();
        },
        { timeout: 10_000 },
      )
      .toEqual([]);
    const answers = desk.stage.answers.slice(before);
    expect(answers).toContainEqual({ status: 200, body: { outcome: 'not_claimed' } });
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(3 * 4);
    expect(desk.receiver.received).toHaveLength(7);
  });

  test('that QStash did not sign is refused and attempts nothing', async () => {
    desk.receiver.answerWith(status(500));
    await firstAttempt();
    const [message] = await desk.stage.waiting();
    const { POST } = await import('../../../app/api/queue/deliver/route.ts');
    for (const signature of [undefined, 'forged', 'e30.e30.e30']) {
      const request = new Request(message?.url ?? '', {
        method: 'POST',
        body: message?.body ?? '',
        headers: { 'content-type': 'application/json', ...(signature && { 'upstash-signature': signature }) },
      });
      expect((await POST(request, { params: Promise.resolve({}) })).status).toBe(401);
    }
    expect(desk.receiver.received).toHaveLength(1);
  });
});
