import { eq, ne, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { actOnPayout } from '#lib/payouts/operate/act-on-payout.ts';
import { holders } from '#tests/integration/sales/cancelled-sales.ts';
import { openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { type TestCtx, testCtx } from '#tests/support/ctx.ts';
import type { FreshDatabase } from '#tests/support/database.ts';
import { changeRows } from '#tests/support/rows.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

let stage: Stage;
let sale: Sale;
let investor: Wallet;
let snapshot: Snapshot;
let restored: FreshDatabase;

beforeAll(async () => {
  stage = await openStage();
  sale = await stage.launched();
  [investor] = (await holders(stage, sale, 1)) as [Wallet];
});
afterAll(async () => {
  await snapshot?.remove();
  await restored?.close();
  await stage?.end();
});

async function beats(ctx: TestCtx): Promise<string[]> {
  let faults: string[] = [];
  for (let n = 0; n < 8; n++) {
    stage.desk.close(2);
    ({ faults } = await processPayments(ctx));
  }
  return faults;
}

/** Tokens that the investor holds, by the ledger. */
const held = async (): Promise<string | undefined> =>
  (await stage.ctx.ledger.trustLine(investor.address, sale.issuer.address, 'DMO'))?.balance;

const unpaid = (ctx: TestCtx) =>
  ctx.db
    .select({ id: payouts.id, amount: payouts.amount, status: payouts.status, reason: payouts.reason })
    .from(payouts)
    .where(ne(payouts.status, 'validated'))
    .orderBy(payouts.amount);

/** The operator books a payout as paid by the transaction that has paid it, as the lost database knew. */
async function match(ctx: TestCtx, id: string): Promise<void> {
  const [lost] = await stage.ctx.db
    .select({ hash: payouts.txHash })
    .from(payouts)
    .where(eq(payouts.paymentHash, sql`(select payment_hash from payouts where id = ${id})`));
  await actOnPayout(ctx, { id, action: 'hold', reason: 'restored' });
  await actOnPayout(ctx, { id, action: 'settle', reason: 'restored', transaction_hash: lost?.hash ?? '' });
}

test('a database that was restored from a backup and started with its keys signs nothing and says why, until all that was paid since is matched and the note of it deleted', async () => {
  await stage.pay(investor, sale, 1);
  expect(await beats(stage.ctx)).toEqual([]);
  expect(await held()).toBe('10');
  snapshot = await takeSnapshot(stage.database.url);
  await stage.pay(investor, sale, 2);
  await stage.pay(investor, sale, 3);
  await beats(stage.ctx);
  expect(await held()).toBe('60');

  restored = await snapshot.restore();
  const ctx = testCtx({ db: restored.db });
  expect(await beats(ctx)).toEqual([]);
  const waiting = { status: 'ready', reason: 'database_behind' };
  const [smaller, larger] = await unpaid(ctx);
  expect([smaller, larger]).toMatchObject([waiting, waiting]);
  expect(await held()).toBe('60');

  await match(ctx, larger?.id ?? '');
  await changeRows(ctx.db, 'payouts', {}, { nextCheckAt: new Date(0) });
  await beats(ctx);
  expect(await unpaid(ctx)).toMatchObject([waiting]);
  await match(ctx, smaller?.id ?? '');
  await ctx.redis.del(`payouts:last-signed:${NETWORK_ID}`);
  await stage.pay(investor, sale, 4);
  expect(await beats(ctx)).toEqual([]);
  expect(await unpaid(ctx)).toEqual([]);
  expect(await held()).toBe('100');
});
