import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fanOutEvents } from '#lib/webhooks/delivery/fan-out.ts';
import { appendInvestments, newWebhook, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

async function rowsKnown(): Promise<number> {
  const { rows } = await stage.ctx.db.execute<{ known: number }>(
    sql`select reltuples::integer as known from pg_class where relname = 'deliveries'`,
  );
  return rows[0]?.known ?? Number.NaN;
}

test('the planner knows of a backlog that came at once before its first attempts are claimed, and is not asked to look for a few', async () => {
  await stage.ctx.db.execute(sql`alter table deliveries set (autovacuum_enabled = off)`);
  await newWebhook(stage.ctx, 'http://127.0.0.1:9/hook');
  await newWebhook(stage.ctx, 'http://127.0.0.1:19/hook');
  const fanOut = () => fanOutEvents(stage.ctx, stage.ctx.clock.nowMs() + 60_000);
  await appendInvestments(stage.ctx.db, 100);
  expect(await fanOut()).toEqual({ deliveries: 200, more: false });
  expect(await rowsKnown()).toBe(-1);
  await appendInvestments(stage.ctx.db, 2_500);
  expect(await fanOut()).toEqual({ deliveries: 5_000, more: false });
  expect(await rowsKnown()).toBe(5_200);
});

test('what was written stands, and is said to be written, when the planner cannot be told', async () => {
  await stage.reset();
  await newWebhook(stage.ctx, 'http://127.0.0.1:9/hook');
  await appendInvestments(stage.ctx.db, 5_000);
  const { db } = stage.ctx;
  let statements = 0;
  const refusing = new Proxy(db, {
    get(target, name, receiver) {
      if (name !== 'execute') return Reflect.get(target, name, receiver);
      return async (query: Parameters<typeof db.execute>[0]) => {
        statements += 1;
        // After the one that writes all of them.
        if (statements === 2) throw new Error('refused');
        return target.execute(query);
      };
    },
  });
  const before = await rowsKnown();
  const fanned = await fanOutEvents({ ...stage.ctx, db: refusing }, stage.ctx.clock.nowMs() + 60_000);
  expect(fanned).toEqual({ deliveries: 5_000, more: false });
  expect(await rowsKnown()).toBe(before);
});
