import { eq, inArray, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deliveries, webhooks } from '#drizzle/schema/events.ts';
import { type Database, openDatabase } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { seal } from '#lib/base/secretbox.ts';
import { claimRetry } from '#lib/webhooks/delivery/attempt-delivery.ts';
import { sweepDeliveries } from '#lib/webhooks/delivery/sweep.ts';
import { resendDelivery } from '#lib/webhooks/log/resend-delivery.ts';
import { updateWebhook } from '#lib/webhooks/registry/change-webhook.ts';
import { type TestCtx, testCtx } from '#tests/support/ctx.ts';
import { addRows, changeRows, rowsOf } from '#tests/support/rows.ts';
import { dispatching } from './dispatching.ts';
import { status } from './receiver.ts';
import { newWebhook, reportInvestments } from './stage.ts';

const desk = dispatching();

/** Of one tenant, and those more that it may have at hosts where it has none. */
const OF_TENANT = 8;
const AT_OTHER_HOSTS = 4;
const OF_UNTRIED = 16;
const OF_TRIED = 32;

/** Its own connections, as another process would have. */
let other: Database;
beforeEach(async () => {
  other = await openDatabase(desk.stage.database.url, 10);
});
afterEach(() => other.close());

/** Registers a new tenant's webhooks at so many hosts, each with so many retries that are due. Gives the retries' ids. */
async function tenantInRetry({ hosts = 1, each = 1, tried = true } = {}): Promise<string[]> {
  const { ctx } = desk.stage;
  const { webhook } = await newWebhook(ctx, desk.receiver.url);
  const [row] = await rowsOf(ctx.db, 'webhooks', { id: webhook.id });
  if (row === undefined) throw new Error('It was registered');
  const more = Array.from({ length: hosts - 1 }, (_, n) => {
    const id = newId('wh', ctx.random);
    const host = `host-${n}.example.com`;
    return { ...row, id, host, url: `https://${host}/`, sealedSecret: seal(webhook.secret, id, ctx.random) };
  });
  if (more.length > 0) await addRows(ctx.db, 'webhooks', more);
  const ids = [webhook.id, ...more.map(({ id }) => id)];
  await ctx.db
    .update(webhooks)
    .set({ failingSince: sql`now()`, firstSuccessAt: tried ? sql`now()` : null })
    .where(inArray(webhooks.id, ids));
  await reportInvestments(ctx.db, each);
  const retries = await ctx.db
    .update(deliveries)
    .set({ status: 'retrying', nextAttempt: 2 })
    .where(inArray(deliveries.webhookId, ids))
    .returning({ id: deliveries.id });
  // The others’ webhooks are not to get the next tenant’s events.
  await ctx.db
    .update(webhooks)
    .set({ events: ['project.launched'] })
    .where(inArray(webhooks.id, ids));
  return retries.map(({ id }) => id);
}

/** Claims all of them at once, by turns in two processes. Gives how many were claimed. */
async function claimAll(ids: readonly string[]): Promise<number> {
  const processes: TestCtx[] = [desk.stage.ctx, testCtx({ db: other.db })];
  const answers = await Promise.all(ids.map((id, n) => claimRetry(processes[n % 2] as TestCtx, id, 2)));
  return answers.filter((answer) => answer !== null && answer !== 'no_room').length;
}

describe('retries that are under way over all processes', () => {
  test('are twelve at most of one tenant whose 200 receivers hang, and another tenant’s begins at once', async () => {
    const hanging = await tenantInRetry({ hosts: 200 });
    expect(await claimAll(hanging)).toBe(OF_TENANT + AT_OTHER_HOSTS);
    expect(await claimAll(await tenantInRetry())).toBe(1);
  });

  test('are eight at most of one tenant at one host, and four more at other hosts of the same tenant', async () => {
    const retries = await tenantInRetry({ hosts: 6, each: 20 });
    const ofHost = async (webhookIds: 'first' | 'others') => {
      const [first] = await desk.stage.ctx.db
        .select({ id: webhooks.id })
        .from(webhooks)
        .where(eq(webhooks.url, desk.receiver.url));
      const rows = await desk.stage.ctx.db.select().from(deliveries).where(inArray(deliveries.id, retries));
      return rows.filter(({ webhookId }) => (webhookId === first?.id) === (webhookIds === 'first')).map(({ id }) => id);
    };
    expect(await claimAll(await ofHost('first'))).toBe(OF_TENANT);
    expect(await claimAll(await ofHost('others'))).toBe(AT_OTHER_HOSTS);
  });

  test('at receivers that have never taken an event leave all places of the others free', async () => {
    for (let tenants = 0; tenants < 20; tenants += 1) await claimAll(await tenantInRetry({ each: 10, tried: false }));
    let tried = 0;
    for (let tenants = 0; tenants < OF_TRIED / OF_TENANT; tenants += 1)
      tried += await claimAll(await tenantInRetry({ each: OF_TENANT }));
    expect(tried).toBe(OF_TRIED);
  });

  test.each([
    { kind: 'have taken events', tried: true, most: OF_TRIED },
    { kind: 'have never taken an event', tried: false, most: OF_UNTRIED },
  ])(
    'fill the places of receivers that $kind, and a tenant that comes later still gets an equal share',
    async ({ tried, most }) => {
      const tenants = most / OF_TENANT;
      for (let n = 0; n < tenants; n += 1)
        expect(await claimAll(await tenantInRetry({ each: 20, tried }))).toBe(OF_TENANT);
      expect(await claimAll(await tenantInRetry({ each: 20, tried }))).toBe(Math.floor(most / (tenants + 1)));
    },
  );

  test('hold their places no longer than an attempt can take: whose function died loses them before its claim runs out', async () => {
    const retries = await tenantInRetry({ hosts: 30 });
    expect(await claimAll(retries)).toBe(OF_TENANT + AT_OTHER_HOSTS);
    expect(await claimAll(retries)).toBe(0);
    const longestS = env().WEBHOOK_TIMEOUT_MS / 1000 + 3;
    await desk.stage.ctx.db.execute(
      sql`update deliveries set leased_until = leased_until - make_interval(secs => ${longestS}) where leased_until is not null`,
    );
    const { rows } = await desk.stage.ctx.db.execute(sql`select from deliveries where leased_until < now()`);
    expect(rows).toHaveLength(0);
    expect(await claimAll(retries)).toBe(OF_TENANT + AT_OTHER_HOSTS);
  });

  test('do not wait for long for a process that is frozen in the middle of a claim', async () => {
    const [frozen = '', next = ''] = await tenantInRetry({ each: 2 });
    const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>();
    const { promise: isFrozen, resolve: freeze } = Promise.withResolvers<void>();
    const holds = (tx: TestCtx['db']) =>
      new Proxy(tx, {
        get: (target, name) => {
          if (name !== 'execute') return Reflect.get(target, name);
          return async (query: Parameters<typeof tx.execute>[0]) => {
            const isLocked = await target.execute<{ held: boolean }>(
              sql`select exists (select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as held`,
            );
            if (isLocked.rows[0]?.held) {
              freeze();
              await thawed;
            }
            return target.execute(query);
          };
        },
      });
    const db = new Proxy(other.db, {
      get: (target, name) => {
        if (name !== 'transaction') return Reflect.get(target, name);
        return (work: (tx: TestCtx['db']) => Promise<unknown>) => target.transaction((tx) => work(holds(tx)));
      },
    });
    const claim = claimRetry(testCtx({ db }), frozen, 2).catch(() => 'given up');
    await isFrozen;
    expect(await claimRetry(desk.stage.ctx, next, 2)).toMatchObject({ deliveryId: next });
    thaw();
    expect(await claim).toBe('given up');
  });

  test('count for their tenant although their webhooks were deleted', async () => {
    const hanging = await tenantInRetry({ hosts: 30 });
    await claimAll(hanging);
    await desk.stage.ctx.db.execute(sql`update webhooks set active = false, deleted_at = now()`);
    await desk.stage.ctx.db.execute(sql`update deliveries set status = 'cancelled', due_at = null`);
    const [tenant] = await desk.stage.ctx.db.select({ id: webhooks.tenantId }).from(webhooks);
    const retries = await tenantInRetry({ hosts: 30 });
    await changeRows(desk.stage.ctx.db, 'webhooks', {}, { tenantId: tenant?.id ?? '' });
    expect(await claimAll(retries)).toBe(0);
  });
});

describe('a retry for which its tenant has no room', () => {
  /** One retry of a tenant that has all the room it may have under way. */
  async function crowdedOut() {
    const { ctx } = desk.stage;
    desk.receiver.answerWith(status(500));
    const { developer, webhook } = await newWebhook(ctx, desk.receiver.url);
    await reportInvestments(ctx.db);
    await desk.dispatch();
    const [delivery] = await desk.allDeliveries();
    if (delivery === undefined) throw new Error('It was written');
    const others = await tenantInRetry({ hosts: 30 });
    await claimAll(others);
    await ctx.db.execute(
      sql`update webhooks set tenant_id = (select tenant_id from webhooks where id = ${webhook.id})`,
    );
    const free = () =>
      ctx.db.execute(
        sql`update deliveries set leased_until = null, status = 'cancelled' where leased_until is not null`,
      );
    const read = async () => (await desk.allDeliveries()).find(({ id }) => id === delivery.id);
    return { developer, webhook, delivery, free, read };
  }
  /** What comes of the callbacks meanwhile; those that an earlier test left are called back beside them. */
  async function answersTo(callbacks: () => Promise<void>) {
    const before = desk.stage.answers.length;
    await callbacks();
    return desk.stage.answers.slice(before);
  }

  test('is no attempt, comes back 30 to 60 seconds later, and then is made under the same number', async () => {
    const { free, read } = await crowdedOut();
    const answers = await answersTo(() => desk.stage.advance(5));
    expect(answers).toContainEqual({ status: 200, body: { outcome: 'postponed' } });
    expect(await read()).toMatchObject({ status: 'retrying', nextAttempt: 2, leasedUntil: null });
    expect(await desk.allAttempts()).toHaveLength(1);
    expect(desk.receiver.received).toHaveLength(1);
    const [message, ...more] = await desk.stage.waiting();
    expect(more).toEqual([]);
    expect(message?.delaySeconds).toBeGreaterThanOrEqual(30);
    expect(message?.delaySeconds).toBeLessThanOrEqual(60);
    const dueInMs = ((await read())?.dueAt?.getTime() ?? 0) - Date.now();
    expect(Math.abs(dueInMs / 1000 - (message?.delaySeconds ?? 0))).toBeLessThan(20);
    await free();
    await desk.stage.advance(60);
    expect(desk.receiver.received).toHaveLength(2);
    expect((await desk.allAttempts()).map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(await desk.stage.waiting()).toMatchObject([{ delaySeconds: 25 }]);
  });

  test('comes back less and less often while there is none, and never less often than every 32 minutes', async () => {
    const { read } = await crowdedOut();
    await desk.stage.advance(5);
    for (const most of [60, 120, 240, 480, 960, 1920, 1920]) {
      const [message, ...more] = await desk.stage.waiting();
      expect(more).toEqual([]);
      expect(message?.delaySeconds).toBeGreaterThanOrEqual(most / 2);
      expect(message?.delaySeconds).toBeLessThanOrEqual(most);
      // The places are held by word, whatever time it is.
      await desk.stage.ctx.db.execute(
        sql`update deliveries set leased_until = now() + interval '21 seconds' where leased_until is not null`,
      );
      await desk.stage.advance(most);
    }
    expect(await read()).toMatchObject({ status: 'retrying', nextAttempt: 2 });
    expect(desk.receiver.received).toHaveLength(1);
  });

  test('that is called back twice comes back once', async () => {
    await crowdedOut();
    const [message] = await desk.stage.waiting();
    const again = { path: '/api/queue/deliver' as const, body: JSON.parse(message?.body ?? '{}') };
    await desk.stage.ctx.queue.publish([again, again, again]);
    await desk.stage.advance(5);
    expect(await desk.stage.waiting()).toHaveLength(1);
  });

  test.each(['refuse', 'down'] as const)(
    'is published by the next sweep when the queue does not take it (%s)',
    async (kind) => {
      const { free, read } = await crowdedOut();
      desk.stage.queueFaults.inject({ kind });
      await desk.stage.advance(5);
      expect(await read()).toMatchObject({ status: 'retrying', sweeps: -1 });
      desk.stage.queueFaults.clear();
      await free();
      expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ republished: 1 });
      await desk.stage.advance(60);
      expect(desk.receiver.received).toHaveLength(2);
    },
  );

  test('is found by the sweep when its function died before it was published, however often it was put off', async () => {
    const { delivery, free } = await crowdedOut();
    await free();
    await desk.stage.ctx.db.execute(
      sql`update deliveries set due_at = now() - interval '12 hours', sweeps = 5000 where id = ${delivery.id}`,
    );
    expect(await sweepDeliveries(desk.stage.ctx)).toMatchObject({ republished: 1 });
  });

  test('has not ended: it is not sent again by hand, and is cancelled when its webhook is paused meanwhile', async () => {
    const { developer, webhook, delivery, read } = await crowdedOut();
    await desk.stage.advance(5);
    await expect(resendDelivery(developer, webhook.id, delivery.id)).rejects.toMatchObject({ code: 'conflict' });
    await updateWebhook(developer, webhook.id, { active: false });
    const answers = await answersTo(() => desk.stage.advance(60));
    expect(answers).toContainEqual({ status: 200, body: { outcome: 'cancelled' } });
    expect(await read()).toMatchObject({ status: 'cancelled', cancelReason: 'webhook_paused', nextAttempt: 2 });
    expect(await desk.stage.waiting()).toEqual([]);
  });
});
