import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { seedAllocations } from '#tests/support/allocations.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { seedSale } from '#tests/support/sale.ts';

let database: FreshDatabase;
beforeAll(async () => {
  applyEnv(testEnv());
  database = await freshDatabase();
});
afterAll(() => database?.close());

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
});
