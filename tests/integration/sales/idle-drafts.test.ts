import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { investments, payments } from '#drizzle/schema/sale.ts';
import { applyEnv } from '#lib/base/env.ts';
import { confirm } from '#lib/sales/feed/confirm.ts';
import { loadAccount } from '#lib/sales/feed/load-state.ts';
import { recognise } from '#lib/sales/feed/recognise.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { addRows } from '#tests/support/rows.ts';
import {
  addProject,
  closeOf,
  confirmedAtMs,
  DEPOSIT,
  PRICE_ONE,
  pageOf,
  paymentEntry,
  START_LEDGER,
  seedSale,
  XRP,
} from '#tests/support/sale.ts';

let database: FreshDatabase;
let sale: string;
beforeAll(async () => {
  applyEnv(testEnv());
  database = await freshDatabase();
  sale = (await seedSale(database.db)).projectId;
});
afterAll(() => database.close());

const loaded = async (...wanted: [] | [Parameters<typeof loadAccount>[2]]) => [
  ...(await loadAccount(database.db, DEPOSIT, ...wanted)).rows.keys(),
];
async function draft(destinationTag: number, deletedAt: Date | null = null): Promise<string> {
  const projectId = await addProject(database.db, { status: 'draft', destinationTag, deletedAt });
  await addRows(database.db, 'tiers', [{ projectId, tier: 1, price: PRICE_ONE, totalUnits: 100n * XRP }]);
  return projectId;
}

test('drafts that nothing names cost the feed of their deposit account nothing, deleted ones neither', async () => {
  const [first] = [await draft(1_001), await draft(1_002, new Date())];
  expect(await loaded()).toEqual([sale]);
  expect(await loaded({ alsoId: first })).toEqual([sale, first].toSorted());
});

test('a draft whose launch is on its way is loaded', async () => {
  const id = await draft(1_003);
  await addRows(database.db, 'actions', [
    { txHash: 'F'.repeat(64), account: DEPOSIT, projectId: id, action: 'launch', status: 'submitted' },
  ]);
  expect(await loaded()).toEqual([sale, id].toSorted());
});

test.each([
  ['a draft', null],
  ['a deleted draft', new Date()],
])('a payment with the tag of %s is an investment in it that failed', async (_, deletedAt) => {
  const { db } = database;
  const tag = deletedAt === null ? 1_004 : 1_005;
  const id = await draft(tag, deletedAt);
  const ctx = testCtx({ db });
  const ledger = START_LEDGER + (tag - 1_003) * 10;
  const entry = paymentEntry(ledger, 1, 5n * XRP, { destinationTag: tag });
  const afterLedger = deletedAt === null ? START_LEDGER : ledger - 10;
  await recognise(ctx, { account: DEPOSIT, afterLedger, page: pageOf([entry], ledger) });
  await confirm(ctx, { account: DEPOSIT, throughLedger: ledger, closedAtMs: closeOf(ledger), confirmedAtMs });
  const made = await db.select().from(investments).where(eq(investments.projectId, id)).orderBy(asc(investments.id));
  expect(made).toMatchObject([{ status: 'failed' }]);
  const [paid] = await db.select().from(payments).where(eq(payments.txHash, entry.hash));
  expect(paid).toMatchObject({ outcome: 'refunded', reason: 'not_active', projectId: id, refundedDrops: 5n * XRP });
});
