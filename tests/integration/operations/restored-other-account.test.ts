import { afterAll, beforeAll, expect, test } from 'vitest';
import { payouts } from '#drizzle/schema/payouts.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { holders, sentTo } from '#tests/integration/sales/cancelled-sales.ts';
import { openStage, type Stage } from '#tests/integration/sales/stage.ts';
import { type TestCtx, testCtx } from '#tests/support/ctx.ts';
import type { FreshDatabase } from '#tests/support/database.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

let stage: Stage;
let snapshot: Snapshot;
let restored: FreshDatabase;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  await snapshot?.remove();
  await restored?.close();
  await stage?.end();
});

async function beats(ctx: TestCtx): Promise<void> {
  for (let n = 0; n < 8; n++) {
    stage.desk.close(2);
    expect((await processPayments(ctx)).faults).toEqual([]);
  }
}

test('whose tokens a lost database had paid out before the sale was cancelled is sent no XRP back by the restored one', async () => {
  const sale = await stage.launched();
  const [investor] = await holders(stage, sale, 1);
  if (investor === undefined) throw new Error('There is no investor');
  snapshot = await takeSnapshot(stage.database.url);
  await stage.pay(investor, sale, 5);
  await beats(stage.ctx);
  await stage.act(sale, 'cancel');
  await beats(stage.ctx);
  const paid = await sentTo(stage, sale, investor.address);
  expect(paid).toEqual({ drops: 0n, units: 50_000_000n });

  restored = await snapshot.restore();
  const ctx = testCtx({ db: restored.db });
  await beats(ctx);
  // It owes what the investor has had in tokens, from an account that has paid nothing yet.
  const owed = await ctx.db
    .select({ kind: payouts.kind, status: payouts.status, reason: payouts.reason })
    .from(payouts)
    .orderBy(payouts.kind);
  expect(owed).toEqual([
    { kind: 'distribution', status: 'cancelled', reason: 'cancelled' },
    { kind: 'refund', status: 'ready', reason: 'database_behind' },
  ]);
  expect(await sentTo(stage, sale, investor.address)).toEqual(paid);
});
