import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { deliveryAttempts, events } from '#drizzle/schema/events.ts';
import { applyEnv } from '#lib/base/env.ts';
import { dispatchDeliveries } from '#lib/jobs/dispatch-deliveries.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { attemptDelivery } from '#lib/webhooks/delivery/attempt-delivery.ts';
import { hasDueFirstAttempts } from '#lib/webhooks/delivery/dispatch.ts';
import { sweepDeliveries } from '#lib/webhooks/delivery/sweep.ts';
import { resendDelivery } from '#lib/webhooks/log/resend-delivery.ts';
import { pruneEvents } from '#lib/webhooks/retention/prune-events.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { dispatching } from './dispatching.ts';
import { status } from './receiver.ts';
import { appendInvestments, newWebhook } from './stage.ts';

const desk = dispatching();

const prune = () => pruneEvents(desk.stage.ctx, Number.POSITIVE_INFINITY);
const age = (interval: string) =>
  desk.stage.ctx.db.execute(sql`update events set created_at = created_at - ${interval}::interval`);
const allEvents = () => desk.stage.ctx.db.select().from(events).orderBy(events.sequence);

async function deliver(count = 1) {
  await appendInvestments(desk.stage.ctx.db, count);
  // One slice is enough on a machine that has time for it.
  do await dispatchDeliveries(desk.stage.ctx);
  while (await hasDueFirstAttempts(desk.stage.ctx));
}

describe('an event older than WEBHOOK_RETENTION_DAYS', () => {
  test('loses its payload and the attempts of its deliveries; the deliveries stay in the log', async () => {
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await deliver(3);
    await age('30 days 1 minute');
    expect(await prune()).toEqual({ events: 3, attempts: 6, more: false });
    expect((await allEvents()).every(({ body, prunedAt }) => body === '' && prunedAt !== null)).toBe(true);
    expect(await desk.stage.ctx.db.$count(deliveryAttempts)).toBe(0);
    expect(await rowsOf(desk.stage.ctx.db, 'deliveries')).toMatchObject(
      Array(6).fill({ status: 'success', responseCode: 200, nextAttempt: 2 }),
    );
    expect(await prune()).toEqual({ events: 0, attempts: 0, more: false });
  });

  test('is the only one: what is younger keeps everything', async () => {
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await deliver();
    await age('29 days 23 hours 59 minutes');
    const before = await allEvents();
    expect(await prune()).toEqual({ events: 0, attempts: 0, more: false });
    expect(await allEvents()).toEqual(before);
    expect(await desk.stage.ctx.db.$count(deliveryAttempts)).toBe(1);
    applyEnv({ ...desk.stage.settings, WEBHOOK_RETENTION_DAYS: '29' });
    expect(await prune()).toMatchObject({ events: 1 });
  });

  test('keeps its payload while it waits for its deliveries, or one of them has not ended', async () => {
    const { webhook } = await newWebhook(desk.stage.ctx, desk.receiver.url);
    desk.receiver.answerWith(status(500));
    await deliver();
    await appendInvestments(desk.stage.ctx.db, 1);
    await age('40 days');
    expect(await prune()).toEqual({ events: 0, attempts: 0, more: false });

    await desk.stage.ctx.db.execute(sql`update events set fanned_out = true`);
    await desk.stage.ctx.db.execute(sql`update deliveries set status = 'failed', due_at = null`);
    await desk.stage.ctx.db.execute(sql`
      insert into deliveries (id, event_id, webhook_id, resend_of, event_sequence, leased_until)
      select 'del_again', event_id, webhook_id, id, event_sequence, null from deliveries where webhook_id = ${webhook.id}`);
    expect(await prune()).toMatchObject({ events: 1 });
    await desk.stage.ctx.db.execute(sql`update deliveries set status = 'success' where id = 'del_again'`);
    expect(await prune()).toMatchObject({ events: 1, attempts: 1 });
  });

  test('is never sent again: an attempt that comes due all the same is cancelled, and no empty body leaves', async () => {
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await deliver();
    await age('31 days');
    await prune();
    const again = (id: string) =>
      desk.stage.ctx.db.execute(sql`
        insert into deliveries (id, event_id, webhook_id, resend_of, event_sequence)
        select ${id}, event_id, webhook_id, id, event_sequence from deliveries limit 1`);
    await again('del_one');
    await again('del_two');
    expect(await hasDueFirstAttempts(desk.stage.ctx)).toBe(false);
    expect(await dispatchDeliveries(desk.stage.ctx)).toMatchObject({ attempted: 0, more: false });
    expect(await attemptDelivery(desk.stage.ctx, { delivery_id: 'del_one', attempt: 1 })).toEqual({
      outcome: 'cancelled',
    });
    expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ cancelled: 1 });
    expect(desk.receiver.received).toHaveLength(1);
    expect(desk.receiver.received.every(({ body }) => body !== '')).toBe(true);
  });
});

describe('pruning', () => {
  /** Old events with so many deliveries of one attempt each, all ended. */
  async function seed(eventCount: number, deliveriesEach: number) {
    const { webhook } = await newWebhook(desk.stage.ctx, desk.receiver.url);
    await desk.stage.ctx.db.execute(sql`
      with webhook as (
        insert into webhooks (id, tenant_id, url, host, events, sealed_secret, api_version)
        select 'wh_' || n, tenant_id, url, host, events, sealed_secret, api_version
        from webhooks, generate_series(1, ${deliveriesEach}::integer) n where id = ${webhook.id} returning id
      ), event as (
        insert into events (id, type, body, fanned_out, created_at)
        select 'evt_' || n, 'investment.created', '{}', true, now() - interval '40 days' + n * interval '1 second'
        from generate_series(1, ${eventCount}::integer) n returning id, sequence
      ), delivery as (
        insert into deliveries (id, event_id, webhook_id, event_sequence, status, due_at, next_attempt)
        select 'del_' || event.id || webhook.id, event.id, webhook.id, sequence, 'success', null, 2 from event, webhook returning id
      )
      insert into delivery_attempts (id, delivery_id, attempt, started_at, duration_ms, response_code)
      select 'att_' || id, id, 1, now(), 5, 200 from delivery`);
  }

  test('takes a payload with the last of its attempts, never before, and stops at its deadline', async () => {
    await seed(3, 2_000);
    const slice = () => pruneEvents(desk.stage.ctx, desk.stage.ctx.clock.nowMs());
    // Five thousand attempts fit into one batch: two events and half of the third.
    expect(await slice()).toEqual({ events: 2, attempts: 5_000, more: true });
    expect((await allEvents()).map(({ body, prunedAt }) => [body, prunedAt !== null])).toEqual([
      ['', true],
      ['', true],
      ['{}', false],
    ]);
    expect(await slice()).toEqual({ events: 1, attempts: 1_000, more: true });
    expect(await slice()).toEqual({ events: 0, attempts: 0, more: false });
  });

  test('by several at once prunes each event once', async () => {
    await seed(1_200, 2);
    const results = await Promise.all([prune(), prune(), prune()]);
    const rest = await prune();
    const sum = (of: 'events' | 'attempts') => [...results, rest].reduce((total, result) => total + result[of], 0);
    expect({ events: sum('events'), attempts: sum('attempts') }).toEqual({ events: 1_200, attempts: 2_400 });
    expect(await desk.stage.ctx.db.$count(deliveryAttempts)).toBe(0);
  });

  test('beside resends never takes the payload of one that was accepted', async () => {
    const { developer, webhook } = await newWebhook(desk.stage.ctx, desk.receiver.url);
    await appendInvestments(desk.stage.ctx.db, 500);
    await desk.stage.ctx.db.execute(sql`update events set fanned_out = true`);
    await age('400 days');
    for (let round = 0; round < 2; round += 1) {
      await desk.stage.ctx.db.execute(sql`truncate delivery_attempts, deliveries`);
      await desk.stage.ctx.db.execute(sql`update events set pruned_at = null, body = '{}'`);
      await desk.stage.ctx.db.execute(sql`
        insert into deliveries (id, event_id, webhook_id, event_sequence, status, due_at)
        select 'del_' || e.sequence, e.id, ${webhook.id}, e.sequence, 'failed', null from events e`);
      const last = (await allEvents()).slice(-40).map(({ sequence }) => `del_${sequence}`);
      const pruning = prune();
      const resent = await Promise.allSettled(last.map((id) => resendDelivery(developer, webhook.id, id)));
      await pruning;
      expect(
        resent
          .flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
          .every((code) => code === 'gone'),
      ).toBe(true);
      const { rows } = await desk.stage.ctx.db.execute(sql`
        select d.id from deliveries d join events e on e.id = d.event_id
        where d.status = 'pending' and e.pruned_at is not null`);
      expect(rows).toEqual([]);
    }
  });

  test('is a step of process-payments', async () => {
    await seed(2, 1);
    expect(await processPayments(desk.stage.ctx)).toMatchObject({ deliveries: { pruned_events: 2 } });
  });
});
