import { sql } from 'drizzle-orm';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { deliveries } from '#drizzle/schema/events.ts';
import { dispatchDeliveries } from '#lib/jobs/dispatch-deliveries.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { dispatchFirstAttempts, hasDueFirstAttempts } from '#lib/webhooks/delivery/dispatch.ts';
import { holdWake, wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import { aroundStatements } from '#tests/support/around-statements.ts';
import { dispatching, heldAnswer } from './dispatching.ts';
import { startReceiver } from './receiver.ts';
import { appendInvestments, newWebhook, reportInvestments } from './stage.ts';

const desk = dispatching();
const { endByWord, sliceAtWork, allDeliveries, allAttempts, wakes, wakesPublished } = desk;

describe('an event that is not fanned out yet', () => {
  test('is due work, and is delivered by the slice that it wakes', async () => {
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await appendInvestments(desk.stage.ctx.db, 3);
    expect(await hasDueFirstAttempts(desk.stage.ctx)).toBe(true);
    expect(await dispatchDeliveries(desk.stage.ctx)).toMatchObject({ attempted: 3, success: 3, more: false });
    expect(desk.receiver.received).toHaveLength(3);
    expect(await hasDueFirstAttempts(desk.stage.ctx)).toBe(false);
  });

  test('gets its deliveries in the run of process-payments that wakes their dispatch', async () => {
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await appendInvestments(desk.stage.ctx.db, 2);
    expect(await processPayments(desk.stage.ctx)).toMatchObject({ deliveries: { written: 2 } });
    expect(await allDeliveries()).toHaveLength(2);
    await expect.poll(wakesPublished).toBe(1);
    expect(await processPayments(desk.stage.ctx)).toMatchObject({ deliveries: { written: 0 } });
  });

  test('is delivered by the slice at work, when the one that it wakes comes beside it', async () => {
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    const { busy, release } = await sliceAtWork(1);
    await appendInvestments(desk.stage.ctx.db, 1);
    expect(await dispatchDeliveries(desk.stage.ctx)).toMatchObject({ attempted: 0 });
    // By whichever of the two was first: the other passes over what is being fanned out.
    await expect.poll(async () => (await allDeliveries()).length).toBe(2);
    release();
    expect(await busy).toMatchObject({ attempted: 2, success: 2, more: false });
  });
});

test('an event that is fanned out while a slice claims is claimed at once, also beside a receiver that hangs', async () => {
  endByWord();
  const { ctx } = desk.stage;
  const { answer, release } = heldAnswer();
  const tarpit = await startReceiver(answer);
  onTestFinished(() => tarpit.close());
  await newWebhook(ctx, tarpit.url);
  await reportInvestments(ctx.db);
  await newWebhook(ctx, desk.receiver.url);
  const arrived = Promise.withResolvers<void>();
  desk.receiver.answerWith((_n, response) => {
    response.writeHead(200).end();
    arrived.resolve();
  });
  let news = Promise.withResolvers<void>();
  let claims = 0;
  aroundStatements(ctx.db, async (text, send) => {
    const result = await send();
    if (!text.includes('with recursive waiting')) return result;
    claims += 1;
    // The first two go once round all webhooks. What this one could not see is there when it has ended.
    if (claims === 3) {
      vi.useFakeTimers({ toFake: ['setTimeout'] });
      await reportInvestments(ctx.db);
      news.resolve();
      news = Promise.withResolvers();
    }
    return result;
  });
  onTestFinished(() => void vi.useRealTimers());
  let isLost = false;
  const watch = {
    get news() {
      return news.promise;
    },
    stays: async () => true,
  };
  const slice = dispatchFirstAttempts(ctx, Number.POSITIVE_INFINITY, { watch, isLost: () => isLost });
  // Not polled: that would let the stopped time go on.
  await arrived.promise;
  vi.useRealTimers();
  isLost = true;
  release();
  expect(await slice).toMatchObject({ attempted: 2, success: 2, more: true });
});

test('a slice with nothing under way begins what is written, and does not wait until the rest of a burst is', async () => {
  const { ctx } = desk.stage;
  await newWebhook(ctx, desk.receiver.url);
  const idle = Promise.withResolvers<void>();
  const news = Promise.withResolvers<void>();
  const look = Promise.withResolvers<boolean>();
  const watch = {
    news: news.promise,
    stays() {
      idle.resolve();
      return look.promise;
    },
  };
  const slice = dispatchFirstAttempts(ctx, Number.POSITIVE_INFINITY, { watch });
  await idle.promise;
  await reportInvestments(ctx.db);
  news.resolve();
  await expect.poll(() => desk.receiver.received.length, { timeout: 5_000 }).toBe(1);
  look.resolve(false);
  expect(await slice).toMatchObject({ attempted: 1, success: 1, more: false });
});

describe('the end of a slice', () => {
  const isFree = async () => {
    const { rows } = await desk.stage.ctx.db.execute(
      sql`select from leases where name = 'deliveries' and holder is null`,
    );
    return rows.length === 1;
  };

  test('does not wait for a receiver that hangs: the successor is woken, and delivers beside it', async () => {
    endByWord();
    const { answer, release } = heldAnswer();
    const tarpit = await startReceiver(answer);
    onTestFinished(() => tarpit.close());
    const endedOfTarpit = async () => (await allAttempts()).filter(({ url }) => url === tarpit.url);
    await newWebhook(desk.stage.ctx, tarpit.url);
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await appendInvestments(desk.stage.ctx.db, 1);
    const deadlineMs = desk.stage.ctx.clock.nowMs() + 10_000;
    const slice = dispatchDeliveries(desk.stage.ctx, deadlineMs);
    await expect.poll(() => [tarpit.received.length, desk.receiver.received.length]).toEqual([1, 1]);
    desk.stage.ctx.clock.set(deadlineMs);
    await appendInvestments(desk.stage.ctx.db, 1);
    await expect.poll(isFree).toBe(true);
    expect(await endedOfTarpit()).toEqual([]);
    await expect.poll(wakesPublished).toBe(1);
    const successor = dispatchDeliveries(desk.stage.ctx, deadlineMs + 10_000);
    await expect.poll(() => desk.receiver.received.length).toBe(2);
    expect(await endedOfTarpit()).toEqual([]);
    expect(await desk.stage.ctx.db.$count(deliveries, sql`leased_until is not null`)).toBeGreaterThan(0);
    release();
    // What the first slice had under way was stored by it after it had let go.
    expect(await slice).toMatchObject({ attempted: 2, success: 2 });
    expect(await successor).toMatchObject({ attempted: 2, success: 2, more: false });
    expect((await allAttempts()).map(({ errorKind }) => errorKind)).toEqual([null, null, null, null]);
  });

  test('that nobody heard of any more is over a few seconds later, not after its budget', async () => {
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    const { busy, release } = await sliceAtWork(1);
    const { rows } = await desk.stage.ctx.db.execute<{ seconds: number }>(
      sql`select extract(epoch from leased_until - now())::float8 as seconds from leases where name = 'deliveries'`,
    );
    expect(rows[0]?.seconds).toBeLessThanOrEqual(5);
    release();
    await busy;
  });

  test('comes at once when somebody else has its lease: it begins nothing more, and stores what ends', async () => {
    endByWord();
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    const { busy, release } = await sliceAtWork(3);
    await desk.stage.ctx.db.execute(sql`update leases set holder = 'somebody else' where name = 'deliveries'`);
    await expect.poll(wakesPublished, { timeout: 5_000 }).toBe(1);
    release();
    expect(await busy).toMatchObject({ attempted: 1, success: 1, more: true });
  });
});

describe('a wake', () => {
  test('is one message for a burst, and a new one once the slice that it called has ended', async () => {
    await Promise.all(Array.from({ length: 20 }, () => wakeDispatch(desk.stage.ctx)));
    await expect.poll(wakesPublished).toBe(1);
    await dispatchDeliveries(desk.stage.ctx);
    await wakeDispatch(desk.stage.ctx);
    await expect.poll(wakesPublished).toBe(2);
  });

  test('is left out while a slice is at work, which takes up itself what was written', async () => {
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    const { busy, release } = await sliceAtWork(1);
    await appendInvestments(desk.stage.ctx.db, 1);
    await wakeDispatch(desk.stage.ctx);
    release();
    expect(await busy).toMatchObject({ attempted: 2, success: 2, more: false });
    expect(await wakesPublished()).toBe(0);
    await wakeDispatch(desk.stage.ctx);
    await expect.poll(wakesPublished).toBe(1);
  });

  test('goes out again some time after the slice at work was last heard of', async () => {
    await holdWake(desk.stage.ctx);
    await wakeDispatch(desk.stage.ctx);
    expect(await wakesPublished()).toBe(0);
    await desk.stage.ctx.db.execute(sql`update job_schedules set woken_until = woken_until - interval '10 seconds'`);
    await wakeDispatch(desk.stage.ctx);
    await expect.poll(wakesPublished).toBe(1);
  });

  test('that the queue did not take is asked for again by the next caller', async () => {
    const deaf = {
      ...desk.stage.ctx,
      queue: { ...desk.stage.ctx.queue, publish: () => Promise.reject(new Error('down')) },
    };
    await wakeDispatch(deaf);
    expect(await wakes()).toEqual([]);
    await wakeDispatch(desk.stage.ctx);
    await expect.poll(wakesPublished).toBe(1);
  });
});
