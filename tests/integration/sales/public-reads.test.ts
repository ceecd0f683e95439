import { eq } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { projects } from '#drizzle/schema/sale.ts';
import { applyEnv } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import { type TestCtx, testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { addProject, seedSale } from '#tests/support/sale.ts';
import {
  readRaisedOverTime,
  readRecentInvestments,
  readSales,
  readTerms,
  readVerification,
} from '../../../app/(site)/_data/public-reads.ts';
import { readSale } from '../../../app/(site)/_data/shared-read.ts';

const VIEWERS = 50;

let database: FreshDatabase;
let ctx: TestCtx;
let slug: string;

// Before the first connection, which keeps the function that it begins with.
const sent = vi.spyOn(pg.Client.prototype, 'query');

beforeAll(async () => {
  database = await freshDatabase();
  applyEnv(testEnv({ POSTGRES_URL: database.url }));
  ctx = testCtx({ db: database.db });
  await seedSale(database.db);
  slug = (await database.db.select().from(projects))[0]?.slug ?? '';
});
afterAll(async () => {
  sent.mockRestore();
  await database.close();
});
afterEach(() => ctx.clock.advance(1_000));

/** What a view of the list, of a sale and of its terms reads. */
async function view(reader: Ctx, name = slug) {
  const sale = await readSale(reader, name);
  await Promise.all([
    readSales(reader, undefined),
    readRecentInvestments(reader, sale),
    readRaisedOverTime(reader, sale),
    readVerification(reader, sale),
    readTerms(reader, sale),
  ]);
  return sale;
}

async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const before = sent.mock.calls.length;
  await work();
  return sent.mock.calls.length - before;
}

const viewers = (count: number, name?: string) => () =>
  Promise.all(Array.from({ length: count }, () => view({ ...ctx, db: database.db }, name)));

test('fifty viewers at once cost the database as many statements as one', async () => {
  await view(ctx);
  ctx.clock.advance(1_000);
  const forOne = await statementsOf(viewers(1));
  ctx.clock.advance(1_000);
  expect(forOne).toBeGreaterThan(3);
  expect(await statementsOf(viewers(VIEWERS))).toBe(forOne);
  expect(await statementsOf(viewers(VIEWERS))).toBe(0);
});

test('a changed sale is seen within half a second', async () => {
  const statusSeen = async () => [(await view(ctx)).status, (await readSales(ctx, undefined)).projects[0]?.status];
  await view(ctx);
  await database.db.update(projects).set({ status: 'paused' }).where(eq(projects.slug, slug));
  ctx.clock.advance(500);
  expect(await statusSeen()).toEqual(['paused', 'paused']);
});

test('each address shows its own sale, whatever else is read at the same time', async () => {
  const other = await addProject(database.db, { name: 'Other sale', destinationTag: 78 });
  const otherSlug = other.toLowerCase().replaceAll('_', '-');
  const seen = await Promise.all([slug, otherSlug, slug, otherSlug].map((name) => view(ctx, name)));
  expect(seen.map((sale) => sale.slug)).toEqual([slug, otherSlug, slug, otherSlug]);
});

test('a draft is read anew by each who has its id, opens by nothing else, and is not listed', async () => {
  const id = await addProject(database.db, { name: 'Draft', status: 'draft', destinationTag: 79 });
  await view(ctx, id);
  expect((await readSales(ctx, undefined)).projects.map((sale) => sale.id)).not.toContain(id);
  await database.db.update(projects).set({ name: 'Draft, corrected' }).where(eq(projects.id, id));
  expect((await view(ctx, id)).name).toBe('Draft, corrected');
  await expect(readSale(ctx, id.toLowerCase().replaceAll('_', '-'))).rejects.toThrow('There is no such project.');
});

test('a reading that failed is not kept', async () => {
  await expect(readSale(ctx, 'not-yet')).rejects.toThrow('There is no such project.');
  await addProject(database.db, { name: 'Now there', slug: 'not-yet', destinationTag: 80 });
  expect((await readSale(ctx, 'not-yet')).name).toBe('Now there');
});
