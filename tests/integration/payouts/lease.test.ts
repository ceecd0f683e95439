import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leases } from '#drizzle/schema/jobs.ts';
import { acquireLease, releaseLease, renewLease } from '#lib/base/lease.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database.ts';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase({ maxConnections: 10 });
});
afterAll(() => database.close());

const expire = (name: string) =>
  database.db.execute(sql`update ${leases} set leased_until = now() - interval '1 second' where name = ${name}`);

test('of many who ask for a lease at once exactly one gets it', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => acquireLease(database.db, 'race', `h${i}`, 30)),
  );
  expect(answers.filter(Boolean)).toHaveLength(1);
});

test('a lease can be taken again by its holder, by another only after it was refunded or ran out', async () => {
  const { db } = database;
  expect(await acquireLease(db, 'work', 'a', 30)).toBe(true);
  expect(await acquireLease(db, 'work', 'a', 30)).toBe(true);
  expect(await acquireLease(db, 'work', 'b', 30)).toBe(false);
  await releaseLease(db, 'work', 'b');
  expect(await acquireLease(db, 'work', 'b', 30)).toBe(false);
  await releaseLease(db, 'work', 'a');
  expect(await acquireLease(db, 'work', 'b', 30)).toBe(true);
  await expire('work');
  expect(await acquireLease(db, 'work', 'c', 30)).toBe(true);
});

test('who has lost a lease cannot renew it', async () => {
  const { db } = database;
  expect(await acquireLease(db, 'renew', 'a', 30)).toBe(true);
  expect(await renewLease(db, 'renew', 'a', 30)).toBe(true);
  await expire('renew');
  expect(await renewLease(db, 'renew', 'a', 30)).toBe(false);
  expect(await acquireLease(db, 'renew', 'b', 30)).toBe(true);
  expect(await renewLease(db, 'renew', 'a', 30)).toBe(false);
});
