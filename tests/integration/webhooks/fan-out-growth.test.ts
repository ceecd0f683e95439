import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveries } from '#drizzle/schema/events.ts';
import { fanOutSlice, type QuickRoom } from '#lib/webhooks/delivery/fan-out.ts';
import { explainedDb } from '#tests/support/explain.ts';
import { appendInvestments, newWebhook, openStage, reportInvestments, type Stage } from './stage.ts';

/** Work that grows with the square of the events would be sixteen times as much. */
const TIMES = 4;
const MOST_GROWTH = 6;
/** Events that were fanned out before: the planner takes a waiting one for the exception. */
const EARLIER = 1_000;

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
}

/** Rows that the database handles while one statement fans out events that wait, all of them or so many deliveries. */
async function workFor(events: number, { maxDeliveries = 10_000, isClaimed = false }: Fanning = {}): Promise<number> {
  await stage.reset();
  const { webhook } = await newWebhook(stage.ctx, 'http://127.0.0.1:9/hook');
  await reportInvestments(stage.ctx.db, EARLIER);
  if (isClaimed) await stage.ctx.db.execute(sql`update deliveries set status = 'success', due_at = null`);
  await stage.ctx.db.execute(sql`analyze events, webhooks, deliveries`);
  await appendInvestments(stage.ctx.db, events);
  const explained = explainedDb(stage.ctx.db);
  await fanOutSlice(explained.db, maxDeliveries, isClaimed ? roomAt(webhook.id) : undefined);
  expect(await stage.ctx.db.$count(deliveries)).toBe(EARLIER + Math.min(events, maxDeliveries));
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

test('the work of a slice does not grow with the backlog behind it', async () => {
  const SLICE = 100;
  const few = await workFor(500, { maxDeliveries: SLICE });
  const many = await workFor(500 * TIMES, { maxDeliveries: SLICE });
  expect(many / few).toBeLessThan(1.1);
});
