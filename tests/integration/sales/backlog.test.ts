import { and, eq, inArray, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import { payments } from '#drizzle/schema/sale.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import type { Ledger } from '#lib/xrpl/types.ts';
import { TestClock, type TestCtx } from '#tests/support/ctx.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { positionOf } from '#tests/support/sale.ts';
import { CURRENCY, openStage, type Sale, type Stage } from './stage.ts';

/** The campaign `npx tranche load` has 10,000 wallets pay at once. */
const PAYMENTS = 3_000;
const SLICE_BUDGET_MS = 20_000;
const MOST_SLICES = 30;

/** One for each test: what another test's accounts have due would be paid in the same slices. */
let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
  stage.set({ SLICE_BUDGET_MS: String(SLICE_BUDGET_MS) });
});
afterEach(() => stage.end());

/** The same ctx on a clock that only reading the feed of `account` actions, by `pageMs` a page of `pageEntries` at most. */
function slowFeed(account: string, { pageMs, pageEntries }: { pageMs: number; pageEntries: number }): TestCtx {
  const clock = new TestClock(stage.ctx.clock.nowMs());
  const { ledger } = stage.ctx;
  const readFeed: Ledger['readFeed'] = async (request) => {
    if (request.account !== account) return ledger.readFeed(request);
    clock.advance(pageMs);
    return ledger.readFeed({ ...request, maxEntries: Math.min(pageEntries, request.maxEntries) });
  };
  const slow = new Proxy(ledger, {
    get: (target, name) => (name === 'readFeed' ? readFeed : Reflect.get(target, name)),
  });
  return { ...stage.ctx, clock, ledger: slow };
}

const cursorOf = async (account: string) => (await positionOf(stage.database.db, account)).cursor;

it(`of ${PAYMENTS} payments at once, the first are paid out before the last are read`, {
  timeout: 300_000,
}, async () => {
  const sale = await stage.launched({ tiers: [{ price_per_token: '0.10', total_tokens: '10000000' }] });
  const [investor] = (await stage.desk.accounts(1)) as [Wallet];
  await stage.desk.send(investor, {
    TransactionType: 'TrustSet',
    Account: investor.address,
    LimitAmount: { currency: CURRENCY, issuer: sale.issuer.address, value: '1000000' },
  });
  stage.desk.close();
  await stage.pay(investor, sale, 10);
  const { lastLedgerIndex } = stage.desk.ledger.writePayments({
    count: PAYMENTS - 1,
    destination: sale.deposit.address,
    destinationTag: sale.project.destination_tag,
    amountDrops: 1_000_000n,
  });
  stage.desk.close();
  const paid = () =>
    stage.database.db.$count(
      payouts,
      and(
        eq(payouts.projectId, sale.project.id),
        eq(payouts.destination, investor.address),
        inArray(payouts.status, ['submitted', 'validated']),
      ),
    );
  const ctx = slowFeed(sale.deposit.address, { pageMs: 6_000, pageEntries: 600 });
  let cursorWhenPaid: number | null = null;
  for (let slice = 0; slice < MOST_SLICES && (await cursorOf(sale.deposit.address)) < lastLedgerIndex; slice++) {
    const done = await processPayments(ctx);
    expect(done.faults).toEqual([]);
    // While anything is left to read, the next slice follows at once.
    expect(done.continued).toBe(true);
    if (cursorWhenPaid === null && (await paid()) === 1) cursorWhenPaid = await cursorOf(sale.deposit.address);
    stage.desk.close();
  }
  expect(await cursorOf(sale.deposit.address)).toBeGreaterThanOrEqual(lastLedgerIndex);
  expect(cursorWhenPaid).toBeGreaterThan(0);
  expect(cursorWhenPaid).toBeLessThan(lastLedgerIndex);
  const [booked] = await stage.database.db
    .select({ count: sql<number>`count(*)::int` })
    .from(payments)
    .where(eq(payments.account, sale.deposit.address));
  expect(booked?.count).toBe(PAYMENTS);
});

it('an account with much to catch up on leaves each other account its share of every slice', {
  timeout: 300_000,
}, async () => {
  const behind = await stage.launched();
  const others: Sale[] = [];
  for (let i = 0; i < 4; i++) others.push(await stage.launched());
  const [investor] = (await stage.desk.accounts(1)) as [Wallet];
  stage.desk.ledger.writePayments({
    count: 2_500,
    perLedger: 100,
    destination: behind.deposit.address,
    destinationTag: behind.project.destination_tag,
    amountDrops: 1_000_000n,
  });
  for (const sale of others) await stage.pay(investor, sale, 1);
  stage.desk.close(2);
  // Its 25 pages take more than the whole slice, whichever account is the first.
  const { validatedIndex } = await stage.ctx.ledger.serverState();
  await processPayments(slowFeed(behind.deposit.address, { pageMs: 1_000, pageEntries: 100 }));
  expect(await cursorOf(behind.deposit.address)).toBeLessThan(validatedIndex);
  expect(await Promise.all(others.map(({ deposit }) => cursorOf(deposit.address)))).toEqual(
    others.map(() => validatedIndex),
  );
});

it('whatever the reading of the feed costs, each slice pays some of what is due', async () => {
  const sale = await stage.launched();
  const [investor] = (await stage.desk.accounts(1)) as [Wallet];
  // With a tag that no sale has: all of it goes back.
  const hash = await stage.pay(investor, sale, 10, sale.project.destination_tag + 1);
  await stage.settle(sale.deposit);
  const refund = async () => {
    const [row] = await rowsOf(stage.database.db, 'payouts', { paymentHash: hash });
    return row?.status;
  };
  const ctx = slowFeed(sale.deposit.address, { pageMs: SLICE_BUDGET_MS + 1, pageEntries: 100 });
  for (let slice = 0; slice < 8 && (await refund()) !== 'validated'; slice++) {
    expect((await processPayments(ctx)).faults).toEqual([]);
    stage.desk.close();
  }
  expect(await refund()).toBe('validated');
});
