import { sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { claimRetry } from '#lib/webhooks/delivery/attempt-delivery.ts';
import type { Claimed } from '#lib/webhooks/delivery/claim.ts';
import { fanOutEvents } from '#lib/webhooks/delivery/fan-out.ts';
import type { Outcome } from '#lib/webhooks/delivery/send.ts';
import { recordOutcomes } from '#lib/webhooks/delivery/store-outcomes.ts';
import { sweepDeliveries } from '#lib/webhooks/delivery/sweep.ts';
import { deleteWebhook, updateWebhook } from '#lib/webhooks/registry/change-webhook.ts';
import { dispatching } from './dispatching.ts';
import { status } from './receiver.ts';
import { newWebhook, reportInvestments } from './stage.ts';

const desk = dispatching();
const { dispatch, allDeliveries, allAttempts, expireLeases, claimOne } = desk;

/** What a claimed attempt comes to that the receiver answers with 500. */
const failureOf = (claimed: Claimed | undefined): Outcome => ({
  responseCode: 500,
  errorKind: 'status',
  responseBody: '',
  retryAfter: null,
  requestHeaders: {},
  responseHeaders: {},
  url: desk.receiver.url,
  leasedUntil: claimed?.leasedUntil ?? '',
  deliveryId: claimed?.deliveryId ?? '',
  attempt: 1,
  startedAtMs: desk.stage.ctx.clock.nowMs(),
  durationMs: 1,
  retryDelaySeconds: 5,
});

describe('an attempt whose function died', () => {
  test('is recorded interrupted and made again under the same number', async () => {
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await reportInvestments(desk.stage.ctx.db);
    expect(await claimOne()).toHaveLength(1);
    expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ released: 0 });
    expect(await dispatch()).toMatchObject({ attempted: 0 });

    await expireLeases();
    expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ released: 1 });
    expect(await dispatch()).toMatchObject({ attempted: 1, success: 1 });
    expect(await allAttempts()).toMatchObject([
      { attempt: 1, errorKind: 'interrupted' },
      { attempt: 1, errorKind: null, responseCode: 200 },
    ]);
    expect(await allDeliveries()).toMatchObject([{ status: 'success', nextAttempt: 2 }]);
  });

  test('is made again by its own callback too, once its claim has run out', async () => {
    desk.receiver.answerWith(status(500));
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await reportInvestments(desk.stage.ctx.db);
    await dispatch();
    const [row] = await allDeliveries();
    expect(await claimRetry(desk.stage.ctx, row?.id ?? '', 2)).not.toBeNull();
    await expireLeases();
    await desk.stage.advance(5);
    expect(desk.receiver.received).toHaveLength(2);
    expect((await allAttempts()).map(({ attempt, errorKind }) => [attempt, errorKind])).toEqual([
      [1, 'status'],
      [2, 'interrupted'],
      [2, 'status'],
    ]);
  });

  test('twenty times over, because its secret cannot be opened, ends failed and is logged as an error', async () => {
    const { webhook } = await newWebhook(desk.stage.ctx, desk.receiver.url);
    await desk.stage.ctx.db.execute(sql`update webhooks set sealed_secret = 'gone.AAAA.AAAA' where id = ${webhook.id}`);
    await reportInvestments(desk.stage.ctx.db);
    const errors = vi.spyOn(desk.stage.ctx.log, 'error');
    for (let tries = 1; tries <= 20; tries += 1) {
      expect(await allDeliveries()).toMatchObject([{ status: 'pending', nextAttempt: 1 }]);
      expect(await dispatch()).toMatchObject({ attempted: 1 });
      await expireLeases();
      expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ released: 1 });
    }
    const [given] = await allDeliveries();
    expect(given).toMatchObject({ status: 'failed', nextAttempt: 2, dueAt: null, leasedUntil: null });
    expect(errors).toHaveBeenCalledWith({ delivery_id: given?.id }, expect.stringMatching(/given up/));
    errors.mockRestore();
    // The report of it is for other webhooks.
    await fanOutEvents(desk.stage.ctx, Number.POSITIVE_INFINITY);
    expect(await dispatch()).toMatchObject({ attempted: 0, more: false });
    expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ released: 0, republished: 0 });
    expect(desk.receiver.received).toHaveLength(0);
  });

  test('stays cancelled when its webhook was deleted meanwhile, however often it was interrupted', async () => {
    const { developer, webhook } = await newWebhook(desk.stage.ctx, desk.receiver.url);
    await reportInvestments(desk.stage.ctx.db);
    for (let tries = 1; tries <= 19; tries += 1) {
      expect(await claimOne()).toHaveLength(1);
      await expireLeases();
      await sweepDeliveries(desk.stage.ctx);
    }
    await claimOne();
    await deleteWebhook(developer, webhook.id);
    await expireLeases();
    await sweepDeliveries(desk.stage.ctx);
    expect(await allDeliveries()).toMatchObject([{ status: 'cancelled', leasedUntil: null }]);
  });

  test('cannot record an outcome after it was given up', async () => {
    await newWebhook(desk.stage.ctx, desk.receiver.url);
    await reportInvestments(desk.stage.ctx.db);
    const [late] = await claimOne();
    await expireLeases();
    await sweepDeliveries(desk.stage.ctx);
    expect(await recordOutcomes(desk.stage.ctx, [failureOf(late)])).toEqual([]);
    expect(await allDeliveries()).toMatchObject([{ status: 'pending', nextAttempt: 1 }]);
  });

  test('that fails after its delivery was cancelled ends it: no other is due', async () => {
    const { developer, webhook } = await newWebhook(desk.stage.ctx, desk.receiver.url);
    await reportInvestments(desk.stage.ctx.db);
    const [claimed] = await claimOne();
    await deleteWebhook(developer, webhook.id);
    expect(await recordOutcomes(desk.stage.ctx, [failureOf(claimed)])).toMatchObject([{ status: 'cancelled' }]);
    expect(await allDeliveries()).toMatchObject([{ status: 'cancelled', dueAt: null, leasedUntil: null }]);
    expect(await allAttempts()).toMatchObject([{ attempt: 1, errorKind: 'status', responseCode: 500 }]);
  });
});

describe('a webhook that is not active', () => {
  test('gets nothing: what comes due meanwhile is cancelled', async () => {
    const { developer, webhook } = await newWebhook(desk.stage.ctx, desk.receiver.url);
    desk.receiver.answerWith(status(500));
    await reportInvestments(desk.stage.ctx.db);
    await dispatch();
    await reportInvestments(desk.stage.ctx.db);
    await updateWebhook(developer, webhook.id, { active: false });
    expect(await dispatch()).toMatchObject({ attempted: 0, more: false });
    expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ cancelled: 1 });
    await desk.stage.advance(5);
    expect(desk.receiver.received).toHaveLength(1);
    expect((await allDeliveries()).map((row) => row.status)).toEqual(['cancelled', 'cancelled']);
    expect(await reportInvestments(desk.stage.ctx.db)).toBe(0);
  });

  test('because it is deleted has all its waiting deliveries cancelled at once', async () => {
    const { developer, webhook } = await newWebhook(desk.stage.ctx, desk.receiver.url);
    await reportInvestments(desk.stage.ctx.db, 5);
    await deleteWebhook(developer, webhook.id);
    expect((await allDeliveries()).every((row) => row.status === 'cancelled' && row.dueAt === null)).toBe(true);
  });
});
