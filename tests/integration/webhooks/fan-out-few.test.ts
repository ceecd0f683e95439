import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deliveries } from '#drizzle/schema/events.ts';
import type { Db } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { FEW, fanOutFew, fanOutSlice, hasEventsToFanOut, type QuickRoom } from '#lib/webhooks/delivery/fan-out.ts';
import { rowsFetched } from '#tests/support/explain.ts';
import { appendInvestments, newWebhook, openStage, reportInvestments, type Stage } from './stage.ts';

let stage: Stage;
let db: Db;
beforeAll(async () => {
  stage = await openStage();
  db = stage.ctx.db;
});
beforeEach(() => stage.reset());
afterAll(() => stage.close());

const URL_OF_ALL = 'http://127.0.0.1:9/hook';
const HOST = '127.0.0.1:9';
const addWebhook = async (url = URL_OF_ALL) => (await newWebhook(stage.ctx, url)).webhook.id;

const roomAt = (ids: readonly string[], others: Partial<QuickRoom> = {}): QuickRoom => ({
  capacity: 320,
  hosts: { ofUnknown: 4, known: new Map([[HOST, 40]]) },
  webhooks: { ofUnknown: 1, known: new Map(ids.map((id) => [id, 40])) },
  quick: new Set(ids),
  ...others,
});

describe('the short statement writes, claims and tells what the long one does', () => {
  const change = (ids: readonly string[], set: SQL) => db.execute(sql`update webhooks set ${set} where id = ${ids[0]}`);
  test.each<[string, (ids: readonly string[]) => Promise<unknown>]>([
    ['for quick receivers', async () => undefined],
    ['where an earlier delivery waits', () => reportInvestments(db)],
    ['for a webhook that fails', (ids) => change(ids, sql`failing_since = now()`)],
    ['for a webhook with a rate limit', (ids) => change(ids, sql`rate_limit = 10`)],
    ['for a paused webhook', (ids) => change(ids, sql`active = false, inactive_since = now()`)],
    ['for a deleted webhook', (ids) => change(ids, sql`active = false, deleted_at = now()`)],
    ['for a webhook of another project', (ids) => change(ids, sql`project_id = 'proj_other'`)],
    ['for a webhook of other events', (ids) => change(ids, sql`events = '{project.sale_ended}'`)],
    ['for a webhook of larger amounts', (ids) => change(ids, sql`min_amount_drops = 1000000000`)],
  ])('%s', async (_what, prepare) => {
    const outcomeOf = async (fanOut: (room: QuickRoom) => Promise<Awaited<ReturnType<typeof fanOutFew>>>) => {
      await stage.reset();
      const ids = [await addWebhook(), await addWebhook(), await addWebhook()];
      const known = (id: string) => ids.indexOf(id);
      await prepare(ids);
      await appendInvestments(db, 3, 'proj_own');
      // The last one is not known to be quick.
      const slice = await fanOut(roomAt(ids.slice(0, 2)));
      const { rows } = await db.execute<{ webhook: string }>(sql`
        select d.webhook_id as webhook, d.status, d.cancel_reason, d.leased_until > now() as claimed, d.due_at <= now() as due,
          dense_rank() over (order by d.event_sequence) as event
        from deliveries d order by d.event_sequence`);
      expect(await hasEventsToFanOut(db)).toBe(false);
      return {
        rows: rows
          .map(({ webhook, ...row }) => ({ ...row, webhook: known(webhook) }))
          .sort((a, b) => a.webhook - b.webhook),
        slice: { ...slice, claimed: slice?.claimed.length, backlog: slice?.backlog.map(known).sort() },
      };
    };
    const few = await outcomeOf((room) => fanOutFew(db, room));
    expect(few).toEqual(await outcomeOf((room) => fanOutSlice(db, 250, room)));
    expect(few.slice.events).toBe(3);
  });
});

test('either statement gives a claimed attempt all that is sent, to the byte', async () => {
  const BODY = `{"of":"\u2028 \\\\ \\" \\u0000 \\n \u00e9 \u{1f600}\t\u007f","as_it_is":1.10e400,"big":123456789012345678901234567890}`;
  const claimedBy = async (fanOut: (room: QuickRoom) => Promise<Awaited<ReturnType<typeof fanOutFew>>>) => {
    await stage.reset();
    const ids = [await addWebhook(), await addWebhook('http://127.0.0.1:9/other?a=%22')];
    await db.execute(sql`update webhooks set sealed_secret = 'of ' || url, next_sealed_secret = 'next', rotated_at = now(),
      sealed_headers = 'headers'`);
    await db.execute(sql`update webhooks set first_success_at = now() where id = ${ids[0]}`);
    await appendInvestments(db, 2);
    await db.execute(sql`update events set body = ${BODY} where sequence = (select max(sequence) from events)`);
    await db.execute(sql`update events set is_test = true where body = ${BODY}`);
    const slice = await fanOut(roomAt(ids));
    const { rows: told } = await db.execute<{ id: string; leased: string }>(
      sql`select d.id, d.leased_until::text as leased from deliveries d`,
    );
    const leases = new Map(told.map(({ id, leased }) => [id, leased]));
    return slice?.claimed.map(({ deliveryId, webhookId, eventId, leasedUntil, tenantId, body, ...attempt }) => {
      expect(tenantId).toMatch(/^ten_/);
      expect(leasedUntil).toBe(leases.get(deliveryId));
      expect(eventId).toMatch(/^evt_/);
      return { ...attempt, to: ids.indexOf(webhookId), body: attempt.isTest ? body : '' };
    });
  };
  const byUrl = (claimed: Awaited<ReturnType<typeof claimedBy>> = []) => claimed.toSorted((a, b) => a.to - b.to);
  const claimed = await claimedBy((room) => fanOutSlice(db, 250, room));
  expect(byUrl(await claimedBy((room) => fanOutFew(db, room)))).toMatchObject(byUrl(claimed));
  expect(claimed?.map(({ isTest }) => isTest)).toEqual([false, false, true, true]);
  expect(claimed?.find(({ isTest, to }) => isTest && to === 1)).toEqual({
    to: 1,
    attempt: 1,
    url: 'http://127.0.0.1:9/other?a=%22',
    host: HOST,
    failing: false,
    untried: true,
    sealedSecret: 'of http://127.0.0.1:9/other?a=%22',
    nextSealedSecret: 'next',
    sealedHeaders: 'headers',
    isTest: true,
    body: BODY,
  });
});

test('what the short statement claims, and of whom it keeps a log, follows the settings of now', async () => {
  const claimedWith = async (settings: Record<string, string>) => {
    applyEnv({ ...stage.settings, ...settings });
    await stage.reset();
    const ids = [await addWebhook(), await addWebhook()];
    await db.execute(
      sql`update webhooks set active = false, inactive_since = now() - interval '20 days' where id = ${ids[1]}`,
    );
    await appendInvestments(db, 1);
    await fanOutFew(db, roomAt(ids));
    const { rows } = await db.execute<{ seconds: number | null }>(sql`
      select extract(epoch from leased_until - now())::float8 as seconds from deliveries order by seconds nulls last`);
    return rows.map(({ seconds }) => seconds && Math.ceil(seconds / 10) * 10);
  };
  expect(await claimedWith({ WEBHOOK_TIMEOUT_MS: '10000', WEBHOOK_RETENTION_DAYS: '30' })).toEqual([30, null]);
  expect(await claimedWith({ WEBHOOK_TIMEOUT_MS: '30000', WEBHOOK_RETENTION_DAYS: '10' })).toEqual([50]);
  applyEnv(stage.settings);
});

describe('the short statement leaves all to the long one', () => {
  const leavesAll = async (room: QuickRoom) => {
    const before = await db.$count(deliveries);
    expect(await fanOutFew(db, room)).toBeNull();
    expect(await db.$count(deliveries)).toBe(before);
    expect(await hasEventsToFanOut(db)).toBe(true);
  };

  test('where more events wait than a few, and takes on as many', async () => {
    const id = await addWebhook();
    await appendInvestments(db, FEW.events + 1);
    await leavesAll(roomAt([id]));
    expect(await fanOutSlice(db, 10, undefined, 1)).toMatchObject({ events: 1 });
    expect(await fanOutFew(db, roomAt([id]))).toMatchObject({ events: FEW.events, isFull: false });
    expect(await hasEventsToFanOut(db)).toBe(false);
  });

  test('where they come to more deliveries than a few, and writes as many', async () => {
    const ids = [];
    for (let n = 0; n < FEW.deliveries / FEW.events; n++) ids.push(await addWebhook());
    await appendInvestments(db, FEW.events);
    const extra = await addWebhook();
    await db.execute(sql`update webhooks set created_at = (select min(created_at) from events) where id = ${extra}`);
    await leavesAll(roomAt(ids));
    await db.execute(sql`update webhooks set active = false, deleted_at = now() where id = ${extra}`);
    expect(await fanOutFew(db, roomAt(ids))).toMatchObject({ deliveries: FEW.deliveries });
  });

  test('where the slice may have no room for all', async () => {
    const id = await addWebhook();
    await appendInvestments(db, 1);
    await leavesAll(roomAt([id], { capacity: FEW.deliveries - 1 }));
  });

  test('where a quick receiver may have no room for all', async () => {
    const id = await addWebhook();
    await appendInvestments(db, 1);
    await leavesAll(roomAt([id], { webhooks: { ofUnknown: 1, known: new Map([[id, FEW.events - 1]]) } }));
  });
});

test('the short statement claims nothing at a host that may have no room for all, or of which the slice knows nothing', async () => {
  const [full, unknown, free] = ['127.0.0.1:19', '127.0.0.1:29', HOST];
  const ids = [];
  for (const host of [full, unknown, free]) ids.push(await addWebhook(`http://${host}/hook`));
  await appendInvestments(db, 1);
  const hosts = new Map([
    [full, FEW.deliveries - 1],
    [free, FEW.deliveries],
  ]);
  const slice = await fanOutFew(db, roomAt(ids, { hosts: { ofUnknown: 4, known: hosts } }));
  expect(slice).toMatchObject({ deliveries: 3, writesForLimited: false });
  expect(slice?.claimed.map(({ host }) => host)).toEqual([free]);
  expect(slice?.backlog.sort()).toEqual(ids.slice(0, 2).sort());
});

test('the short statement goes on with an event that is fanned out in part', async () => {
  const ids = [await addWebhook(), await addWebhook(), await addWebhook()].sort();
  await appendInvestments(db, 1);
  await fanOutSlice(db, 1);
  expect(await hasEventsToFanOut(db)).toBe(true);
  const slice = await fanOutFew(db, roomAt(ids));
  expect(slice?.claimed.map(({ webhookId }) => webhookId).sort()).toEqual(ids.slice(1));
  expect(await db.$count(deliveries)).toBe(3);
  expect(await hasEventsToFanOut(db)).toBe(false);
});

test('statements beside each other give every event its deliveries once, and claim each for one of them', async () => {
  const id = await addWebhook();
  for (let round = 0; round < 20; round++) {
    await appendInvestments(db, FEW.events);
    const both = await Promise.all([fanOutFew(db, roomAt([id])), fanOutFew(db, roomAt([id])), fanOutSlice(db, 250)]);
    const claimed = both.flatMap((slice) => slice?.claimed.map(({ deliveryId }) => deliveryId) ?? []);
    expect(new Set(claimed).size).toBe(claimed.length);
    expect(await db.$count(deliveries)).toBe((round + 1) * FEW.events);
    expect(await hasEventsToFanOut(db)).toBe(false);
    await db.execute(sql`update deliveries set status = 'success', leased_until = null, due_at = null`);
  }
});

test('what is fanned out is looked up by its id, also where that was planned before there was any', async () => {
  const id = await addWebhook();
  const fetched = await rowsFetched(db, 'events', async (tx) => {
    const stream = async () => {
      await appendInvestments(tx, 1);
      expect(await fanOutFew(tx, roomAt([id]))).toMatchObject({ events: 1, deliveries: 1 });
    };
    // A connection keeps a plan for any values after five for the values themselves.
    for (let n = 0; n < 8; n++) await stream();
    await tx.execute(sql`
      insert into events (id, type, body, fanned_out)
      select 'evt_' || n, 'investment.created', '{}', true from generate_series(1, 2000) n`);
    await stream();
  });
  expect(fetched).toBeLessThan(500);
});

test('a look reads none of the events that were fanned out, also where it was planned before there was any', async () => {
  const fetched = await rowsFetched(db, 'events', async (tx) => {
    await hasEventsToFanOut(tx);
    await tx.execute(sql`
      insert into events (id, type, body, fanned_out) select 'evt_' || n, 'investment.created', '{}', n < 2000
      from generate_series(1, 2000) n`);
    expect(await hasEventsToFanOut(tx)).toBe(true);
  });
  expect(fetched).toBeLessThan(10);
});
