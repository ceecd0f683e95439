import { type SQL, sql } from 'drizzle-orm';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { seal } from '#lib/base/secretbox.ts';
import { dispatchDeliveries } from '#lib/jobs/dispatch-deliveries.ts';
import { fanOutSlice, type QuickRoom } from '#lib/webhooks/delivery/fan-out.ts';
import { holdWake, wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import { type Taker, Watch } from '#lib/webhooks/delivery/watch.ts';
import { aroundStatements } from '#tests/support/around-statements.ts';
import { addRows, rowsOf } from '#tests/support/rows.ts';
import { dispatching, heldAnswer } from './dispatching.ts';
import { startReceiver } from './receiver.ts';
import { appendInvestments, newWebhook, reportInvestments } from './stage.ts';

const desk = dispatching();
const ROOMY = { ofUnknown: 100, known: new Map() };

/** Room for so many at each of these webhooks, which answered quickly last. */
const roomFor = (counts: Record<string, number>, others: Partial<QuickRoom> = {}): QuickRoom => ({
  capacity: 100,
  hosts: ROOMY,
  webhooks: { ofUnknown: 1, known: new Map(Object.entries(counts)) },
  quick: new Set(Object.keys(counts)),
  ...others,
});

const addWebhook = async () => (await newWebhook(desk.stage.ctx, desk.receiver.url)).webhook.id;
const changeWebhook = (id: string, change: SQL) =>
  desk.stage.ctx.db.execute(sql`update webhooks set ${change} where id = ${id}`);
const fanOut = async (room: QuickRoom) => {
  const { db } = desk.stage.ctx;
  const { claimed } = await fanOutSlice(db, 10_000, room);
  const { rows } = await db.execute<{ id: string }>(sql`select id from deliveries where leased_until > now()`);
  expect(new Set(claimed.map(({ deliveryId }) => deliveryId))).toEqual(new Set(rows.map(({ id }) => id)));
  return claimed;
};

describe('a delivery is claimed as it is written', () => {
  test('in the events’ order, as far as its webhook has room', async () => {
    const id = await addWebhook();
    await addWebhook();
    await appendInvestments(desk.stage.ctx.db, 5);
    const claimed = await fanOut(roomFor({ [id]: 3 }));
    const { rows } = await desk.stage.ctx.db.execute(sql`select id, body from events order by sequence limit 3`);
    expect(claimed.map(({ eventId, body }) => ({ id: eventId, body }))).toEqual(rows);
    expect(new Set(claimed.map(({ webhookId }) => webhookId))).toEqual(new Set([id]));
  });

  test('never before one that waits longer', async () => {
    const id = await addWebhook();
    await reportInvestments(desk.stage.ctx.db);
    await appendInvestments(desk.stage.ctx.db, 1);
    expect(await fanOut(roomFor({ [id]: 3 }))).toEqual([]);
  });

  test.each([
    ['that fails', sql`failing_since = now()`],
    ['that has a rate limit', sql`rate_limit = 10`],
    ['that is inactive', sql`active = false, inactive_since = now()`],
    ['that is deleted', sql`active = false, deleted_at = now()`],
  ])('never for a webhook %s', async (_what, change) => {
    const id = await addWebhook();
    await changeWebhook(id, change);
    await appendInvestments(desk.stage.ctx.db, 1);
    expect(await fanOut(roomFor({ [id]: 3 }))).toEqual([]);
  });

  test('never beyond what is left of its host, whatever its webhooks have', async () => {
    const ids = [await addWebhook(), await addWebhook(), await addWebhook()];
    await appendInvestments(desk.stage.ctx.db, 4);
    const counts = Object.fromEntries(ids.map((id) => [id, 4]));
    const host = new URL(desk.receiver.url).host;
    const room = roomFor(counts, { hosts: { ofUnknown: 0, known: new Map([[host, 3]]) } });
    const claimed = await fanOut(room);
    expect(new Set(claimed.map(({ webhookId }) => webhookId))).toEqual(new Set(ids));
    expect(claimed).toHaveLength(3);
  });

  test('by turns of the tenants, where there is not enough for all', async () => {
    const [first, second] = [await addWebhook(), await addWebhook()];
    await desk.stage.ctx.db.execute(sql`
      insert into webhooks (id, tenant_id, url, host, events, sealed_secret, api_version)
      select 'wh_' || n, tenant_id, url, host, events, sealed_secret, api_version
      from webhooks, generate_series(1, 20) n where id = ${first}`);
    const counts = Object.fromEntries(
      [first, second, ...Array.from({ length: 20 }, (_, n) => `wh_${n + 1}`)].map((id) => [id, 9]),
    );
    await appendInvestments(desk.stage.ctx.db, 4);
    const claimed = await fanOut(roomFor(counts, { capacity: 6 }));
    expect(claimed.filter(({ webhookId }) => webhookId === second)).toHaveLength(3);
    expect(claimed).toHaveLength(6);
  });

  test('and given back when the slice that it was for takes nothing more', async () => {
    const { ctx } = desk.stage;
    const id = await addWebhook();
    await appendInvestments(ctx.db, 2);
    const watch = new Watch(ctx, ctx.clock.nowMs() + 10_000);
    watch.giveTo({
      room() {
        watch.giveTo(null);
        return roomFor({ [id]: 2 });
      },
      supplyWithin: async () => 'enough' as const,
      take: () => expect.unreachable('It is over'),
    });
    await watch.news;
    await watch.end();
    const { rows } = await ctx.db.execute(sql`select status, leased_until from deliveries`);
    expect(rows).toEqual([1, 2].map(() => ({ status: 'pending', leased_until: null })));
    // As if they had never been claimed.
    expect(await desk.dispatch()).toMatchObject({ attempted: 2, success: 2 });
  });
});

/** What the statements of a fan-out write, one after the other, for a slice at work. */
async function portionsFor(events: number, slice: Pick<Taker, 'room' | 'supplyWithin'>): Promise<number[]> {
  const { ctx } = desk.stage;
  for (let n = 0; n < 4; n++) await addWebhook();
  await appendInvestments(ctx.db, events);
  const portions: number[] = [];
  aroundStatements(ctx.db, async (text, send) => {
    const result = await send();
    if (!text.includes('with recursive room')) return result;
    const [written] = result.rows as { counts: { events: number; deliveries: number } }[];
    if (written !== undefined && written.counts.events > 0) portions.push(written.counts.deliveries);
    return result;
  });
  const watch = new Watch(ctx, ctx.clock.nowMs() + 30_000);
  watch.giveTo({ ...slice, take: () => ({ isTaken: true, overtaking: [] }) });
  await expect.poll(() => portions.reduce((sum, each) => sum + each, 0), { timeout: 20_000 }).toBe(4 * events);
  await watch.end();
  return portions;
}

describe('a burst is written', () => {
  test('as a slice has room for it, after a first portion', async () => {
    const room = roomFor({}, { capacity: 42 });
    const [first, ...others] = await portionsFor(112, { room: () => room, supplyWithin: async () => 'room' });
    expect(first).toBe(248);
    expect(others).toEqual([40, 40, 40, 40, 40]);
  });

  test('in small portions while a slice has enough to begin', async () => {
    const portions = await portionsFor(142, { room: () => roomFor({}), supplyWithin: async () => 'enough' });
    expect(portions).toEqual([248, 64, 64, 64, 64, 64]);
  });

  test('in growing portions while a slice is short of it, since its receivers may be slow', async () => {
    const portions = await portionsFor(1_300, { room: () => roomFor({}), supplyWithin: async () => 'short' });
    expect(portions).toEqual([248, 64, 128, 256, 512, 1_024, 2_000, 968]);
  });
});

test('a receiver that answers quickly is sent each further event without a claim of its own', async () => {
  const { ctx } = desk.stage;
  const EVENTS = 12;
  desk.endByWord();
  // While this one hangs, the slice does not end.
  const { answer, release } = heldAnswer();
  const tarpit = await startReceiver(answer);
  onTestFinished(() => tarpit.close());
  await newWebhook(ctx, tarpit.url);
  await addWebhook();
  let byClaims = 0;
  aroundStatements(ctx.db, async (text, send) => {
    const result = await send();
    if (text.includes('with recursive waiting')) {
      byClaims += result.rows.filter(({ url }) => url === desk.receiver.url).length;
    }
    return result;
  });
  await appendInvestments(ctx.db, 1);
  const slice = dispatchDeliveries(ctx);
  for (let n = 1; n < EVENTS; n++) {
    // Its end is what makes its receiver a quick one.
    await expect.poll(async () => (await desk.allAttempts()).length, { interval: 5, timeout: 10_000 }).toBe(n);
    await appendInvestments(ctx.db, 1);
    await wakeDispatch(ctx);
  }
  await expect.poll(() => desk.receiver.received.length, { timeout: 10_000 }).toBe(EVENTS);
  release();
  expect(await slice).toMatchObject({ attempted: 2 * EVENTS, success: 2 * EVENTS, more: false });
  expect(byClaims).toBe(1);
});

describe('a wake', () => {
  test('makes the slice of this process look at once, also for a delivery that no event brought', async () => {
    const { ctx } = desk.stage;
    const watch = new Watch(ctx, ctx.clock.nowMs() + 10_000);
    await watch.stays();
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { news } = watch;
    await wakeDispatch(ctx);
    // No timer fires: only the wake can have told it.
    await news;
    vi.useRealTimers();
    await watch.end();
    expect(await desk.wakesPublished()).toBe(0);
  });

  test('keeps a slice until it has looked, however long nothing has come and the look takes', async () => {
    const { ctx } = desk.stage;
    const watch = new Watch(ctx, ctx.clock.nowMs() + 30_000);
    await expect.poll(() => watch.stays()).toBe(false);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let sent = 0;
    aroundStatements(ctx.db, async (_text, send) => {
      sent += 1;
      await released;
      return send();
    });
    await wakeDispatch(ctx);
    await expect.poll(() => sent).toBeGreaterThan(0);
    await appendInvestments(ctx.db, 1);
    const staying = watch.stays();
    release();
    expect(await staying).toBe(true);
    await watch.end();
  });

  test('that is held back waits for nobody who has the row of the job', async () => {
    const { ctx } = desk.stage;
    await holdWake(ctx);
    await ctx.db.transaction(async (tx) => {
      await tx.execute(sql`select from job_schedules where name = 'deliveries' for update`);
      await wakeDispatch(ctx);
    });
    expect(await desk.wakesPublished()).toBe(0);
  });
});

test('quick webhooks that keep a slice busy keep no other from being claimed', async () => {
  const { ctx } = desk.stage;
  const quick = await Promise.all([1, 2, 3].map(() => startReceiver()));
  onTestFinished(() => Promise.all(quick.map((receiver) => receiver.close())).then(() => undefined));
  for (const { url } of quick) await newWebhook(ctx, url);
  await appendInvestments(ctx.db, 30);
  await dispatchDeliveries(ctx);
  await expect.poll(() => Math.min(...quick.map(({ received }) => received.length))).toBe(30);
  // Late, and still quick: each has as much under way and claimed as it may have, whatever comes.
  for (const receiver of quick)
    receiver.answerWith((_n, response) => setTimeout(() => response.writeHead(200).end(), 300));
  let events = 30;
  let isOver = false;
  const dispatching = (async () => {
    while (!isOver) await dispatchDeliveries(ctx);
  })();
  const selling = (async () => {
    while (!isOver) {
      if (events - Math.min(...quick.map(({ received }) => received.length)) < 28) {
        await appendInvestments(ctx.db, 1);
        events += 1;
        await wakeDispatch(ctx);
      }
      await new Promise(setImmediate);
    }
  })();
  await expect
    .poll(() => Math.min(...quick.map(({ received }) => received.length)), { timeout: 10_000 })
    .toBeGreaterThan(60);
  await newWebhook(ctx, desk.receiver.url);
  await expect.poll(() => desk.receiver.received.length, { timeout: 5_000 }).toBeGreaterThan(5);
  isOver = true;
  await Promise.all([dispatching, selling]);
});

test('a tenant’s event is sent amid the burst of another tenant, which has all the places that it may have', async () => {
  const { ctx } = desk.stage;
  const receivers = await Promise.all(Array.from({ length: 8 }, () => startReceiver()));
  onTestFinished(() => Promise.all(receivers.map((receiver) => receiver.close())).then(() => undefined));
  const [first, ...others] = receivers;
  if (first === undefined) throw new Error('There are eight');
  const { webhook } = await newWebhook(ctx, first.url);
  const [row] = await rowsOf(ctx.db, 'webhooks', { id: webhook.id });
  if (row === undefined) throw new Error('It was registered');
  const ofSameTenant = others.map(({ url }) => {
    const id = newId('wh', ctx.random);
    return { ...row, id, url, sealedSecret: seal(webhook.secret, id, ctx.random) };
  });
  await addRows(ctx.db, 'webhooks', ofSameTenant);
  const own = await addWebhook();
  await changeWebhook(own, sql`project_id = 'proj_own'`);
  // All of them are known to answer quickly.
  await appendInvestments(ctx.db, 2, 'proj_own');
  const burstSent = () => receivers.reduce((sum, { received }) => sum + received.length, 0);
  await dispatchDeliveries(ctx);
  for (const receiver of receivers)
    receiver.answerWith((_n, response) => setTimeout(() => response.writeHead(200).end(), 20));
  await appendInvestments(ctx.db, 120, 'proj_burst');
  const dispatching = dispatchDeliveries(ctx);
  await expect.poll(burstSent, { interval: 5, timeout: 10_000 }).toBeGreaterThan(200);
  await appendInvestments(ctx.db, 1, 'proj_own');
  await wakeDispatch(ctx);
  await expect.poll(() => desk.receiver.received.length, { interval: 5, timeout: 10_000 }).toBe(3);
  expect(burstSent()).toBeLessThan(900);
  await dispatching;
  while ((await dispatchDeliveries(ctx)).more);
  expect(burstSent()).toBe(8 * 123);
});
