import { asc, eq, inArray, sql } from 'drizzle-orm';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deliveries, events } from '#drizzle/schema/events.ts';
import type { Db } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { idPattern } from '#lib/base/ids.ts';
import type { EventType } from '#lib/events/catalogue.ts';
import { confirm } from '#lib/sales/feed/confirm.ts';
import { recognise } from '#lib/sales/feed/recognise.ts';
import { fanOutEvents, fanOutSlice, hasEventsToFanOut } from '#lib/webhooks/delivery/fan-out.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { addRows, changeRows, rowsOf } from '#tests/support/rows.ts';
import { addWebhooks, confirmedAtMs, DEPOSIT, pageOf, paymentEntry, seedSale, XRP } from '#tests/support/sale.ts';
import { appendInvestments } from './stage.ts';

const ROOMY = 10_000;

let database: FreshDatabase;
let db: Db;

beforeAll(() => applyEnv(testEnv()));
beforeEach(async () => {
  database = await freshDatabase({ maxConnections: 10 });
  db = database.db;
  await addRows(db, 'tenants', { id: 'ten_strangers' });
});
afterEach(() => database.close());

/** Webhooks for investments, or as said, named `prefix` and a number. */
async function subscribe(
  count: number,
  {
    prefix = 'wh',
    types = ['investment.created', 'investment.confirmed'] as EventType[],
    projectId = null as string | null,
  } = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, n) => `${prefix}_${String(n).padStart(4, '0')}`);
  await addWebhooks(
    db,
    ids.map((id) => ({ id, tenantId: 'ten_strangers', events: types, projectId })),
  );
  return ids;
}

const fanOut = () => fanOutEvents(testCtx({ db }), Number.POSITIVE_INFINITY);
const webhooksServed = async () =>
  (await db.select({ id: deliveries.webhookId }).from(deliveries).orderBy(asc(deliveries.webhookId))).map(
    ({ id }) => id,
  );

/** Rolled back when it has written all: the function died before its commit. */
const dieIn = (maxDeliveries: number) =>
  db
    .transaction(async (tx) => {
      await fanOutSlice(tx, maxDeliveries);
      throw new Error('died');
    })
    .catch(() => undefined);

test('recognising and confirming write no delivery, however many webhooks want their events', async () => {
  await subscribe(300);
  await seedSale(db);
  const entries = Array.from({ length: 20 }, (_, n) => paymentEntry(101, n, 10n * XRP));
  await recognise(testCtx({ db }), { account: DEPOSIT, afterLedger: 100, page: pageOf(entries, 101) });
  await confirm(testCtx({ db }), { account: DEPOSIT, throughLedger: 101, closedAtMs: null, confirmedAtMs });
  expect(await db.$count(deliveries)).toBe(0);
  const told = await db.$count(events, inArray(events.type, ['investment.created', 'investment.confirmed']));
  expect(told).toBe(40);
  expect(await fanOut()).toEqual({ deliveries: 300 * told, more: false });
});

describe('an event', () => {
  test('reaches every webhook exactly once, with many fanning out at once and some of them dying', async () => {
    const ids = await subscribe(7);
    await appendInvestments(db, 60);
    let written = 0;
    const work = async () => {
      for (let slice = await fanOutSlice(db, 20); slice.events > 0; slice = await fanOutSlice(db, 20)) {
        written += slice.deliveries;
      }
    };
    await Promise.all([work(), dieIn(20), work(), dieIn(7), work(), dieIn(3), work(), dieIn(ROOMY)]);
    // What was in the hands of who died last is found by the next.
    await work();
    expect(written).toBe(60 * 7);
    const pairs = await db.select({ event: deliveries.eventId, webhook: deliveries.webhookId }).from(deliveries);
    expect(new Set(pairs.map(({ event, webhook }) => `${event} ${webhook}`)).size).toBe(60 * 7);
    expect(new Set(pairs.map(({ webhook }) => webhook))).toEqual(new Set(ids));
    expect(await hasEventsToFanOut(db)).toBe(false);
  });

  test('that commits after one with a higher sequence is not passed over', async () => {
    await subscribe(1);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: written, resolve: isWritten } = Promise.withResolvers<void>();
    const late = db.transaction(async (tx) => {
      await appendInvestments(tx, 1);
      isWritten();
      await released;
    });
    await written;
    await appendInvestments(db, 1);
    expect(await fanOut()).toEqual({ deliveries: 1, more: false });
    release();
    await late;
    expect(await fanOut()).toEqual({ deliveries: 1, more: false });
  });

  test('of which one webhook has its delivery already gets the others, and no second', async () => {
    await subscribe(3);
    await appendInvestments(db, 1);
    await fanOut();
    await changeRows(db, 'events', {}, { fannedOut: false });
    await subscribe(1, { prefix: 'wh_late' });
    await changeRows(db, 'webhooks', {}, { createdAt: sql`now() - interval '1 day'` });
    expect(await fanOut()).toEqual({ deliveries: 1, more: false });
    expect(await db.$count(deliveries)).toBe(4);
  });

  test('is given to all others where one of its deliveries has the id of another event’s', async () => {
    await subscribe(3);
    await appendInvestments(db, 2);
    await fanOut();
    const [first, second] = await db.select({ id: events.id }).from(events).orderBy(asc(events.sequence));
    if (first === undefined || second === undefined) throw new Error('There are two events');
    const [own] = await db.select({ id: deliveries.id }).from(deliveries).where(eq(deliveries.eventId, second.id));
    await db.delete(deliveries).where(eq(deliveries.eventId, second.id));
    const [other] = await db.select({ id: deliveries.id }).from(deliveries);
    await changeRows(db, 'deliveries', { id: other?.id ?? '' }, { id: own?.id ?? '' });
    await changeRows(db, 'events', { id: second.id }, { fannedOut: false });
    expect(await fanOut()).toEqual({ deliveries: 2, more: false });
    expect(await db.$count(deliveries)).toBe(5);
  });

  test('is left to the next run when the time is up', async () => {
    await subscribe(1);
    await appendInvestments(db, 1);
    expect(await fanOutEvents(testCtx({ db }), 0)).toEqual({ deliveries: 1, more: true });
    expect(await fanOutEvents(testCtx({ db }), 0)).toEqual({ deliveries: 0, more: false });
  });

  test('has deliveries whose ids stand behind those of every minute before', async () => {
    await subscribe(20);
    await appendInvestments(db, 10);
    const made = sql<number>`floor(extract(epoch from ${events.createdAt}) / 60)`;
    await changeRows(db, 'events', {}, { createdAt: sql`created_at + interval '1 minute' * ${events.sequence}` });
    await fanOut();
    const written = await db
      .select({ id: deliveries.id, minute: made.mapWith(Number) })
      .from(deliveries)
      .innerJoin(events, eq(events.id, deliveries.eventId));
    expect(written).toHaveLength(200);
    for (const { id, minute } of written) {
      expect(id).toMatch(idPattern('del'));
      expect(Number.parseInt(id.slice(4, 11), 16)).toBe(minute);
    }
    expect(new Set(written.map(({ id }) => id.slice(11))).size).toBe(200);
  });

  test('that nobody wants is done too', async () => {
    await subscribe(5, { types: ['project.sale_ended'] });
    await appendInvestments(db, 3);
    expect(await fanOut()).toEqual({ deliveries: 0, more: false });
    expect(await hasEventsToFanOut(db)).toBe(false);
  });
});

describe('events with more deliveries than a slice takes on take turns', () => {
  const BACKLOG = 60;
  /** Sequences of the events of the backlog, oldest first, and of what was written after it. */
  const sequences = async () => {
    const rows = await db.select({ sequence: events.sequence }).from(events).orderBy(asc(events.sequence));
    const all = rows.map(({ sequence }) => sequence);
    return { backlog: all.slice(0, BACKLOG), later: all.slice(BACKLOG) };
  };
  const fannedOut = async () => {
    const rows = await db.select().from(events).where(sql`fanned_out`).orderBy(asc(events.sequence));
    return rows.map(({ sequence }) => sequence);
  };

  test('so one waits for no backlog of another project', async () => {
    await subscribe(2);
    await appendInvestments(db, BACKLOG, 'proj_launch');
    await appendInvestments(db, 1, 'proj_other');
    await appendInvestments(db, 1);
    await fanOutSlice(db, 10);
    const { backlog, later } = await sequences();
    expect(await fannedOut()).toEqual([...backlog.slice(0, 3), ...later]);
    await fanOutSlice(db, 10);
    expect(await fannedOut()).toEqual([...backlog.slice(0, 8), ...later]);
  });

  test('so one waits for no backlog of another type', async () => {
    await subscribe(2);
    await appendInvestments(db, BACKLOG, 'proj_launch');
    await appendInvestments(db, 1, 'proj_launch');
    const { backlog, later } = await sequences();
    await db.execute(sql`update events set type = 'investment.confirmed' where sequence = ${later[0]}`);
    await fanOutSlice(db, 10);
    expect(await fannedOut()).toEqual([...backlog.slice(0, 4), ...later]);
  });

  test('by halves where two projects have a backlog, each in the order of its events', async () => {
    await subscribe(1);
    await appendInvestments(db, BACKLOG, 'proj_launch');
    await appendInvestments(db, BACKLOG, 'proj_other');
    await fanOutSlice(db, 10);
    const { backlog, later } = await sequences();
    expect(await fannedOut()).toEqual([...backlog.slice(0, 5), ...later.slice(0, 5)]);
  });

  test.each([
    [1, 1],
    [4, 3],
  ])(
    'so an event is soon among them behind the backlogs of %i projects, where a slice takes %i on',
    async (projects, taken) => {
      await subscribe(1);
      for (let n = 0; n < projects; n++) await appendInvestments(db, BACKLOG * 2, `proj_launch_${n}`);
      await appendInvestments(db, 1, 'proj_other');
      // It is left out of a slice with a probability of one half.
      for (let slices = 1; slices <= 30; slices++) await fanOutSlice(db, 10_000, undefined, taken);
      const [other] = await db.select().from(events).where(sql`project_id = 'proj_other'`);
      expect(other?.fannedOut).toBe(true);
    },
  );

  test('and the oldest is always among them, however many projects wait', async () => {
    await subscribe(1);
    await appendInvestments(db, 200);
    await db.execute(sql`update events set project_id = 'proj_' || (1000 - sequence)`);
    for (let slices = 1; slices <= 20; slices++) {
      const [oldest] = await db.select().from(events).where(sql`not fanned_out`).orderBy(asc(events.sequence)).limit(1);
      expect(await fanOutSlice(db, 10)).toMatchObject({ events: 10, deliveries: 10, isFull: true });
      expect(await fannedOut()).toContain(oldest?.sequence);
    }
    expect(await hasEventsToFanOut(db)).toBe(false);
  });
});

describe('a webhook', () => {
  test('that was made after the event gets nothing', async () => {
    await subscribe(1, { prefix: 'wh_before' });
    await appendInvestments(db, 1);
    await subscribe(1, { prefix: 'wh_after' });
    await fanOut();
    expect(await webhooksServed()).toEqual(['wh_before_0000']);
  });

  test('that was made while the event’s transaction waited for its locks gets it', async () => {
    await db.transaction(async (tx) => {
      await tx.execute(sql`select now()`);
      await subscribe(1);
      await appendInvestments(tx, 1);
    });
    await fanOut();
    expect(await webhooksServed()).toEqual(['wh_0000']);
  });

  test('that was deleted before the fan-out gets nothing, and one that was made inactive is sent nothing', async () => {
    const [deleted = '', inactive = ''] = await subscribe(3);
    await appendInvestments(db, 2);
    await changeRows(db, 'webhooks', { id: deleted }, { active: false, deletedAt: sql`now()` });
    await changeRows(db, 'webhooks', { id: inactive }, { active: false, inactiveSince: sql`now()` });
    expect(await fanOut()).toEqual({ deliveries: 2, more: false });
    const sent = await rowsOf(db, 'deliveries', { status: 'pending' });
    expect(sent.map(({ webhookId }) => webhookId)).toEqual(['wh_0002', 'wh_0002']);
    const missed = await rowsOf(db, 'deliveries', { status: 'cancelled' });
    expect(missed.map(({ webhookId, dueAt }) => [webhookId, dueAt])).toEqual([
      ['wh_0001', null],
      ['wh_0001', null],
    ]);
    expect(await hasEventsToFanOut(db)).toBe(false);
  });

  test('gets only what it subscribes to, and of its project only when it names one', async () => {
    await subscribe(1, { prefix: 'wh_all' });
    await subscribe(1, { prefix: 'wh_other_type', types: ['project.sale_ended'] });
    await subscribe(1, { prefix: 'wh_other_project', projectId: 'proj_other' });
    await subscribe(1, { prefix: 'wh_project', projectId: 'proj_it' });
    await appendInvestments(db, 1);
    await changeRows(db, 'events', {}, { projectId: 'proj_it' });
    await fanOut();
    expect(await webhooksServed()).toEqual(['wh_all_0000', 'wh_project_0000']);
  });
});

describe('an event with more webhooks than a slice takes on', () => {
  test.each([9, 10, 11, 25])('is split: %i webhooks in slices of ten', async (count) => {
    const ids = await subscribe(count);
    await appendInvestments(db, 2);
    const slices: number[] = [];
    for (let slice = await fanOutSlice(db, 10); slice.events > 0; slice = await fanOutSlice(db, 10)) {
      slices.push(slice.deliveries);
    }
    expect(Math.max(...slices)).toBeLessThanOrEqual(10);
    expect(await webhooksServed()).toEqual(ids.flatMap((id) => [id, id]));
    expect(await hasEventsToFanOut(db)).toBe(false);
  });

  test('goes on where it stopped, also after a slice that died and beside others', async () => {
    const ids = await subscribe(25);
    await appendInvestments(db, 3);
    expect(await fanOutSlice(db, 10)).toEqual({
      events: 1,
      deliveries: 10,
      isFull: true,
      claimed: [],
      backlog: expect.any(Array),
      writesForLimited: false,
    });
    await dieIn(10);
    expect(await fanOutSlice(db, 10)).toEqual({
      events: 1,
      deliveries: 10,
      isFull: true,
      claimed: [],
      backlog: expect.any(Array),
      writesForLimited: false,
    });
    expect(await webhooksServed()).toEqual(ids.slice(0, 20));
    const work = async () => {
      while ((await fanOutSlice(db, 10)).events > 0);
    };
    await Promise.all([work(), work(), dieIn(10), work()]);
    await work();
    expect(await webhooksServed()).toEqual(ids.flatMap((id) => [id, id, id]));
  });
});
