import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveries } from '#drizzle/schema/events.ts';
import { fanOutSlice, hasEventsToFanOut, type QuickRoom } from '#lib/webhooks/delivery/fan-out.ts';
import { explainedDb, rowsFetched } from '#tests/support/explain.ts';
import { appendInvestments, newWebhook, openStage, reportInvestments, type Stage } from './stage.ts';

/** Work that grows with the square of the events would be sixteen times as much. */
const TIMES = 4;
const MOST_GROWTH = 6;
/** Events that were fanned out before: the planner takes a waiting one for the exception. */
const EARLIER = 1_000;

const PROJECT = 'proj_only';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const ROOMY = { ofUnknown: 10_000, known: new Map() };
/** A slice has room for all that a webhook gets. */
const roomAt = (id: string): QuickRoom => ({
  capacity: 10_000,
  hosts: ROOMY,
  webhooks: { ofUnknown: 1, known: new Map([[id, 10_000]]) },
  quick: new Set([id]),
});

interface Fanning {
  maxDeliveries?: number;
  /** What is written is claimed as it is. */
  isClaimed?: boolean;
  /** Nearly all events that there are wait, all of one project, and the planner knows it. */
  isAnalysed?: boolean;
}

/** Rows that the database handles while one statement fans out events that wait, all of them or so many deliveries. */
async function workFor(
  events: number,
  { maxDeliveries = 10_000, isClaimed = false, isAnalysed = false }: Fanning = {},
): Promise<number> {
  await stage.reset();
  const { webhook } = await newWebhook(stage.ctx, 'http://127.0.0.1:9/hook');
  const earlier = isAnalysed ? 1 : EARLIER;
  await reportInvestments(stage.ctx.db, earlier, PROJECT);
  if (isClaimed) await stage.ctx.db.execute(sql`update deliveries set status = 'success', due_at = null`);
  await stage.ctx.db.execute(sql`analyze events, webhooks, deliveries`);
  await appendInvestments(stage.ctx.db, events, PROJECT);
  if (isAnalysed) await stage.ctx.db.execute(sql`analyze events`);
  const explained = explainedDb(stage.ctx.db);
  // Under EXPLAIN it writes, and gives no row.
  await expect(fanOutSlice(explained.db, maxDeliveries, isClaimed ? roomAt(webhook.id) : undefined)).rejects.toThrow(
    'one row',
  );
  expect(await stage.ctx.db.$count(deliveries)).toBe(earlier + Math.min(events, maxDeliveries));
  return explained.rowsHandled();
}

test('the work of fanning out grows with the events of one transaction, not with their square', async () => {
  const few = await workFor(500);
  const many = await workFor(500 * TIMES);
  expect(many / few).toBeLessThan(MOST_GROWTH);
});

test('nor does that of claiming them as they are written', async () => {
  const few = await workFor(200, { isClaimed: true });
  const many = await workFor(200 * TIMES, { isClaimed: true });
  const { rows } = await stage.ctx.db.execute(sql`select from deliveries where leased_until is not null`);
  expect(rows).toHaveLength(200 * TIMES);
  expect(many / few).toBeLessThan(MOST_GROWTH);
});

test.each([
  ['', {}],
  [', and the planner knows of that', { isAnalysed: true }],
])('the work of a slice does not grow with the backlog behind it%s', async (_known, options) => {
  const SLICE = 100;
  const few = await workFor(500, { maxDeliveries: SLICE, ...options });
  const many = await workFor(500 * TIMES, { maxDeliveries: SLICE, ...options });
  expect(many / few).toBeLessThan(1.1);
});

test('nor does that of asking whether events wait', async () => {
  const askedWith = async (events: number) => {
    await workFor(events, { maxDeliveries: 100, isAnalysed: true });
    return rowsFetched(stage.ctx.db, 'events', hasEventsToFanOut);
  };
  expect(await askedWith(500)).toBe(await askedWith(500 * TIMES));
});
