import { eq } from 'drizzle-orm';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { projects } from '#drizzle/schema/sale.ts';
import { applyEnv } from '#lib/base/env.ts';
import { confirm } from '#lib/sales/feed/confirm.ts';
import { recognise } from '#lib/sales/feed/recognise.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { seedAllocations } from '#tests/support/allocations.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { confirmedAtMs, DEPOSIT, pageOf, paymentEntry, seedSale, XRP } from '#tests/support/sale.ts';

let database: FreshDatabase;
beforeAll(() => applyEnv(testEnv()));
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.close());

/** One ledger in which each of these wallets pays, read and confirmed. */
async function pay(ledger: number, senders: readonly string[]): Promise<void> {
  const ctx = testCtx({ db: database.db });
  const entries = senders.map((sender, index) => paymentEntry(ledger, index, XRP, { sender }));
  await recognise(ctx, { account: DEPOSIT, afterLedger: ledger - 1, page: pageOf(entries, ledger) });
  await confirm(ctx, { account: DEPOSIT, throughLedger: ledger, closedAtMs: null, confirmedAtMs });
}

describe('total_investors', () => {
  it('counts each wallet once, follows every new allocation, and costs readers nothing while none comes', async () => {
    const { projectId } = await seedSale(database.db);
    const ctx = testCtx({ db: database.db });
    const total = async () => (await getProject(ctx, projectId)).progress.total_investors;
    expect(await total()).toBe(0);
    const ledger = await seedAllocations(database.db, projectId, 8_000);
    // Twenty at once: a crowd of readers behind one count.
    expect(new Set(await Promise.all(Array.from({ length: 20 }, total)))).toEqual(new Set([8_000]));
    await seedAllocations(database.db, projectId, 10_000, { after: ledger });
    expect(await total()).toBe(9_000);

    const other = await seedSale(database.db, { tag: 78 });
    expect((await getProject(ctx, other.projectId)).progress.total_investors).toBe(0);
  });

  it('is counted with each run of payments, in which a wallet may pay again and again', async () => {
    const { projectId } = await seedSale(database.db);
    const stored = async () => {
      const [row] = await database.db.select().from(projects).where(eq(projects.id, projectId));
      return { investors: row?.investors, isTrue: row?.investorsDrops === row?.raisedDrops };
    };
    await pay(101, ['rOne', 'rTwo', 'rOne']);
    expect(await stored()).toEqual({ investors: 2, isTrue: true });
    await pay(102, ['rTwo', 'rThree', 'rThree']);
    await pay(103, ['rOne']);
    expect(await stored()).toEqual({ investors: 3, isTrue: true });
    expect((await getProject(testCtx({ db: database.db }), projectId)).progress.total_investors).toBe(3);
  });

  it('is counted anew by the first run after one that did not count, as an earlier release does not', async () => {
    const { projectId } = await seedSale(database.db);
    const ledger = await seedAllocations(database.db, projectId, 50);
    await pay(ledger + 1, ['rWallet7', 'rNew']);
    const [row] = await database.db.select().from(projects).where(eq(projects.id, projectId));
    expect(row).toMatchObject({ investors: 51, investorsDrops: row?.raisedDrops });
  });
});
