import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#lib/base/db.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { type HostedDatabase, hostedDatabase } from './hosted-database.ts';

let direct: FreshDatabase;
let hosted: HostedDatabase;
const warnings: string[] = [];
const note = (warning: Error): void => {
  warnings.push(warning.message);
};
beforeAll(async () => {
  process.on('warning', note);
  [direct, hosted] = await Promise.all([freshDatabase(), hostedDatabase()]);
});
afterAll(async () => {
  process.off('warning', note);
  await direct?.close();
  await hosted?.close();
});

const number = async (db: Db, value: number) =>
  (await db.execute<{ n: number }>(sql`select ${value}::int as n from pg_sleep(0.002)`)).rows[0]?.n;
const failing = (db: Db): Promise<unknown> => db.execute(sql`select 1 / 0`);

test.each([
  ['a direct', () => direct.db],
  ['a hosted', () => hosted.db],
] as const)(
  'statements side by side in a transaction of %s database run one by one, each with its own answer',
  async (_, db) => {
    const read = await db().transaction((tx) => Promise.all([1, 2, 3, 4, 5].map((value) => number(tx, value))));
    expect(read).toEqual([1, 2, 3, 4, 5]);

    const failed = db().transaction((tx) => Promise.all([number(tx, 1), failing(tx), number(tx, 2)]));
    await expect(failed).rejects.toThrow();
    expect(await number(db(), 6), 'the connection serves on').toBe(6);

    // Warnings come a turn of the loop later.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  },
);
