import { and, eq, inArray, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { parseDecimal } from '#lib/base/money.ts';
import { getRelease } from '#lib/payouts/release/read-release.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { refundCancelledSales } from '#lib/sales/cancelled-refunds/refund-cancelled-sales.ts';
import { holders, type Rules, untilQuiet } from '#tests/integration/sales/cancelled-sales.ts';
import { openStage, type Stage } from '#tests/integration/sales/stage.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { balanceOf, FUNDED_DROPS, type RaisingSale, raising, release, releasesOf } from './raised.ts';

/** Histories to run: one (`SEEDS=17`), or a range (`SEEDS=1-500`). A failure names its seed. */
const [FIRST_SEED = 1, LAST_SEED = FIRST_SEED] = (process.env.SEEDS ?? '1-4').split('-').map(Number);
const SEEDS = Array.from({ length: LAST_SEED - FIRST_SEED + 1 }, (_, index) => FIRST_SEED + index);

const sale = fc.nat(1);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constant('pay' as const),
      sale,
      hasLine: fc.boolean(),
      tagged: fc.integer({ min: 0, max: 5 }).map((drawn) => drawn > 0),
      drops: fc.integer({ min: 1, max: 40_000_000 }),
    }),
  },
  {
    weight: 6,
    // All that may go, asked for by several at once, or some of it.
    arbitrary: fc.record({
      what: fc.constant('release' as const),
      sale,
      askers: fc.integer({ min: 1, max: 3 }),
      xrp: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('read' as const) }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('pay_tokens' as const), sale }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('pay_xrp' as const) }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('close' as const), ledgers: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('refunds' as const) }) },
  // Whoever holds the key takes all that stands above the floor: from then on the account owns just what it must.
  { weight: 2, arbitrary: fc.record({ what: fc.constant('spend' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant('action' as const),
      sale,
      action: fc.constantFrom('cancel' as const, 'end' as const),
    }),
  },
);
const history = fc.record({
  /** What the account owns itself: about what its reserve, tickets and fees take. */
  ownXrp: fc.integer({ min: 9, max: 14 }),
  rules: fc.constantFrom<Rules>(
    {},
    {},
    { distribution: 'at_end', softCapDrops: 60_000_000n },
    { vesting: { immediate_bps: 3_333, cliff_days: 5, period_days: 5, periods: 3 } },
    { vesting: { immediate_bps: 1_000, cliff_days: 0, period_days: 0, periods: 2 } },
  ),
  steps: fc.array(step, { minLength: 40, maxLength: 60 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function historyOf(seed: number) {
  const [drawn] = fc.sample(history, { seed, numRuns: 1 });
  if (drawn === undefined) throw new Error('fast-check drew nothing');
  return drawn;
}

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

/** What an operator is told at the wrong moment; anything else is a fault. */
async function orRefused(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const refusals = ['conflict', 'limit_reached', 'transition_not_allowed'];
    if (!(error instanceof PlatformError) || !refusals.includes(error.code)) throw error;
  }
}

async function take(sales: readonly [RaisingSale, RaisingSale], step: Step): Promise<void> {
  const { ctx } = stage;
  const deadlineMs = ctx.clock.nowMs() + 60_000;
  switch (step.what) {
    case 'pay': {
      const to = sales[step.sale]!;
      const [payer] = step.hasLine ? await holders(stage, to, 1) : await stage.desk.accounts(1);
      const tag = to.project.destination_tag + (step.tagged ? 0 : 7);
      await stage.pay(payer!, to, step.drops / 1_000_000, tag);
      return;
    }
    case 'release': {
      const asks = Array.from({ length: step.askers }, () => release(stage, sales[step.sale]!, step.xrp));
      await Promise.all(asks.map(orRefused));
      return;
    }
    case 'read':
      await stage.advance(sales[0].deposit);
      return;
    case 'pay_tokens':
      await runPayouts(ctx, { account: sales[step.sale]!.issuer.address, deadlineMs });
      return;
    case 'pay_xrp':
      await runPayouts(ctx, { account: sales[0].deposit.address, deadlineMs });
      return;
    case 'close':
      stage.desk.close(step.ledgers);
      return;
    case 'refunds':
      expect(await refundCancelledSales(ctx, deadlineMs)).toMatchObject({ broken: 0 });
      return;
    case 'spend': {
      const { deposit, project } = sales[0];
      // As of this very ledger: what has left since is not counted.
      await stage.settle(deposit);
      const free = parseDecimal((await getRelease(ctx, project.id)).deposit_account.free_xrp, 6) ?? 0n;
      if (free === 0n) return;
      await stage.desk.send(deposit, {
        TransactionType: 'Payment',
        Account: deposit.address,
        Destination: stage.desk.genesis.address,
        Amount: free.toString(),
      });
      await stage.settle(deposit);
      return;
    }
    case 'action':
      await orRefused(stage.act(sales[step.sale]!, step.action));
  }
}

/** Payouts of XRP that are not paid, or that the account could not pay when it looked at them. */
const unpaid = (deposit: string) =>
  stage.database.db
    .select({ kind: payouts.kind, status: payouts.status, reason: payouts.reason, amount: payouts.amount })
    .from(payouts)
    .where(
      and(
        eq(payouts.account, deposit),
        eq(payouts.kind, 'refund'),
        inArray(payouts.status, ['scheduled', 'waiting_holder', 'ready', 'submitted', 'held']),
      ),
    );

describe('whatever is paid in, distributed, released and cancelled, in whatever order', () => {
  it.each(SEEDS)(
    'the deposit account can pay every refund, and no sale releases more than it earned (SEEDS=%i)',
    async (seed) => {
      const { ownXrp, rules, steps } = historyOf(seed);
      const [deposit] = (await stage.desk.accounts(1, ownXrp)) as [Wallet];
      const first = await raising(stage, {}, {}, { deposit });
      const second = await raising(stage, rules, {}, first);
      const sales = [first, second] as const;
      for (const each of steps) await take(sales, each);
      // Whoever still runs is cancelled: then every drop that can be owed is owed.
      for (const each of sales) {
        await untilQuiet(stage, each);
        await orRefused(stage.act(each, 'cancel'));
      }
      for (const each of sales) await untilQuiet(stage, each);
      await untilQuiet(stage, first);

      expect(await unpaid(first.deposit.address)).toEqual([]);
      let released = 0n;
      for (const each of sales) {
        const { rows } = await stage.database.db.execute<{ invested: string }>(sql`
        select coalesce(sum(invested_drops), 0)::text as invested from payments where project_id = ${each.project.id}`);
        const paid = (await releasesOf(stage, each)).filter(({ status }) => status === 'validated');
        const drops = paid.reduce((sum, { amount }) => sum + amount, 0n);
        expect(drops).toBeLessThanOrEqual(BigInt(rows[0]?.invested ?? 0));
        released += drops;
      }
      expect(await balanceOf(stage, first.treasury)).toBe(FUNDED_DROPS + released);
      const [account] = await rowsOf(stage.database.db, 'depositAccounts', { address: first.deposit.address });
      expect(account).toMatchObject({
        differenceDrops: 0n,
        recordedBalanceDrops: await balanceOf(stage, first.deposit),
      });
      expect(account?.recordedBalanceDrops).toBeGreaterThan(0n);
    },
  );
});
