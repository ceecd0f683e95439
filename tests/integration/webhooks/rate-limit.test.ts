import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { attemptDelivery, claimRetry } from '#lib/webhooks/delivery/attempt-delivery.ts';
import { claimFirstAttempts } from '#lib/webhooks/delivery/claim.ts';
import { dispatchFirstAttempts } from '#lib/webhooks/delivery/dispatch.ts';
import { updateWebhook } from '#lib/webhooks/registry/change-webhook.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import { dispatching, ROOMY } from './dispatching.ts';
import { startReceiver, status } from './receiver.ts';
import { newWebhook, reportInvestments } from './stage.ts';

const desk = dispatching();
const { dispatch } = desk;
const RATE = 10;

/** A webhook at the desk's receiver that takes RATE a second. */
async function limitedWebhook() {
  const made = await newWebhook(desk.stage.ctx, desk.receiver.url);
  const limited = await updateWebhook(made.developer, made.webhook.id, { rate_limit: RATE });
  expect(limited.rate_limit).toBe(RATE);
  return made;
}

test('slices beside each other begin at most so many attempts a second, in the events’ order, and lose none', async () => {
  await limitedWebhook();
  const times: number[] = [];
  desk.receiver.answerWith((_n, response) => {
    times.push(performance.now());
    response.writeHead(200).end();
  });
  await reportInvestments(desk.stage.ctx.db, 20);
  const results = await Promise.all([dispatch(), dispatch(), dispatch()]);
  expect(results.reduce((sum, { attempted }) => sum + attempted, 0)).toBe(20);
  expect(desk.receiver.received).toHaveLength(20);
  expect(new Set(desk.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(20);
  // Half a second's worth may begin at once, so no second sees more than half as many again.
  for (const [index, at] of times.entries()) {
    const inSecond = times.slice(index).filter((time) => time - at < 1_000).length;
    expect(inSecond).toBeLessThanOrEqual(RATE * 1.5);
  }
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
  expect(await rowsOf(desk.stage.ctx.db, 'deliveries', { status: 'success' })).toHaveLength(20);
});

test('a webhook without a limit does not wait for one that has it', async () => {
  await limitedWebhook();
  const other = await startReceiver();
  await newWebhook(desk.stage.ctx, other.url);
  await reportInvestments(desk.stage.ctx.db, 40);
  const running = dispatch();
  await expect.poll(() => other.received.length, { timeout: 5_000 }).toBe(40);
  expect(desk.receiver.received.length).toBeLessThan(40);
  await running;
  expect(desk.receiver.received).toHaveLength(40);
  await other.close();
});

test('claims beside each other give out what a limit allows once', async () => {
  await limitedWebhook();
  await reportInvestments(desk.stage.ctx.db, 20);
  const claims = await Promise.all(
    Array.from({ length: 4 }, () =>
      claimFirstAttempts(desk.stage.ctx, { ...ROOMY, untried: 100, capacity: 100, afterWebhookId: '' }),
    ),
  );
  const claimed = claims.flatMap((claim) => claim.claimed);
  expect(claimed.length).toBeGreaterThan(0);
  expect(claimed.length).toBeLessThanOrEqual(RATE);
  expect(claims.some(({ paced }) => paced)).toBe(true);
});

test('a retry beyond the limit is put off, not lost and not counted, and comes once there is room', async () => {
  await limitedWebhook();
  desk.receiver.answerWith(status(500));
  await reportInvestments(desk.stage.ctx.db);
  await dispatch();
  const [delivery] = await rowsOf(desk.stage.ctx.db, 'deliveries');
  const used = { pacedUntil: new Date(Date.now() + 3_600_000) };
  await changeRows(desk.stage.ctx.db, 'webhooks', {}, used);
  const retry = { delivery_id: delivery?.id ?? '', attempt: 2 };
  expect(await attemptDelivery(desk.stage.ctx, retry)).toEqual({ outcome: 'postponed' });
  expect(await rowsOf(desk.stage.ctx.db, 'deliveries')).toMatchObject([{ status: 'retrying', nextAttempt: 2 }]);
  await changeRows(desk.stage.ctx.db, 'webhooks', {}, { pacedUntil: null });
  desk.receiver.answerWith(status(200));
  expect(await attemptDelivery(desk.stage.ctx, { ...retry, republished: 1 })).toEqual({ outcome: 'success' });
  const [webhook] = await rowsOf(desk.stage.ctx.db, 'webhooks');
  expect(webhook?.pacedUntil).not.toBeNull();
});

test('a claim of a retry waits for who changes its webhook before it locks the delivery: the two cannot deadlock', async () => {
  const { webhook } = await limitedWebhook();
  const { db } = desk.stage.ctx;
  desk.receiver.answerWith(status(500));
  await reportInvestments(db);
  await dispatch();
  const id = (await rowsOf(db, 'deliveries'))[0]?.id ?? '';
  let claiming: ReturnType<typeof claimRetry> | undefined;
  await db.transaction(async (tx) => {
    // As deleting does: the webhook first, then its deliveries.
    await tx.execute(sql`select from webhooks where id = ${webhook.id} for no key update`);
    claiming = claimRetry(desk.stage.ctx, id, 2);
    await expect
      .poll(async () => {
        const { rows } = await db.execute<{ waiting: number }>(sql`
          select count(*)::integer as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`);
        return rows[0]?.waiting;
      })
      .toBe(1);
    await tx.execute(sql`select from deliveries where id = ${id} for no key update nowait`);
  });
  expect(await claiming).toMatchObject({ deliveryId: id });
});

test('a slice that has only a used up limit before it ends at its deadline and says that there is more', async () => {
  await limitedWebhook();
  await reportInvestments(desk.stage.ctx.db);
  await changeRows(desk.stage.ctx.db, 'webhooks', {}, { pacedUntil: new Date(Date.now() + 3_600_000) });
  const before = performance.now();
  desk.stage.ctx.clock.set(Date.now());
  const slice = await dispatchFirstAttempts(desk.stage.ctx, Number.POSITIVE_INFINITY, {
    isLost: () => performance.now() - before > 600,
  });
  expect(slice).toMatchObject({ attempted: 0, more: true });
});
