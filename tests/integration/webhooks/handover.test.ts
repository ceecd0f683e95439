import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveries } from '#drizzle/schema/events.ts';
import { dispatchDeliveries } from '#lib/jobs/dispatch-deliveries.ts';
import { startReceiver } from './receiver.ts';
import { appendInvestments, newWebhook, openStage, type Stage } from './stage.ts';

/** The first ones are answered at once, so that the receiver has all the places it can have. */
const QUICK = 20;
const EVENTS = 60;

let stage: Stage;

beforeAll(async () => {
  // Attempts end by the test's word, not by time.
  stage = await openStage({ WEBHOOK_TIMEOUT_MS: '30000' });
});
afterAll(() => stage.close());

test('a receiver has at most 8 attempts under way in all while a slice takes over from another', async () => {
  let underWay = 0;
  let most = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const slow = await startReceiver((n, response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    const answer = () => {
      underWay -= 1;
      response.writeHead(200).end();
    };
    if (n <= QUICK) answer();
    else void released.then(answer);
  });
  const other = await startReceiver();
  await newWebhook(stage.ctx, slow.url);
  await appendInvestments(stage.ctx.db, EVENTS);
  const deadlineMs = stage.ctx.clock.nowMs() + 10_000;
  const slice = dispatchDeliveries(stage.ctx, deadlineMs);
  await expect.poll(() => underWay, { timeout: 10_000 }).toBe(8);
  stage.ctx.clock.set(deadlineMs);
  const isFree = sql`select from leases where name = 'deliveries' and holder is null`;
  await expect.poll(async () => (await stage.ctx.db.execute(isFree)).rows.length, { timeout: 5_000 }).toBe(1);

  await newWebhook(stage.ctx, other.url);
  await appendInvestments(stage.ctx.db, 3);
  const successor = dispatchDeliveries(stage.ctx, deadlineMs + 10_000);
  await expect.poll(() => other.received.length, { timeout: 10_000 }).toBe(3);
  expect(underWay).toBe(8);
  release();
  await Promise.all([slice, successor]);
  expect(most).toBe(8);
  expect(await stage.ctx.db.$count(deliveries, sql`status = 'success'`)).toBe(EVENTS + 2 * 3);
  await Promise.all([slow.close(), other.close()]);
});
