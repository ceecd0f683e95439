import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { tenants } from '#drizzle/schema/access.ts';
import { plannedOnce } from '#lib/base/db.ts';
import { fixedStatement } from '#lib/base/fixed-statement.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { hostedDatabase } from './hosted-database.ts';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase({ maxConnections: 2 });
});
afterAll(() => database.close());

const named = () => {
  const build = vi.fn(({ prefix, most }: Record<'prefix' | 'most', unknown>) => {
    return sql`${plannedOnce} select id from ${tenants} where id like ${prefix}::text || '%' order by id limit ${most}::integer`;
  });
  return { build, statement: fixedStatement<{ prefix: string; most: number }>(build) };
};

test('a fixed statement is built once, and gives each time what it is asked for', async () => {
  const { build, statement } = named();
  await database.db.insert(tenants).values(['ten_a1', 'ten_a2', 'ten_b1'].map((id) => ({ id })));
  const ids = async (prefix: string, most: number) =>
    (await statement(database.db, { prefix, most })).map(({ id }) => id);
  expect(await ids('ten_a', 5)).toEqual(['ten_a1', 'ten_a2']);
  expect(await ids('ten_', 1)).toEqual(['ten_a1']);
  expect(await Promise.all([ids('ten_b', 5), ids('ten_c', 5)])).toEqual([['ten_b1'], []]);
  expect(build).toHaveBeenCalledTimes(1);
});

test('a fixed statement of a transaction sees what that has written', async () => {
  const { statement } = named();
  await database.db.transaction(async (tx) => {
    await tx.insert(tenants).values({ id: 'ten_within' });
    expect(await statement(tx, { prefix: 'ten_within', most: 5 })).toEqual([{ id: 'ten_within' }]);
    expect(await statement(database.db, { prefix: 'ten_within', most: 5 })).toEqual([]);
  });
});

test('a fixed statement is the same over the hosted driver', async () => {
  const hosted = await hostedDatabase({ maxConnections: 1 });
  try {
    await hosted.db.insert(tenants).values({ id: 'ten_hosted' });
    expect(await named().statement(hosted.db, { prefix: 'ten_h', most: 5 })).toEqual([{ id: 'ten_hosted' }]);
  } finally {
    await hosted.close();
  }
});
