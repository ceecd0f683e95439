import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { auditEntries } from '#drizzle/schema/access.ts';
import { deliveries } from '#drizzle/schema/events.ts';
import { updateWebhook } from '#lib/webhooks/registry/change-webhook.ts';
import { writeReplays } from '#lib/webhooks/replay/write-replays.ts';
import { TEST_ADMIN_TOKEN, TEST_READ_ONLY_TOKEN } from '#tests/support/env.ts';
import { rowsOf } from '#tests/support/rows.ts';
import * as resendRoute from '../../../app/api/webhooks/[id]/deliveries/[delivery_id]/resend/route.ts';
import * as cancelRoute from '../../../app/api/webhooks/[id]/replays/[replay_id]/cancel/route.ts';
import * as replaysRoute from '../../../app/api/webhooks/[id]/replays/route.ts';
import * as webhooksRoute from '../../../app/api/webhooks/route.ts';
import { call } from './call.ts';
import { dispatching } from './dispatching.ts';
import { openScene, type Scene } from './replay-scene.ts';
import { appendInvestments, asDeveloper } from './stage.ts';

const desk = dispatching({ RATE_LIMIT_SCALE: '1000' });
let scene: Scene;

beforeEach(async () => {
  scene = await openScene(desk.stage, desk.receiver.url);
});

const idOf = ({ body }: { body: Record<string, unknown> }) => String(body.id);

describe('asking for a replay', () => {
  test('by many at once starts one', async () => {
    await scene.past(3, 'failed');
    const answers = await Promise.all(Array.from({ length: 6 }, () => scene.start()));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('cancel it'),
    });
    expect(await rowsOf(desk.stage.ctx.db, 'replays')).toHaveLength(1);
  });

  test.each([
    [{ from: undefined }, 'from'],
    [{ from: 'yesterday' }, 'from'],
    [{ from: '2100-01-01T00:00:00Z' }, 'from'],
    [{ from: '0000-01-01T00:00:00Z' }, 'from'],
    [{ from: '0001-01-01T00:00:00+02:00', dry_run: true }, 'from'],
    [{ from: '9999-12-31T23:59:59-05:00' }, 'from'],
    [{ to: '9999-12-31T23:59:59-05:00' }, 'to'],
    [{ from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'to'],
    [{ selection: 'some' }, 'selection'],
    [{ event_types: [] }, 'event_types'],
    [{ event_types: ['investment.created', 'project.cancelled'] }, 'event_types[1]'],
    [{ dry_run: 'yes' }, 'dry_run'],
  ])('names what is wrong with %j', async (body, field) => {
    await updateWebhook(scene.developer, scene.webhookId, { events: ['investment.created'] });
    expect(await scene.start(body)).toMatchObject({ status: 400, body: { errors: [{ field }] } });
    expect(await rowsOf(desk.stage.ctx.db, 'replays')).toEqual([]);
  });

  test('and sending one again stand in the audit log when administrators do it', async () => {
    const registered = await call(webhooksRoute, 'POST', {
      apiKey: TEST_ADMIN_TOKEN,
      body: { url: desk.receiver.url },
    });
    const id = idOf(registered);
    await scene.past(1, 'failed');
    const [own] = await desk.stage.ctx.db.select().from(deliveries).where(sql`webhook_id = ${id}`);
    const resent = { apiKey: TEST_ADMIN_TOKEN, params: { id, delivery_id: own?.id ?? '' } };
    expect((await call(resendRoute, 'POST', resent)).status).toBe(202);
    const body = { from: '2026-01-01T00:00:00Z' };
    const replay = await call(replaysRoute, 'POST', { apiKey: TEST_ADMIN_TOKEN, params: { id }, body });
    const params = { id, replay_id: idOf(replay) };
    expect((await call(cancelRoute, 'POST', { apiKey: TEST_ADMIN_TOKEN, params })).status).toBe(200);
    expect((await call(cancelRoute, 'POST', { apiKey: TEST_READ_ONLY_TOKEN, params })).status).toBe(403);
    const entries = await desk.stage.ctx.db.select().from(auditEntries).where(sql`subject = ${id}`);
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      'webhook.cancel_replay',
      'webhook.register',
      'webhook.replay',
      'webhook.resend',
    ]);
  });

  test('of an inactive webhook is refused, counting is not', async () => {
    await scene.past(2, 'failed');
    await updateWebhook(scene.developer, scene.webhookId, { active: false });
    expect((await scene.start({ dry_run: true })).body).toMatchObject({ total: 2 });
    expect(await scene.start()).toMatchObject({ status: 409, body: { detail: expect.stringContaining('inactive') } });
  });

  test('that comes while its events are still fanned out waits for none of them', async () => {
    await appendInvestments(desk.stage.ctx.db, 3);
    expect((await scene.start({ dry_run: true })).body).toMatchObject({ total: 0 });
  });

  test('lists them page by page, the newest first', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      ids.push(idOf(await scene.start()));
      await writeReplays(desk.stage.ctx, 0);
    }
    const first = await scene.list('?limit=2');
    const rest = await scene.list(`?limit=2&cursor=${first.body.next_cursor}`);
    const seen = [first, rest].flatMap(({ body }) => body.replays as { id: string }[]).map(({ id }) => id);
    expect(seen).toEqual(ids.toReversed());
  });

  test('counts to one more than it may take on, and starts with no more', async () => {
    await desk.stage.ctx.db.execute(sql`
      insert into events (id, type, body, fanned_out)
      select 'evt_' || n, 'investment.created', '{}', true from generate_series(1, 100500) n`);
    const all = { selection: 'all' };
    expect(await scene.start({ ...all, dry_run: true })).toMatchObject({ status: 200, body: { total: 100_001 } });
    expect(await scene.start(all)).toMatchObject({ status: 400, body: { errors: [{ field: 'from' }] } });
  });

  test('whose count takes too long is told to choose a shorter range', { timeout: 20_000 }, async () => {
    const counted = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holder = desk.stage.ctx.db.transaction(async (tx) => {
      await tx.execute(sql`lock table events in access exclusive mode`);
      locked.resolve();
      await counted.promise;
    });
    await locked.promise;
    const answer = await scene.start({ dry_run: true });
    counted.resolve();
    await holder;
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'from', message: expect.stringContaining('shorter range') }] },
    });
  });

  test('for all takes along an older event that is still to be fanned out', async () => {
    await appendInvestments(desk.stage.ctx.db, 1);
    const later = await openScene(desk.stage, desk.receiver.url);
    expect(await later.start({ selection: 'all' })).toMatchObject({ status: 202, body: { total: 1 } });
    await writeReplays(desk.stage.ctx, desk.stage.ctx.clock.nowMs());
    expect(await later.replayed()).toHaveLength(1);
  });

  test('of another tenant’s webhook is not found, in every route', async () => {
    const started = await scene.start();
    const { apiKey } = await asDeveloper(desk.stage.ctx);
    for (const answer of [
      await scene.start({}, apiKey),
      await scene.start({ dry_run: true }, apiKey),
      await scene.list('', apiKey),
      await scene.read(started.body.id, apiKey),
      await scene.cancel(started.body.id, apiKey),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'webhook_not_found' } });
    }
    const other = await openScene(desk.stage, desk.receiver.url);
    expect(await other.read(started.body.id)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await other.cancel(started.body.id)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await scene.read(started.body.id)).body).toMatchObject({ status: 'running' });
  });
});
