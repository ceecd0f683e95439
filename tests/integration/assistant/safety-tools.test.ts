import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Tool } from '#lib/assistant/answerer.ts';
import { runTool } from '#lib/assistant/run-tool.ts';
import { applyEnv } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { seedSale } from '#tests/support/sale.ts';

let database: FreshDatabase;
beforeAll(async () => {
  applyEnv(testEnv());
  database = await freshDatabase();
  await seedSale(database.db);
});
afterAll(() => database?.close());

const toolThat = (run: (ctx: Ctx) => Promise<unknown>): Tool => ({
  name: 'test',
  description: 'A tool of this test',
  input: z.strictObject({}),
  run: async (ctx) => ({ data: await run(ctx), sources: [] }),
});
const running = (run: (ctx: Ctx) => Promise<unknown>) => runTool(testCtx({ db: database.db }), toolThat(run), {});

test('a tool reads', async () => {
  const { data } = await running(
    async ({ db }) => (await db.execute(sql`select count(*)::int as n from projects`)).rows,
  );
  expect(data).toEqual([{ n: 1 }]);
});

test('a tool acts for nobody, whoever asked', async () => {
  expect((await running(async ({ actor }) => actor)).data).toEqual({ kind: 'anonymous' });
});

test('a tool that would write is refused by the database itself', async () => {
  for (const statement of [
    sql`update projects set name = 'Mine'`,
    sql`delete from tiers`,
    sql`create table mine (a int)`,
    sql`set transaction read write`,
  ]) {
    await expect(running(({ db }) => db.execute(statement))).rejects.toThrow();
  }
  await expect(running(({ db }) => db.transaction((tx) => tx.execute(sql`delete from tiers`)))).rejects.toThrow();
  const { data } = await running(async ({ db }) => (await db.execute(sql`select count(*)::int as n from tiers`)).rows);
  expect(data).toEqual([{ n: 2 }]);
});

test('a tool sends nothing: no message, no transaction', async () => {
  const message = { path: '/api/queue/continue', body: {} } as const;
  await expect(running(({ queue }) => queue.publish([message]))).rejects.toThrow(/change something/);
  await expect(running(({ ledger }) => ledger.submit('12'))).rejects.toThrow(/change something/);
});

test('few run at a time, the others wait their turn, and a failure frees its place', async () => {
  const full = Promise.withResolvers<void>();
  let [now, most] = [0, 0];
  const failing = async () => {
    now += 1;
    most = Math.max(most, now);
    if (now === 3) full.resolve();
    await full.promise;
    now -= 1;
    throw new Error('failed');
  };
  const all = await Promise.allSettled(Array.from({ length: 12 }, () => running(failing)));
  expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(12);
  expect(most).toBe(3);
  expect((await running(async () => 'on')).data).toBe('on');
});
