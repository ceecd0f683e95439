import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { deliveries, deliveryAttempts, events } from '#drizzle/schema/events.ts';
import { dispatchDeliveries } from '#lib/jobs/dispatch-deliveries.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { claimAttempt } from '#lib/webhooks/delivery/claim.ts';
import { claimFirstAttempts } from '#lib/webhooks/delivery/claim-first-attempts.ts';
import { dispatchFirstAttempts, hasDueFirstAttempts } from '#lib/webhooks/delivery/dispatch.ts';
import { recordOutcomes } from '#lib/webhooks/delivery/record.ts';
import { sweepDeliveries } from '#lib/webhooks/delivery/sweep.ts';
import { holdWake, wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import { deleteWebhook } from '#lib/webhooks/registry/delete-webhook.ts';
import { updateWebhook } from '#lib/webhooks/registry/update-webhook.ts';
import { type Answer, type Receiver, startReceiver, status } from './receiver.ts';
import { appendInvestments, newWebhook, openStage, reportInvestments, type Stage } from './stage.ts';

let stage: Stage;
let receiver: Receiver;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
// What one test leaves waiting would be dispatched by the next.
beforeEach(async () => {
  await stage.reset();
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const dispatch = () => dispatchFirstAttempts(stage.ctx, stage.ctx.clock.nowMs() + 10_000);
const allDeliveries = () => stage.ctx.db.select().from(deliveries).orderBy(deliveries.id);
const allAttempts = () => stage.ctx.db.select().from(deliveryAttempts).orderBy(deliveryAttempts.startedAt);
const expireLeases = () =>
  stage.ctx.db.execute(
    sql`update deliveries set leased_until = now() - interval '1 second' where leased_until is not null`,
  );
const ANY = { ofUnknown: 8, known: new Map() };
const claimOne = async () =>
  (await claimFirstAttempts(stage.ctx, { capacity: 1, webhooks: ANY, hosts: ANY, failing: 1, afterWebhookId: '' }))
    .claimed;

/** A slice has noticed by then that its time is up. */
const OVER_SOON_MS = 200;

const wakes = async () => (await stage.waiting()).filter(({ url }) => url.endsWith('/api/queue/continue'));
// The stage serves no continue route, so a message stays on the queue as a failed callback to be retried.
const wakesPublished = async () => new Set((await wakes()).map(({ deduplicationId }) => deduplicationId)).size;

describe('dispatch', () => {
  test('by several at once delivers every event once', async () => {
    await newWebhook(stage.ctx, receiver.url);
    await newWebhook(stage.ctx, receiver.url);
    expect(await reportInvestments(stage.ctx.db, 100)).toBe(200);
    const results = await Promise.all([dispatch(), dispatch(), dispatch()]);
    expect(results.reduce((sum, { success }) => sum + success, 0)).toBe(200);
    expect(receiver.received).toHaveLength(200);
    expect((await allDeliveries()).every((row) => row.status === 'success' && row.leasedUntil === null)).toBe(true);
    expect(await allAttempts()).toHaveLength(200);
  });

  test('keeps at most 8 attempts of one webhook under way, and is not held up by it for others', async () => {
    const slow = await startReceiver();
    let underWay = 0;
    let most = 0;
    slow.answerWith((_n, response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      setTimeout(() => {
        underWay -= 1;
        response.writeHead(200).end();
      }, 20);
    });
    await newWebhook(stage.ctx, slow.url);
    await reportInvestments(stage.ctx.db, 100);
    await newWebhook(stage.ctx, receiver.url);
    await reportInvestments(stage.ctx.db, 1);
    const result = await dispatch();
    expect(result).toMatchObject({ attempted: 102, success: 102, more: false });
    expect(most).toBe(8);
    expect(receiver.received).toHaveLength(1);
    await slow.close();
  });

  test('keeps at most 16 attempts at one host under way, over all the webhooks that lead there', async () => {
    let underWay = 0;
    let most = 0;
    receiver.answerWith((_n, response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      setTimeout(() => {
        underWay -= 1;
        response.writeHead(200).end();
      }, 20);
    });
    for (let i = 0; i < 5; i += 1) await newWebhook(stage.ctx, receiver.url);
    await reportInvestments(stage.ctx.db, 40);
    expect(await dispatch()).toMatchObject({ attempted: 200, success: 200, more: false });
    expect(most).toBe(16);
  });

  test('serves all webhooks at one host by turns, so that none waits for the backlogs of the others', async () => {
    const [WEBHOOKS, EVENTS] = [20, 30];
    for (let i = 0; i < WEBHOOKS; i += 1) await newWebhook(stage.ctx, `${receiver.url}/${i}`);
    await reportInvestments(stage.ctx.db, EVENTS);
    await dispatch();
    expect(receiver.received).toHaveLength(WEBHOOKS * EVENTS);
    const firstHalf = receiver.received.slice(0, (WEBHOOKS * EVENTS) / 2);
    expect(new Set(firstHalf.map(({ path }) => path)).size).toBe(WEBHOOKS);
  });

  /** Reports to webhooks that hang and to one that answers; gives how many attempts hung when the last event was delivered. */
  async function deliverBesideHanging(urls: readonly string[], hanging: () => number, isKnownToFail = sql`false`) {
    const EVENTS = 40;
    let hangingAtTheEnd = -1;
    receiver.answerWith((n, response) => {
      if (n === EVENTS) {
        hangingAtTheEnd = hanging();
        // The slice's time is over: nobody is tried again.
        stage.ctx.clock.advance(20_000);
      }
      response.writeHead(200).end();
    });
    for (const url of urls) await newWebhook(stage.ctx, url);
    await newWebhook(stage.ctx, receiver.url);
    await stage.ctx.db.execute(sql`update webhooks set failing_since = now() where ${isKnownToFail}`);
    await reportInvestments(stage.ctx.db, EVENTS);
    const result = await dispatch();
    expect(receiver.received).toHaveLength(EVENTS);
    // A second attempt of any of them would come after the first one's time-out only.
    expect(result).toMatchObject({ success: EVENTS, retrying: hangingAtTheEnd });
    return hangingAtTheEnd;
  }

  test('is not held up by many receivers that hang: each holds one place until it has answered', async () => {
    const tarpits = await Promise.all(Array.from({ length: 15 }, () => startReceiver(() => undefined)));
    const hanging = () => tarpits.reduce((sum, { received }) => sum + received.length, 0);
    expect(
      await deliverBesideHanging(
        tarpits.map(({ url }) => url),
        hanging,
      ),
    ).toBe(15);
    await Promise.all(tarpits.map((tarpit) => tarpit.close()));
  });

  test('is not held up by one host that hangs under many webhooks: it holds four places', async () => {
    const tarpit = await startReceiver(() => undefined);
    const urls = Array.from({ length: 30 }, (_, n) => `${tarpit.url}/${n}`);
    expect(await deliverBesideHanging(urls, () => tarpit.received.length)).toBe(4);
    await tarpit.close();
  });

  test('is not held up by any number of receivers that are known to fail: they share sixteen places', async () => {
    const tarpits = await Promise.all(Array.from({ length: 30 }, () => startReceiver(() => undefined)));
    const hanging = () => tarpits.reduce((sum, { received }) => sum + received.length, 0);
    const urls = tarpits.map(({ url }) => url);
    expect(await deliverBesideHanging(urls, hanging, sql`url <> ${receiver.url}`)).toBe(16);
    await Promise.all(tarpits.map((tarpit) => tarpit.close()));
  });

  test('uses a connection to a receiver again within a slice', async () => {
    await newWebhook(stage.ctx, receiver.url);
    await reportInvestments(stage.ctx.db, 60);
    expect(await dispatch()).toMatchObject({ success: 60 });
    expect(receiver.received).toHaveLength(60);
    expect(receiver.connections()).toBeLessThanOrEqual(8);
  });

  test('reaches every webhook where more have something waiting than one look takes in', async () => {
    const { webhook } = await newWebhook(stage.ctx, receiver.url);
    await stage.ctx.db.execute(sql`
      insert into webhooks (id, tenant_id, url, host, events, sealed_secret, api_version)
      select 'wh_' || n, tenant_id, url, host, events, 'gone.AAAA.AAAA', api_version
      from webhooks, generate_series(1, 300) n where id = ${webhook.id}`);
    await reportInvestments(stage.ctx.db);
    // Their secrets cannot be opened: what counts is that each was taken up.
    expect(await dispatch()).toMatchObject({ attempted: 301, success: 1, more: false });
  });

  test('leaves nothing behind when all attempts under way end together', async () => {
    const held: (() => void)[] = [];
    const hold: Answer = (_n, response) => {
      held.push(() => response.writeHead(200).end());
      if (held.length === 8) for (const letGo of held.splice(0)) letGo();
    };
    const receivers = await Promise.all(Array.from({ length: 8 }, () => startReceiver(hold)));
    // Eight webhooks with the same number of events each move in step, so all that is under way is held at once.
    for (const { url } of receivers) await newWebhook(stage.ctx, url);
    await reportInvestments(stage.ctx.db, 50);
    expect(await dispatch()).toMatchObject({ success: 400, more: false });
    await Promise.all(receivers.map((each) => each.close()));
  });

  test('makes the first attempts of a webhook in the order of the events', async () => {
    await newWebhook(stage.ctx, receiver.url);
    await reportInvestments(stage.ctx.db, 30);
    const claimed: string[] = [];
    for (let [next] = await claimOne(); next !== undefined; [next] = await claimOne()) claimed.push(next.eventId);
    const inOrder = await stage.ctx.db.select({ id: events.id }).from(events).orderBy(events.sequence);
    expect(claimed).toEqual(inOrder.map(({ id }) => id));
  });

  test('starts nothing after its deadline and says that more is left', async () => {
    await newWebhook(stage.ctx, receiver.url);
    await reportInvestments(stage.ctx.db, 3);
    const result = await dispatchFirstAttempts(stage.ctx, stage.ctx.clock.nowMs());
    expect(result).toEqual({ attempted: 0, success: 0, retrying: 0, failed: 0, more: true });
    expect(receiver.received).toHaveLength(0);
  });

  test('waits for what is under way when its time is up, and stores it', async () => {
    await newWebhook(stage.ctx, receiver.url);
    await appendInvestments(stage.ctx.db, 3);
    const deadlineMs = stage.ctx.clock.nowMs() + 10_000;
    receiver.answerWith((_n, response) => {
      stage.ctx.clock.set(deadlineMs);
      setTimeout(() => response.writeHead(200).end(), OVER_SOON_MS);
    });
    expect(await dispatchDeliveries(stage.ctx, deadlineMs)).toMatchObject({ attempted: 1, success: 1, more: true });
  });

  test('goes on when the queue takes no retries: they stand in the database and the sweeper publishes them', async () => {
    receiver.answerWith(status(500));
    await newWebhook(stage.ctx, receiver.url);
    await reportInvestments(stage.ctx.db);
    const deaf = { ...stage.ctx, queue: { ...stage.ctx.queue, publish: () => Promise.reject(new Error('down')) } };
    expect(await dispatchFirstAttempts(deaf, stage.ctx.clock.nowMs() + 10_000)).toMatchObject({ retrying: 1 });
    expect(await stage.waiting()).toEqual([]);
    expect(await sweepDeliveries(stage.ctx)).toMatchObject({ republished: 0 });

    await stage.ctx.db.execute(sql`update deliveries set due_at = now() - interval '61 seconds'`);
    expect(await sweepDeliveries(stage.ctx)).toMatchObject({ republished: 1 });
    // The next sweeps leave it time to arrive.
    expect(await sweepDeliveries(stage.ctx)).toMatchObject({ republished: 0 });
    await expect.poll(() => receiver.received.length).toBe(2);
    await expect.poll(async () => (await allDeliveries())[0]?.nextAttempt).toBe(3);
    expect(await stage.waiting()).toMatchObject([{ delaySeconds: 25 }]);
  });
});

describe('an attempt whose function died', () => {
  test('is recorded interrupted and made again under the same number', async () => {
    await newWebhook(stage.ctx, receiver.url);
    await reportInvestments(stage.ctx.db);
    expect(await claimOne()).toHaveLength(1);
    expect(await sweepDeliveries(stage.ctx)).toMatchObject({ released: 0 });
    expect(await dispatch()).toMatchObject({ attempted: 0 });

    await expireLeases();
    expect(await sweepDeliveries(stage.ctx)).toMatchObject({ released: 1 });
    expect(await dispatch()).toMatchObject({ attempted: 1, success: 1 });
    expect(await allAttempts()).toMatchObject([
      { attempt: 1, errorKind: 'interrupted' },
      { attempt: 1, errorKind: null, responseCode: 200 },
    ]);
    expect(await allDeliveries()).toMatchObject([{ status: 'success', nextAttempt: 2 }]);
  });

  test('is made again by its own callback too, once its claim has run out', async () => {
    receiver.answerWith(status(500));
    await newWebhook(stage.ctx, receiver.url);
    await reportInvestments(stage.ctx.db);
    await dispatch();
    const [row] = await allDeliveries();
    expect(await claimAttempt(stage.ctx, row?.id ?? '', 2)).not.toBeNull();
    await expireLeases();
    await stage.advance(5);
    expect(receiver.received).toHaveLength(2);
    expect((await allAttempts()).map(({ attempt, errorKind }) => [attempt, errorKind])).toEqual([
      [1, 'status'],
      [2, 'interrupted'],
      [2, 'status'],
    ]);
  });

  test('twenty times over, because its secret cannot be opened, ends failed and is logged as an error', async () => {
    const { webhook } = await newWebhook(stage.ctx, receiver.url);
    await stage.ctx.db.execute(sql`update webhooks set sealed_secret = 'gone.AAAA.AAAA' where id = ${webhook.id}`);
    await reportInvestments(stage.ctx.db);
    const errors = vi.spyOn(stage.ctx.log, 'error');
    for (let tries = 1; tries <= 20; tries += 1) {
      expect(await allDeliveries()).toMatchObject([{ status: 'pending', nextAttempt: 1 }]);
      expect(await dispatch()).toMatchObject({ attempted: 1 });
      await expireLeases();
      expect(await sweepDeliveries(stage.ctx)).toMatchObject({ released: 1 });
    }
    const [given] = await allDeliveries();
    expect(given).toMatchObject({ status: 'failed', nextAttempt: 2, dueAt: null, leasedUntil: null });
    expect(errors).toHaveBeenCalledWith({ delivery_id: given?.id }, expect.stringMatching(/given up/));
    errors.mockRestore();
    expect(await dispatch()).toMatchObject({ attempted: 0, more: false });
    expect(await sweepDeliveries(stage.ctx)).toMatchObject({ released: 0, republished: 0 });
    expect(receiver.received).toHaveLength(0);
  });

  test('stays cancelled when its webhook was deleted meanwhile, however often it was interrupted', async () => {
    const { developer, webhook } = await newWebhook(stage.ctx, receiver.url);
    await reportInvestments(stage.ctx.db);
    for (let tries = 1; tries <= 19; tries += 1) {
      expect(await claimOne()).toHaveLength(1);
      await expireLeases();
      await sweepDeliveries(stage.ctx);
    }
    await claimOne();
    await deleteWebhook(developer, webhook.id);
    await expireLeases();
    await sweepDeliveries(stage.ctx);
    expect(await allDeliveries()).toMatchObject([{ status: 'cancelled', leasedUntil: null }]);
  });

  test('cannot record an outcome after it was given up', async () => {
    await newWebhook(stage.ctx, receiver.url);
    await reportInvestments(stage.ctx.db);
    const [late] = await claimOne();
    await expireLeases();
    await sweepDeliveries(stage.ctx);
    const lateOutcome = {
      responseCode: 500,
      errorKind: 'status' as const,
      responseBody: '',
      retryAfter: null,
      requestHeaders: {},
      responseHeaders: {},
      url: receiver.url,
      attemptId: late?.attemptId ?? '',
      deliveryId: late?.deliveryId ?? '',
      attempt: 1,
      durationMs: 1,
      retryDelaySeconds: 5,
    };
    expect(await recordOutcomes(stage.ctx.db, [lateOutcome])).toEqual([]);
    expect(await allDeliveries()).toMatchObject([{ status: 'pending', nextAttempt: 1 }]);
  });
});

describe('a webhook that is not active', () => {
  test('gets nothing: what comes due meanwhile is cancelled', async () => {
    const { developer, webhook } = await newWebhook(stage.ctx, receiver.url);
    receiver.answerWith(status(500));
    await reportInvestments(stage.ctx.db);
    await dispatch();
    await reportInvestments(stage.ctx.db);
    await updateWebhook(developer, webhook.id, { active: false });
    expect(await dispatch()).toMatchObject({ attempted: 0, more: false });
    expect(await sweepDeliveries(stage.ctx)).toMatchObject({ cancelled: 1 });
    await stage.advance(5);
    expect(receiver.received).toHaveLength(1);
    expect((await allDeliveries()).map((row) => row.status)).toEqual(['cancelled', 'cancelled']);
    expect(await reportInvestments(stage.ctx.db)).toBe(0);
  });

  test('because it is deleted has all its waiting deliveries cancelled at once', async () => {
    const { developer, webhook } = await newWebhook(stage.ctx, receiver.url);
    await reportInvestments(stage.ctx.db, 5);
    await deleteWebhook(developer, webhook.id);
    expect((await allDeliveries()).every((row) => row.status === 'cancelled' && row.dueAt === null)).toBe(true);
  });
});

describe('an event that is not fanned out yet', () => {
  test('is due work, and is delivered by the slice that it wakes', async () => {
    await newWebhook(stage.ctx, receiver.url);
    await appendInvestments(stage.ctx.db, 3);
    expect(await hasDueFirstAttempts(stage.ctx)).toBe(true);
    expect(await dispatchDeliveries(stage.ctx)).toMatchObject({ attempted: 3, success: 3, more: false });
    expect(receiver.received).toHaveLength(3);
    expect(await hasDueFirstAttempts(stage.ctx)).toBe(false);
  });

  test('gets its deliveries in the run of process-payments that wakes their dispatch', async () => {
    await newWebhook(stage.ctx, receiver.url);
    await appendInvestments(stage.ctx.db, 2);
    expect(await processPayments(stage.ctx)).toMatchObject({ deliveries: { written: 2 } });
    expect(await allDeliveries()).toHaveLength(2);
    await expect.poll(wakesPublished).toBe(1);
    expect(await processPayments(stage.ctx)).toMatchObject({ deliveries: { written: 0 } });
  });

  test('is delivered by the slice at work, when the one that it wakes comes beside it', async () => {
    await newWebhook(stage.ctx, receiver.url);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    receiver.answerWith((_n, response) => void released.then(() => response.writeHead(200).end()));
    await appendInvestments(stage.ctx.db, 1);
    const busy = dispatchDeliveries(stage.ctx);
    await expect.poll(() => receiver.received.length).toBe(1);
    await appendInvestments(stage.ctx.db, 1);
    expect(await dispatchDeliveries(stage.ctx)).toMatchObject({ attempted: 0 });
    expect(await allDeliveries()).toHaveLength(2);
    release();
    expect(await busy).toMatchObject({ attempted: 2, success: 2, more: false });
  });
});

describe('a wake', () => {
  test('is one message for a burst, and a new one once the slice that it called has ended', async () => {
    await Promise.all(Array.from({ length: 20 }, () => wakeDispatch(stage.ctx)));
    await expect.poll(wakesPublished).toBe(1);
    await dispatchDeliveries(stage.ctx);
    await wakeDispatch(stage.ctx);
    await expect.poll(wakesPublished).toBe(2);
  });

  test('is left out while a slice is at work, which takes up itself what was written', async () => {
    await newWebhook(stage.ctx, receiver.url);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    receiver.answerWith((_n, response) => void released.then(() => response.writeHead(200).end()));
    await appendInvestments(stage.ctx.db, 1);
    const busy = dispatchDeliveries(stage.ctx);
    await expect.poll(() => receiver.received.length).toBe(1);
    await appendInvestments(stage.ctx.db, 1);
    await wakeDispatch(stage.ctx);
    release();
    expect(await busy).toMatchObject({ attempted: 2, success: 2, more: false });
    expect(await wakesPublished()).toBe(0);
    await wakeDispatch(stage.ctx);
    await expect.poll(wakesPublished).toBe(1);
  });

  test('goes out again some time after the slice at work was last heard of', async () => {
    await holdWake(stage.ctx);
    await wakeDispatch(stage.ctx);
    expect(await wakesPublished()).toBe(0);
    await stage.ctx.db.execute(sql`update leases set leased_until = leased_until - interval '10 seconds'`);
    await wakeDispatch(stage.ctx);
    await expect.poll(wakesPublished).toBe(1);
  });

  test('that the queue did not take is asked for again by the next caller', async () => {
    const deaf = { ...stage.ctx, queue: { ...stage.ctx.queue, publish: () => Promise.reject(new Error('down')) } };
    await wakeDispatch(deaf);
    expect(await wakes()).toEqual([]);
    await wakeDispatch(stage.ctx);
    await expect.poll(wakesPublished).toBe(1);
  });
});
