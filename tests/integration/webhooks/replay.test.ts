import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { deliveries, replays } from '#drizzle/schema/events.ts';
import { dispatchDeliveries } from '#lib/jobs/dispatch-deliveries.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { claimFirstAttempts } from '#lib/webhooks/delivery/claim.ts';
import { deleteWebhook, updateWebhook } from '#lib/webhooks/registry/change-webhook.ts';
import { hasReplaysToWrite, writeReplays } from '#lib/webhooks/replay/write-replays.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { dispatching, ROOMY } from './dispatching.ts';
import { openScene, type Scene } from './replay-scene.ts';
import { reportInvestments } from './stage.ts';

const desk = dispatching({ RATE_LIMIT_SCALE: '1000' });
let scene: Scene;

beforeEach(async () => {
  scene = await openScene(desk.stage, desk.receiver.url);
});

const write = () => writeReplays(desk.stage.ctx, desk.stage.ctx.clock.nowMs());
const { dispatch } = desk;
const idOf = ({ body }: { body: Record<string, unknown> }) => String(body.id);
const sentEvents = () => desk.receiver.received.map(({ headers }) => headers['webhook-id'] ?? '');

describe('a replay', () => {
  test('of what failed sends what nobody got, once, with the same bytes, and nothing else', async () => {
    await scene.past(2, 'success');
    await scene.past(2, 'failed');
    await scene.past(1, 'cancelled');
    await updateWebhook(scene.developer, scene.webhookId, { active: false });
    expect(await reportInvestments(desk.stage.ctx.db, 2)).toBe(0);
    await updateWebhook(scene.developer, scene.webhookId, { active: true });
    expect((await scene.start({ dry_run: true })).body).toEqual({ dry_run: true, total: 5, missed: 2, pruned: 0 });

    const answer = await scene.start();
    expect(answer).toMatchObject({ status: 202, body: { status: 'running', total: 5, written: 0 } });
    expect(await dispatchDeliveries(desk.stage.ctx)).toMatchObject({ success: 5, more: false });
    expect((await scene.read(answer.body.id)).body).toMatchObject({
      status: 'finished',
      written: 5,
      delivered: 5,
      failed: 0,
    });
    const bodies = await desk.stage.ctx.db.execute<{ body: string }>(sql`
      select body from events where id not in (select event_id from deliveries where replay_id is null)
        or id in (select event_id from deliveries where status <> 'success')`);
    expect(desk.receiver.received.map(({ body }) => body).toSorted()).toEqual(
      bodies.rows.map(({ body }) => body).toSorted(),
    );
    expect((await scene.start({ dry_run: true })).body).toMatchObject({ total: 0 });
  });

  test('of all sends what was delivered too, and what is older than the webhook', async () => {
    await scene.past(3, 'success');
    const younger = await openScene(desk.stage, desk.receiver.url);
    expect((await younger.start({ dry_run: true })).body).toMatchObject({ total: 0 });
    expect((await younger.start({ dry_run: true, selection: 'all' })).body).toMatchObject({ total: 3, missed: 3 });
    await scene.start({ selection: 'all' });
    await younger.start({ selection: 'all' });
    expect(await dispatchDeliveries(desk.stage.ctx)).toMatchObject({ success: 6 });
    const originals = await desk.stage.ctx.db
      .select()
      .from(deliveries)
      .where(sql`resend_of is null and replay_id is null`);
    const repeated = (await scene.replayed()).flatMap(({ resendOf }) => resendOf ?? []);
    expect(repeated.toSorted()).toEqual(originals.map(({ id }) => id).toSorted());
  });

  test('leaves out what is not of its time, not of its types, not wanted, a test, gone or on its way', async () => {
    await scene.past(8, 'failed');
    const change = (n: number, set: ReturnType<typeof sql>) =>
      desk.stage.ctx.db.execute(sql`update events set ${set}
        where id = (select id from events order by sequence offset ${n}::integer limit 1)`);
    await change(0, sql`created_at = created_at - interval '2 days'`);
    await change(1, sql`type = 'investment.confirmed'`);
    await change(2, sql`type = 'project.launched'`);
    await change(3, sql`is_test = true`);
    await change(4, sql`pruned_at = now(), body = ''`);
    await desk.stage.ctx.db.execute(sql`update deliveries set status = 'retrying' where event_id =
      (select id from events order by sequence offset 5 limit 1)`);
    await updateWebhook(scene.developer, scene.webhookId, { events: ['investment.created', 'investment.confirmed'] });
    const event_types = ['investment.created'];
    expect((await scene.start({ dry_run: true, event_types })).body).toMatchObject({ total: 2, pruned: 1 });
    await scene.start({ event_types });
    expect(await write()).toBe(2);
    const sequences = await desk.stage.ctx.db.execute<{ sequence: number }>(sql`
      select sequence::integer from events order by sequence offset 6`);
    expect((await scene.replayed()).map(({ eventSequence }) => eventSequence)).toEqual(
      sequences.rows.map(({ sequence }) => sequence),
    );
  });

  test('has at most 100 deliveries unfinished, in the order of the events, and goes on as they end', async () => {
    await scene.past(230, 'failed');
    const { body } = await scene.start();
    const steps = [];
    for (const status of ['success', 'failed', 'success'] as const) {
      steps.push(await write());
      expect(await hasReplaysToWrite(desk.stage.ctx.db)).toBe(false);
      expect(await write()).toBe(0);
      await scene.end(status);
    }
    expect(steps).toEqual([100, 100, 30]);
    expect((await scene.read(body.id)).body).toMatchObject({
      status: 'finished',
      written: 230,
      delivered: 130,
      failed: 100,
      ended_at: expect.any(String),
    });
    const events = (await scene.replayed()).map(({ eventId }) => eventId);
    expect(new Set(events).size).toBe(230);
  });

  test('looks past thousands of delivered events without sending one', async () => {
    await scene.past(2_100, 'success');
    await desk.stage.ctx.db.execute(sql`update deliveries set status = 'failed' where event_sequence =
      (select max(event_sequence) from deliveries)`);
    await scene.start();
    expect(await writeReplays(desk.stage.ctx, desk.stage.ctx.clock.nowMs() + 60_000)).toBe(1);
    expect(await rowsOf(desk.stage.ctx.db, 'replays')).toMatchObject([{ status: 'finished', written: 1 }]);
  });

  test('is written by a slice of deliveries, which wakes the next one while there is more to write', async () => {
    await scene.past(150, 'failed');
    await scene.start();
    expect(await dispatchDeliveries(desk.stage.ctx)).toMatchObject({ success: 100, more: true });
    expect(await dispatchDeliveries(desk.stage.ctx)).toMatchObject({ success: 50, more: false });
    expect(new Set(sentEvents()).size).toBe(150);
  });

  test('is brought further by process-payments too, when no slice of deliveries does it', async () => {
    await scene.past(130, 'failed');
    const { body } = await scene.start();
    await write();
    await scene.end();
    await processPayments(desk.stage.ctx);
    expect((await scene.read(body.id)).body).toMatchObject({ status: 'finished', written: 130, delivered: 100 });
  });

  test('does not hold up live events, though its own are older: it is their turn first, each in the order of the events', async () => {
    await scene.past(20, 'failed');
    await scene.start();
    await write();
    await reportInvestments(desk.stage.ctx.db, 20);
    const pending = (live: boolean) =>
      desk.stage.ctx.db
        .select({ eventId: deliveries.eventId, sequence: deliveries.eventSequence })
        .from(deliveries)
        .where(sql`status = 'pending' and (replay_id is null) = ${live}`)
        .orderBy(deliveries.eventSequence);
    const [live, replayed] = [await pending(true), await pending(false)];
    expect(replayed.at(-1)?.sequence).toBeLessThan(live[0]?.sequence ?? 0);
    const left = { ofUnknown: 3, known: new Map<string, number>() };
    const room = { ...ROOMY, capacity: 3, webhooks: left, hosts: left, afterWebhookId: '' };
    const rounds: string[][] = [];
    while (rounds.flat().length < 40) {
      rounds.push((await claimFirstAttempts(desk.stage.ctx, room)).claimed.map(({ eventId }) => eventId));
    }
    // Within one claim the order is nobody's.
    const inTurn = [...live, ...replayed].map(({ eventId }) => eventId);
    expect(rounds.map((round) => round.toSorted())).toEqual(
      rounds.map((round, n) => inTurn.slice(n * 3, n * 3 + round.length).toSorted()),
    );
  });
});

describe('a replay that is killed', () => {
  test('in a slice or between two loses nothing and doubles nothing, with any number at work', async () => {
    await scene.past(230, 'failed');
    const { body } = await scene.start();
    const dying = {
      ...desk.stage.ctx,
      db: Object.assign(Object.create(desk.stage.ctx.db), {
        transaction: (work: Parameters<typeof desk.stage.ctx.db.transaction>[0]) =>
          desk.stage.ctx.db.transaction(async (tx) => {
            await work(tx);
            await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
          }),
      }),
    };
    let rounds = 0;
    for (; (await scene.read(body.id)).body.status === 'running'; rounds += 1) {
      await expect(writeReplays(dying, 0)).rejects.toThrow();
      await Promise.all([write(), write(), write()]);
      const unfinished = await desk.stage.ctx.db.select().from(deliveries).where(sql`status = 'pending'`);
      expect(unfinished.length).toBeLessThanOrEqual(100);
      await scene.end();
    }
    expect(rounds).toBe(3);
    const events = (await scene.replayed()).map(({ eventId }) => eventId);
    expect([events.length, new Set(events).size]).toEqual([230, 230]);
    expect((await scene.read(body.id)).body).toMatchObject({ written: 230, delivered: 230 });
  });
});

describe('a replay ends as cancelled', () => {
  test('when that is asked for: what it wrote and has not ended is cancelled, nothing more is written', async () => {
    await scene.past(150, 'failed');
    const started = await scene.start();
    await write();
    expect(await scene.cancel(started.body.id)).toMatchObject({
      status: 200,
      body: { status: 'cancelled', written: 100, cancelled: 100 },
    });
    expect(await write()).toBe(0);
    expect(await dispatch()).toMatchObject({ attempted: 0 });
    expect(await scene.cancel(started.body.id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await scene.start()).status).toBe(202);
  });

  test('with its webhook: deleted, switched off by its owner, or by anybody else', async () => {
    for (const end of [
      () => updateWebhook(scene.developer, scene.webhookId, { active: false }),
      async () => {
        await desk.stage.ctx.db.execute(sql`update webhooks set active = false`);
        await write();
      },
      () => deleteWebhook(scene.developer, scene.webhookId),
    ]) {
      await updateWebhook(scene.developer, scene.webhookId, { active: true });
      await scene.past(3, 'failed');
      const started = await scene.start();
      expect(started.status).toBe(202);
      await end();
      const [row] = await desk.stage.ctx.db
        .select()
        .from(replays)
        .where(sql`id = ${idOf(started)}`);
      expect(row).toMatchObject({ status: 'cancelled', endedAt: expect.any(Date) });
      expect(await write()).toBe(0);
    }
  });
});
