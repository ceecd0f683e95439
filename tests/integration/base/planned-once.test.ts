import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { plannedOnce } from '#lib/base/db.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { hostedDatabase } from './hosted-database.ts';

let database: FreshDatabase;
beforeEach(async () => {
  // One connection: what it has prepared is there for the next statement.
  database = await freshDatabase({ maxConnections: 1 });
});
afterEach(() => database.close());

const double = async (n: number, db = database.db) =>
  (await db.execute<{ n: number }>(sql`${plannedOnce} select ${n}::integer * 2 as n`)).rows[0]?.n;
const prepared = async () =>
  (
    await database.db.execute<{ calls: number }>(
      sql`select (generic_plans + custom_plans)::integer as calls from pg_prepared_statements`,
    )
  ).rows;

test('a statement that is planned once is prepared by its connection, and others are not', async () => {
  for (const n of [1, 2, 3]) expect(await double(n)).toBe(2 * n);
  await database.db.execute(sql`select ${1}::integer`);
  expect(await prepared()).toEqual([{ calls: 3 }]);
});

test('where the server has lost it, as behind a pooler, it is answered all the same, and planned each time from then on', async () => {
  expect(await double(1)).toBe(2);
  await database.db.execute(sql`deallocate all`);
  expect(await double(2)).toBe(4);
  expect(await double(3)).toBe(6);
  expect(await prepared()).toEqual([]);
});

test('where a transaction has lost it, the whole transaction is run again, and leaves no trace of the first run', async () => {
  await database.db.execute(sql`create table noted (n integer)`);
  const inTransaction = () =>
    database.db.transaction(async (tx) => {
      await tx.execute(sql`insert into noted values (1)`);
      return double(2, tx);
    });
  expect(await inTransaction()).toBe(4);
  await database.db.execute(sql`deallocate all`);
  expect(await inTransaction()).toBe(4);
  expect((await database.db.execute(sql`select from noted`)).rows).toHaveLength(2);
});

test('where its columns have changed, it is answered anew', async () => {
  await database.db.execute(sql`create table changing (n integer)`);
  const read = async () => (await database.db.execute(sql`${plannedOnce} select * from changing`)).fields.length;
  expect(await read()).toBe(1);
  await database.db.execute(sql`alter table changing add column m integer`);
  expect(await read()).toBe(2);
});

test('what else goes wrong with it goes wrong once', async () => {
  await expect(database.db.execute(sql`${plannedOnce} select ${1}::integer / 0`)).rejects.toThrow();
  expect(await double(1)).toBe(2);
  expect(await prepared()).not.toEqual([]);
});

test('a hosted database, which is reached through a pooler, plans it each time', async () => {
  const hosted = await hostedDatabase();
  try {
    expect(await double(1, hosted.db)).toBe(2);
    expect((await hosted.db.execute(sql`select from pg_prepared_statements`)).rows).toEqual([]);
  } finally {
    await hosted.close();
  }
});
