import { asc, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { tenants } from '#drizzle/schema/access.ts';
import { jobRuns } from '#drizzle/schema/jobs.ts';
import { problemResponse } from '#lib/api/problem.ts';
import type { Db } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { logger } from '#lib/base/log.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { addRows } from '#tests/support/rows.ts';
import { type HostedDatabase, hostedDatabase } from './hosted-database.ts';

let direct: FreshDatabase;
let hosted: HostedDatabase;
const databases: Record<string, () => Db> = { TCP: () => direct.db, 'the hosted driver': () => hosted.db };

beforeAll(async () => {
  applyEnv(testEnv());
  [direct, hosted] = await Promise.all([freshDatabase(), hostedDatabase()]);
  for (const db of Object.values(databases)) {
    // Counts each try, whatever becomes of its transaction, and fails by `code` as long as there were fewer than `until`.
    await db().execute(sql`create sequence tries`);
    await db().execute(sql`
      create function conflict_until(until bigint, code text) returns bigint language plpgsql volatile as $$
      declare made bigint := nextval('tries');
      begin
        if made < until then raise exception 'given up' using errcode = code; end if;
        return made;
      end $$`);
  }
});
afterEach(async () => {
  for (const db of Object.values(databases)) {
    await db().execute(sql`truncate tenants, job_runs cascade`);
    await db().execute(sql`alter sequence tries restart`);
  }
});
afterAll(() => Promise.all([direct?.close(), hosted?.close()]));

const conflictUntil = (until: number, code: string) => sql`select conflict_until(${until}::bigint, ${code})`;
const triesOf = async (db: Db) =>
  Number((await db.execute<{ tries: string }>(sql`select last_value as tries from tries`)).rows[0]?.tries);
const tenantIds = async (db: Db) => (await db.select().from(tenants).orderBy(asc(tenants.id))).map(({ id }) => id);

describe.each(Object.keys(databases))('over %s, what Postgres gives up in favour of another transaction', (driver) => {
  const database = () => databases[driver]?.() as Db;

  it.each(['40P01', '40001'])('is tried again when it is one statement (%s)', async (code) => {
    await database().execute(conflictUntil(3, code));
    expect(await triesOf(database())).toBe(3);
  });

  it.each(['40P01', '40001'])('is tried again from its beginning when it is a transaction (%s)', async (code) => {
    const seen: string[][] = [];
    const answer = await database().transaction(async (tx) => {
      seen.push(await tenantIds(tx));
      await addRows(tx, 'tenants', { id: `ten_${seen.length}` });
      await tx.transaction((savepoint) => savepoint.execute(conflictUntil(3, code)));
      return `try ${seen.length}`;
    });
    expect(answer).toBe('try 3');
    // Each try found nothing of the one before it.
    expect(seen).toEqual([[], [], []]);
    expect(await tenantIds(database())).toEqual(['ten_3']);
  });

  it('is thrown after five tries, and answered 503 with when to come again', async () => {
    const failed = await database()
      .transaction((tx) => tx.execute(conflictUntil(100, '40P01')))
      .catch((error: unknown) => error);
    expect(await triesOf(database())).toBe(5);
    const answer = problemResponse(failed, 'req_1', logger);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  });

  it('is all that is tried again: any other error comes through at once', async () => {
    await expect(database().transaction((tx) => tx.execute(conflictUntil(2, '23505')))).rejects.toThrow();
    await expect(database().execute(conflictUntil(3, '22012'))).rejects.toThrow();
    expect(await triesOf(database())).toBe(2);
  });

  it('is done by both when two transactions wait for each other', async () => {
    const names = ['left', 'right'];
    await database()
      .insert(jobRuns)
      .values(names.map((name) => ({ name })));
    let tries = 0;
    const bothHoldOne = Promise.withResolvers<void>();
    const work = (first: string, second: string) =>
      database().transaction(async (tx) => {
        const add = (name: string) => tx.execute(sql`update ${jobRuns} set slice = slice + 1 where name = ${name}`);
        await add(first);
        tries += 1;
        if (tries === names.length) bothHoldOne.resolve();
        await bothHoldOne.promise;
        await add(second);
      });
    await Promise.all([work('left', 'right'), work('right', 'left')]);
    expect(tries).toBe(3);
    const rows = await database().select({ slice: jobRuns.slice }).from(jobRuns);
    expect(rows).toEqual([{ slice: 2 }, { slice: 2 }]);
  });
});
