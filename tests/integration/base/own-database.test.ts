import { type SQL, sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '#lib/base/db.ts';
import { openOwnDatabase } from '#tests/faults/database.ts';
import { openRelay, type Relay } from '#tests/faults/relay.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';

let [fresh, relay, own] = [] as unknown as [FreshDatabase, Relay, Database & { url: string }];

beforeEach(async () => {
  fresh = await freshDatabase();
  relay = await openRelay(Number(new URL(fresh.url).port));
  own = openOwnDatabase(Object.assign(new URL(fresh.url), { port: String(relay.port) }).href);
});

afterEach(async () => {
  await own.close();
  await relay.close();
  await fresh.close();
});

/** A statement is sent only once somebody waits for it. */
const begun = (statement: SQL): Promise<unknown[]> => own.db.execute(statement).then(({ rows }) => rows);

test("a campaign's statement waits for a database that is away", async () => {
  relay.setAway(true);
  const asked = begun(sql`select 1 as one`);
  await expect(new Client(own.url).connect()).rejects.toThrow();
  relay.setAway(false);
  expect(await asked).toEqual([{ one: 1 }]);
});

test("a campaign's statement whose connection is cut is made once more", async () => {
  const waiting = async () => {
    const { rows } = await fresh.db.execute<{ pid: number }>(
      sql`select pid from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows[0]?.pid ?? null;
  };
  const asked = await fresh.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(1)`);
    const rows = begun(sql`select pg_advisory_xact_lock(1), 1 as one`);
    await expect.poll(waiting).not.toBeNull();
    const pid = await waiting();
    relay.drop();
    await fresh.db.execute(sql`select pg_terminate_backend(${pid}::integer)`);
    await expect.poll(async () => ![null, pid].includes(await waiting())).toBe(true);
    // In an object, so that the transaction does not wait for it.
    return { rows };
  });
  expect(await asked.rows).toMatchObject([{ one: 1 }]);
});
