import { desc, eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditEntries } from '#drizzle/schema/access.ts';
import { payoutAttempts } from '#drizzle/schema/payouts.ts';
import { payments } from '#drizzle/schema/sale.ts';
import { confirmation } from '#lib/jobs/confirmation.ts';
import { runJobs } from '#lib/jobs/engine.ts';
import { intake } from '#lib/jobs/intake.ts';
import { readMetrics } from '#lib/ops/status/read-figures.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import type { AccountResource } from '#lib/sales/accounts/contracts.ts';
import { listAccounts } from '#lib/sales/accounts/list-accounts.ts';
import { setHalted } from '#lib/sales/accounts/set-halted.ts';
import { refundSlice } from '#lib/sales/cancelled-refunds/refund-cancelled-sales.ts';
import { quoteAmount } from '#lib/sales/investments/quote.ts';
import { advanceAccount } from '#tests/integration/sales/advance-account.ts';
import { call } from '#tests/integration/webhooks/call.ts';
import type { TestCtx } from '#tests/support/ctx.ts';
import { TEST_ADMIN_TOKEN, TEST_READ_ONLY_TOKEN } from '#tests/support/env.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { positionOf } from '#tests/support/sale.ts';
import * as haltRoute from '../../../app/api/admin/accounts/[address]/halt/route.ts';
import * as resumeRoute from '../../../app/api/admin/accounts/[address]/resume/route.ts';
import * as listRoute from '../../../app/api/admin/accounts/route.ts';
import { holders, untilQuiet } from './cancelled-sales.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

const halt = ({ deposit }: Sale, halted = true) =>
  setHalted(stage.ctx, { address: deposit.address, halted, reason: 'something is odd' });
const feedOf = ({ deposit }: Sale) => positionOf(stage.database.db, deposit.address);
const outcomesOf = async (hashes: string[]) =>
  (
    await stage.database.db
      .select()
      .from(payments)
      .where(inArray(payments.txHash, hashes))
      .orderBy(payments.ledgerIndex, payments.transactionIndex)
  ).map(({ outcome, reason }) => [outcome, reason]);
const deadlineMs = Number.POSITIVE_INFINITY;
const stillMine = async () => true;

describe('a halted account', () => {
  it('takes nothing of a cancelled sale back, also where the halt comes between two slices', async () => {
    const sale = await stage.launched();
    await stage.pay(await stage.account(), sale, 10);
    await stage.settle(sale.deposit);
    await stage.act(sale, 'cancel');
    await stage.settle(sale.deposit);
    const slice = () => refundSlice(stage.ctx, sale.project.id, null);
    await halt(sale);
    expect(await slice()).toEqual({ done: 0, next: null });
    await halt(sale, false);
    expect(await slice()).toEqual({ done: 1, next: null });
  });

  it('reads, decides and pays nothing; resumed, it goes on as if nothing had been', async () => {
    const sale = await stage.launched();
    const [investor] = await holders(stage, sale, 1);
    if (investor === undefined) throw new Error('No investor');
    const paid = await stage.pay(investor, sale, 10);
    await stage.settle(sale.deposit);
    const answer = await call(haltRoute, 'POST', {
      apiKey: TEST_ADMIN_TOKEN,
      params: { address: sale.deposit.address },
      body: { reason: 'a key may be lost' },
    });
    expect(answer).toMatchObject({ status: 200, body: { address: sale.deposit.address, halted: true } });
    expect((await readMetrics(stage.ctx.db)).invariants).toMatchObject({ halted_accounts: 1 });
    const asked = { id: sale.project.id, amount_xrp: 10_000_000n };
    expect(await quoteAmount(stage.ctx, asked)).toMatchObject({ accepted: true, halted: true });
    const before = await feedOf(sale);

    const waiting = [await stage.pay(investor, sale, 5), await stage.pay(investor, sale, 7, null)];
    stage.desk.close(3);
    await stage.advance(sale.deposit);
    await runJobs(stage.ctx, { jobs: [intake, confirmation] });
    for (const account of [sale.deposit.address, sale.issuer.address]) {
      await runPayouts(stage.ctx, { account, deadlineMs: stage.ctx.clock.nowMs() + 60_000 });
      stage.desk.close();
    }
    expect(await feedOf(sale)).toEqual(before);
    expect(await outcomesOf(waiting)).toEqual([]);
    const parts = await rowsOf(stage.database.db, 'payouts', { paymentHash: paid });
    expect(parts.map(({ status }) => status)).toEqual(['scheduled']);
    expect(
      await stage.database.db.$count(
        payoutAttempts,
        inArray(payoutAttempts.account, [sale.deposit.address, sale.issuer.address]),
      ),
    ).toBe(0);

    const resumed = await call(resumeRoute, 'POST', {
      apiKey: TEST_ADMIN_TOKEN,
      params: { address: sale.deposit.address },
      body: { reason: 'the key is safe' },
    });
    expect(resumed).toMatchObject({ status: 200, body: { halted: false } });
    await untilQuiet(stage, sale);
    expect((await outcomesOf(waiting)).toSorted()).toEqual([
      ['invested', null],
      ['refunded', 'no_tag'],
    ]);
    const [part] = await rowsOf(stage.database.db, 'payouts', { paymentHash: paid });
    expect(part).toMatchObject({ status: 'validated' });
  });

  it('stops a run in the middle: what was recognised stays undecided, and the run ends', async () => {
    const sale = await stage.launched();
    const hash = await stage.pay(await stage.account(), sale, 10);
    stage.desk.close(2);
    const { confirmed } = await feedOf(sale);
    let reads = 0;
    // The operator is faster than the page that was just read; and then, faster than its decision.
    const haltedAfterReading: TestCtx = {
      ...stage.ctx,
      ledger: {
        ...stage.ctx.ledger,
        async readFeed(request) {
          const page = await stage.ctx.ledger.readFeed(request);
          reads += 1;
          await halt(sale);
          return page;
        },
      },
    };
    const run = async (ctx: TestCtx) =>
      advanceAccount(ctx, {
        account: sale.deposit.address,
        server: await ctx.ledger.serverState(),
        deadlineMs,
        stillMine,
      });
    expect(await run(haltedAfterReading)).toMatchObject({ recognised: 0, confirmed: 0, more: false });
    expect(reads).toBe(1);
    expect(await outcomesOf([hash])).toEqual([]);

    await halt(sale, false);
    stage.set({ CONFIRMATIONS: '20' });
    await run(stage.ctx);
    stage.set({ CONFIRMATIONS: undefined });
    await halt(sale);
    expect(await run(stage.ctx)).toMatchObject({ confirmed: 0, more: false });
    expect(await outcomesOf([hash])).toEqual([['pending', null]]);
    expect((await feedOf(sale)).confirmed).toBe(confirmed);

    await halt(sale, false);
    await stage.settle(sale.deposit);
    expect(await outcomesOf([hash])).toEqual([['invested', null]]);
  });

  it('is halted once however often it is asked, each change with its reason in the audit log', async () => {
    const sale = await stage.launched();
    await Promise.all([halt(sale), halt(sale), halt(sale)]);
    const entries = await stage.database.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, sale.deposit.address))
      .orderBy(desc(auditEntries.createdAt));
    expect(entries.filter(({ action }) => action === 'account.halt')).toMatchObject([
      { reason: 'something is odd', before: { halted: false }, after: { halted: true } },
    ]);
    await halt(sale, false);
    const nobody = await call(haltRoute, 'POST', {
      apiKey: TEST_ADMIN_TOKEN,
      params: { address: 'rrrrrrrrrrrrrrrrrrrrBZbvji' },
      body: { reason: 'asked for' },
    });
    expect(nobody).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const reader = await call(haltRoute, 'POST', {
      apiKey: TEST_READ_ONLY_TOKEN,
      params: { address: sale.deposit.address },
      body: { reason: 'asked for' },
    });
    expect(reader.status).toBe(403);
  });
});

describe('the list of deposit accounts', () => {
  it('shows each account’s place, lag, books, and what it holds and owes', async () => {
    const sale = await stage.launched();
    await stage.pay(await stage.account(), sale, 0.0005, null);
    await stage.pay(await stage.account(), sale, 3, null);
    await stage.settle(sale.deposit);
    stage.desk.close(4);
    const { cursor, confirmed } = await feedOf(sale);
    const answer = await call(listRoute, 'GET', { apiKey: TEST_READ_ONLY_TOKEN, query: '?limit=200' });
    const listed = (answer.body as { accounts: AccountResource[] }).accounts;
    const account = await stage.ctx.ledger.account(sale.deposit.address);
    expect(listed.find(({ address }) => address === sale.deposit.address)).toMatchObject({
      halted: false,
      cursor_ledger: cursor,
      confirmed_ledger: confirmed,
      validated_ledger: cursor + 4,
      lag: 4,
      recorded_balance_xrp: (Number(account?.balanceDrops) / 1_000_000).toFixed(6),
      difference_xrp: '0.000000',
      held_xrp: '0.000500',
      unpaid_refunds_xrp: '3.000000',
    });
  });

  it('comes in pages, and without the ledger too', async () => {
    const all = await listAccounts(stage.cutOff, { limit: 200 });
    expect(all.accounts.every(({ validated_ledger: index, lag }) => index === null && lag === null)).toBe(true);
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listAccounts(stage.cutOff, { limit: 2, cursor });
      paged.push(...page.accounts.map(({ address }) => address));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(paged).toEqual(all.accounts.map(({ address }) => address));
  });
});
