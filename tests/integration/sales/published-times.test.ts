import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { textArray } from '#lib/base/bulk.ts';
import { epoch, utcText } from '#lib/sales/published/decisions.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

/** A time with microseconds, which Postgres keeps and no Date can. */
const time = fc
  .tuple(fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }), fc.nat(999))
  .map(([date, microseconds]) => date.toISOString().replace('Z', `${String(microseconds).padStart(3, '0')}Z`));

it('a time is published to the millisecond as Postgres itself writes it, never rounded up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(time, { minLength: 50, maxLength: 200 }), async (times) => {
      const { rows } = await database.db.execute<{ seconds: number; text: string }>(sql`
        select ${epoch(sql`t::timestamptz`)} as seconds,
          to_char(t::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as text
        from unnest(${textArray(times)}) with ordinality as given(t, place) order by place`);
      expect(rows.map(({ seconds }) => utcText(seconds))).toEqual(rows.map(({ text }) => text));
      expect(rows.map(({ text }) => text)).toEqual(times.map((each) => `${each.slice(0, -4)}Z`));
    }),
    { numRuns: 30 },
  );
});

it('a row without a time is never published with another', () => {
  expect(() => utcText(Number.NaN)).toThrow('no time');
});
