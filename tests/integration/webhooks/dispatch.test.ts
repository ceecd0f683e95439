import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { deliveries, events } from '#drizzle/schema/events.ts';
import { dispatchDeliveries } from '#lib/jobs/dispatch-deliveries.ts';
import { dispatchFirstAttempts } from '#lib/webhooks/delivery/dispatch.ts';
import { sweepDeliveries } from '#lib/webhooks/delivery/sweep.ts';
import { aroundStatements } from '#tests/support/around-statements.ts';
import { dispatching, OVER_SOON_MS } from './dispatching.ts';
import { type Answer, startReceiver, status } from './receiver.ts';
import { appendInvestments, newWebhook, reportInvestments } from './stage.ts';

const desk = dispatching();
const { endByWord, dispatch, allDeliveries, allAttempts, claimOne } = desk;

describe('dispatch', () => {
  test('by several at once delivers every event once', async () => {
    endByWord();
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    expect(await reportInvestments(desk.stage.ctx.db, 100)).toBe(200);
    const results = await Promise.all([dispatch(), dispatch(), dispatch()]);
    expect(results.reduce((sum, { success }) => sum + success, 0)).toBe(200);
    expect(desk.receiver.received).toHaveLength(200);
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
    await newWebhook(desk.stage.ctx, slow.url);
    await reportInvestments(desk.stage.ctx.db, 100);
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await reportInvestments(desk.stage.ctx.db, 1);
    const result = await dispatch();
    expect(result).toMatchObject({ attempted: 102, success: 102, more: false });
    expect(most).toBe(8);
    expect(desk.receiver.received).toHaveLength(1);
    await slow.close();
  });

  test('keeps at most 16 attempts at one host under way, over all the webhooks that lead there', async () => {
    let underWay = 0;
    let most = 0;
    desk.receiver.answerWith((_n, response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      setTimeout(() => {
        underWay -= 1;
        response.writeHead(200).end();
      }, 20);
    });
    for (let i = 0; i < 5; i += 1) await newWebhook(desk.stage.ctx, desk.receiver.url);
    await reportInvestments(desk.stage.ctx.db, 40);
    expect(await dispatch()).toMatchObject({ attempted: 200, success: 200, more: false });
    expect(most).toBe(16);
  });

  test('serves all webhooks at one host by turns, so that none waits for the backlogs of the others', async () => {
    const [WEBHOOKS, EVENTS] = [20, 30];
    for (let i = 0; i < WEBHOOKS; i += 1) await newWebhook(desk.stage.ctx, `${desk.receiver.url}/${i}`);
    await reportInvestments(desk.stage.ctx.db, EVENTS);
    await dispatch();
    expect(desk.receiver.received).toHaveLength(WEBHOOKS * EVENTS);
    const firstHalf = desk.receiver.received.slice(0, (WEBHOOKS * EVENTS) / 2);
    expect(new Set(firstHalf.map(({ path }) => path)).size).toBe(WEBHOOKS);
  });

  /** Reports to webhooks that hang and to one that answers; gives how many attempts hung when the last event was delivered. */
  async function deliverBesideHanging(urls: readonly string[], hanging: () => number, isKnownToFail = sql`false`) {
    const EVENTS = 40;
    let hangingAtTheEnd = -1;
    desk.receiver.answerWith((n, response) => {
      if (n === EVENTS) {
        hangingAtTheEnd = hanging();
        // The slice's time is over: nobody is tried again.
        desk.stage.ctx.clock.advance(20_000);
      }
      response.writeHead(200).end();
    });
    for (const url of urls) await newWebhook(desk.stage.ctx, url);
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await desk.stage.ctx.db.execute(sql`update webhooks set failing_since = now() where ${isKnownToFail}`);
    await reportInvestments(desk.stage.ctx.db, EVENTS);
    const result = await dispatch();
    expect(desk.receiver.received).toHaveLength(EVENTS);
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
    expect(await deliverBesideHanging(urls, hanging, sql`url <> ${desk.receiver.url}`)).toBe(16);
    await Promise.all(tarpits.map((tarpit) => tarpit.close()));
  });

  test('uses a connection to a receiver again within a slice', async () => {
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await reportInvestments(desk.stage.ctx.db, 60);
    expect(await dispatch()).toMatchObject({ success: 60 });
    expect(desk.receiver.received).toHaveLength(60);
    expect(desk.receiver.connections()).toBeLessThanOrEqual(8);
  });

  test('reaches every webhook where more have something waiting than one look takes in', async () => {
    const { webhook } = await newWebhook(desk.stage.ctx, desk.receiver.url);
    await desk.stage.ctx.db.execute(sql`
      insert into webhooks (id, tenant_id, url, host, events, sealed_secret, api_version)
      select 'wh_' || n, tenant_id, url, host, events, 'gone.AAAA.AAAA', api_version
      from webhooks, generate_series(1, 300) n where id = ${webhook.id}`);
    await reportInvestments(desk.stage.ctx.db);
    // Their secrets cannot be opened: what counts is that each was taken up.
    expect(await dispatch()).toMatchObject({ attempted: 301, success: 1, more: false });
  });

  test('lets receivers that answer slowly have all places but sixteen', async () => {
    endByWord();
    const held: (() => void)[] = [];
    const hold: Answer = (_n, response) => void held.push(() => response.writeHead(200).end());
    const slow = await Promise.all(Array.from({ length: 10 }, () => startReceiver(hold)));
    for (const { url } of slow) await newWebhook(desk.stage.ctx, url);
    await reportInvestments(desk.stage.ctx.db, 40);
    const running = dispatchFirstAttempts(desk.stage.ctx, desk.stage.ctx.clock.nowMs() + 1_000_000);
    for (const underWay of [10, 20, 48]) {
      await expect.poll(() => held.length, { timeout: 5_000 }).toBe(underWay);
      desk.stage.ctx.clock.advance(1_500);
      if (underWay < 48) for (const letGo of held.splice(0)) letGo();
    }
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await reportInvestments(desk.stage.ctx.db, 100);
    await expect.poll(() => desk.receiver.received.length, { timeout: 5_000 }).toBe(100);
    expect(held).toHaveLength(48);
    for (const { answerWith } of slow) answerWith(status(200));
    for (const letGo of held) letGo();
    expect(await running).toMatchObject({ success: 10 * 140 + 100 });
    await Promise.all(slow.map((each) => each.close()));
  });

  test('gives back what it claimed ahead of a receiver that no longer answers, as if it had never been claimed', async () => {
    endByWord();
    const held: (() => void)[] = [];
    desk.receiver.answerWith((n, response) => {
      const answer = () => response.writeHead(200).end();
      if (n <= 20) answer();
      else held.push(answer);
    });
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await reportInvestments(desk.stage.ctx.db, 120);
    const running = dispatch();
    const claimed = () => desk.stage.ctx.db.$count(deliveries, sql`leased_until is not null`);
    await expect.poll(() => held.length).toBe(8);
    await expect.poll(claimed).toBe(40);
    desk.stage.ctx.clock.advance(3_000);
    await expect.poll(claimed).toBe(8);
    desk.receiver.answerWith(status(200));
    for (const letGo of held) letGo();
    expect(await running).toMatchObject({ attempted: 120, success: 120 });
    expect(await allAttempts()).toHaveLength(120);
  });

  test('gives back what is queued, unsent, when a claim from a backlog fails, and delivers it afterwards', async () => {
    const { ctx } = desk.stage;
    await newWebhook(ctx, desk.receiver.url);
    await reportInvestments(ctx.db, 100);
    const letAllThrough = aroundStatements(ctx.db, async (text, send) => {
      if (text.includes('with recursive allowed as')) throw new Error('The backlog cannot be claimed');
      return send();
    });
    await expect(dispatch()).rejects.toThrow('The backlog cannot be claimed');
    letAllThrough();
    const rows = await allDeliveries();
    expect(rows.every(({ leasedUntil }) => leasedUntil === null)).toBe(true);
    const delivered = rows.filter(({ status }) => status === 'success').length;
    expect(delivered).toBeLessThan(100);
    expect(desk.receiver.received).toHaveLength(delivered);
    expect(await dispatch()).toMatchObject({ success: 100 - delivered, more: false });
    expect(desk.receiver.received).toHaveLength(100);
    expect(await allAttempts()).toHaveLength(100);
  });

  test('leaves nothing behind when all attempts under way end together', async () => {
    const held: (() => void)[] = [];
    const hold: Answer = (_n, response) => {
      held.push(() => response.writeHead(200).end());
      if (held.length === 8) for (const letGo of held.splice(0)) letGo();
    };
    const receivers = await Promise.all(Array.from({ length: 8 }, () => startReceiver(hold)));
    // Eight webhooks with the same number of events each move in step, so all that is under way is held at once.
    for (const { url } of receivers) await newWebhook(desk.stage.ctx, url);
    await reportInvestments(desk.stage.ctx.db, 50);
    expect(await dispatch()).toMatchObject({ success: 400, more: false });
    await Promise.all(receivers.map((each) => each.close()));
  });

  test('makes the first attempts of a webhook in the order of the events', async () => {
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await reportInvestments(desk.stage.ctx.db, 30);
    const claimed: string[] = [];
    for (let [next] = await claimOne(); next !== undefined; [next] = await claimOne()) claimed.push(next.eventId);
    const inOrder = await desk.stage.ctx.db.select({ id: events.id }).from(events).orderBy(events.sequence);
    expect(claimed).toEqual(inOrder.map(({ id }) => id));
  });

  test('starts nothing after its deadline and says that more is left', async () => {
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await reportInvestments(desk.stage.ctx.db, 3);
    const result = await dispatchFirstAttempts(desk.stage.ctx, desk.stage.ctx.clock.nowMs());
    expect(result).toEqual({ attempted: 0, success: 0, retrying: 0, failed: 0, more: true });
    expect(desk.receiver.received).toHaveLength(0);
  });

  test('waits for what is under way when its time is up, and stores it', async () => {
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await appendInvestments(desk.stage.ctx.db, 3);
    const deadlineMs = desk.stage.ctx.clock.nowMs() + 10_000;
    desk.receiver.answerWith((_n, response) => {
      desk.stage.ctx.clock.set(deadlineMs);
      setTimeout(() => response.writeHead(200).end(), OVER_SOON_MS);
    });
    expect(await dispatchDeliveries(desk.stage.ctx, deadlineMs)).toMatchObject({
      attempted: 1,
      success: 1,
      more: true,
    });
  });

  test('goes on when the queue takes no retries: they stand in the database and the sweeper publishes them', async () => {
    desk.receiver.answerWith(status(500));
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await reportInvestments(desk.stage.ctx.db);
    const deaf = {
      ...desk.stage.ctx,
      queue: { ...desk.stage.ctx.queue, publish: () => Promise.reject(new Error('down')) },
    };
    expect(await dispatchFirstAttempts(deaf, desk.stage.ctx.clock.nowMs() + 10_000)).toMatchObject({ retrying: 1 });
    expect(await desk.stage.waiting()).toEqual([]);
    await desk.stage.ctx.db.execute(sql`update deliveries set due_at = now()`);
    expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ republished: 1 });
    // The next sweeps leave it time to arrive.
    expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ republished: 0 });
    await expect.poll(() => desk.receiver.received.length).toBe(2);
    await expect.poll(async () => (await allDeliveries())[0]?.nextAttempt).toBe(3);
    await expect.poll(() => desk.stage.waiting()).toMatchObject([{ delaySeconds: 25 }]);
  });
});
