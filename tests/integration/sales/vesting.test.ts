import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import { payments } from '#drizzle/schema/sale.ts';
import { openDatabase } from '#lib/base/db.ts';
import { readDueWork } from '#lib/jobs/heartbeat.ts';
import { refundCancelledSales } from '#lib/sales/cancelled-refunds/refund-cancelled-sales.ts';
import { getInvestment } from '#lib/sales/investments/read-investments.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { changeRows } from '#tests/support/rows.ts';
import {
  expectRecordsAgree,
  holders,
  investmentsOf,
  launchedUnder,
  payBeat,
  payoutsOf,
  sentTo,
  untilQuiet,
} from './cancelled-sales.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

const XRP = 1_000_000n;
const MS_PER_DAY = 86_400_000;
/** A third at once, the rest in three parts. */
const THIRDS = { immediate_bps: 3_333, cliff_days: 10, period_days: 30, periods: 3 };
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

const cancel = async (sale: Sale) => {
  await stage.act(sale, 'cancel');
  await stage.settle(sale.deposit);
};
/** The day of one part comes. */
const fallsDue = (sale: Sale, part: number) =>
  changeRows(
    stage.database.db,
    'payouts',
    { projectId: sale.project.id, kind: 'distribution', part },
    { dueAt: sql`now()` },
  );

describe('a vesting', () => {
  it('owes every part at confirmation, pays what is due, and shows the rest with its dates', async () => {
    const sale = await launchedUnder(stage, { vesting: THIRDS });
    const [investor] = (await holders(stage, sale, 1)) as [Wallet];
    await stage.pay(investor, sale, 10);
    await untilQuiet(stage, sale);
    expect(await sentTo(stage, sale, investor.address)).toEqual({ drops: 0n, units: 33_330_000n });
    const [row] = await investmentsOf(stage, sale);
    const paidAtMs = row?.investment.paidAt.getTime() ?? 0;
    const day = (days: number) => new Date(paidAtMs + days * MS_PER_DAY).toISOString();
    expect(await getInvestment(stage.ctx, row?.investment.id ?? '')).toMatchObject({
      total_tokens: '100.000000',
      tokens_to_distribute: '33.330000',
      payouts: [
        { part: 1, tokens: '33.330000', status: 'validated', due_at: day(0) },
        { part: 2, tokens: '22.223333', status: 'scheduled', due_at: day(40) },
        { part: 3, tokens: '22.223333', status: 'scheduled', due_at: day(70) },
        { part: 4, tokens: '22.223334', status: 'scheduled', due_at: day(100) },
      ],
    });
    await fallsDue(sale, 2);
    await untilQuiet(stage, sale);
    expect(await sentTo(stage, sale, investor.address)).toEqual({ drops: 0n, units: 55_553_333n });
  });

  it('cancelled between two parts gives back the share of the tokens that are not distributed, down to the drop', async () => {
    const sale = await launchedUnder(stage, { vesting: THIRDS });
    const [investor] = (await holders(stage, sale, 1)) as [Wallet];
    const [slow] = (await stage.desk.accounts(1)) as [Wallet];
    await stage.pay(investor, sale, 10.000003);
    stage.desk.close();
    await stage.pay(slow, sale, 4);
    await untilQuiet(stage, sale);
    await fallsDue(sale, 2);
    await untilQuiet(stage, sale);
    await cancel(sale);
    await untilQuiet(stage, sale);

    const distributed = 33_330_009n + 22_223_340n;
    const back = (10_000_003n * (100_000_030n - distributed)) / 100_000_030n;
    expect(await sentTo(stage, sale, investor.address)).toEqual({ drops: back, units: distributed });
    expect(await sentTo(stage, sale, slow.address)).toEqual({ drops: 4n * XRP, units: 0n });
    const [kept, failed] = await investmentsOf(stage, sale);
    expect(kept).toMatchObject({
      investment: { status: 'confirmed', reason: null, cancellationApplied: true },
      payment: { outcome: 'partial', reason: 'cancelled', investedDrops: 10_000_003n - back, refundedDrops: back },
    });
    expect(failed).toMatchObject({ investment: { status: 'failed' }, payment: { outcome: 'refunded' } });
    expect(
      (await payoutsOf(stage, sale))
        .filter((row) => row.destination === investor.address)
        .map((row) => [row.kind, row.part, row.status]),
    ).toEqual([
      ['distribution', 1, 'validated'],
      ['distribution', 2, 'validated'],
      ['distribution', 3, 'cancelled'],
      ['distribution', 4, 'cancelled'],
      ['refund', 2, 'validated'],
    ]);
    await expectRecordsAgree(stage, sale);
  });

  it('cancelled is refunded slice by slice, and goes on where the time ran out', async () => {
    // So many parts that a slice takes two investments, though each has fewer units than that.
    const vesting = { immediate_bps: 0, cliff_days: 0, period_days: 1, periods: 9_999 };
    const sale = await launchedUnder(stage, { vesting }, { tiers: [{ price_per_token: '2500', total_tokens: '1' }] });
    const [investor] = (await stage.desk.accounts(1)) as [Wallet];
    for (let i = 0; i < 5; i++) await stage.pay(investor, sale, 0.05);
    await stage.settle(sale.deposit);
    await cancel(sale);
    expect(await refundCancelledSales(stage.ctx, 0)).toMatchObject({ investments: 2, more: true });
    const runs = await Promise.all([refundCancelledSales(stage.ctx, 0), refundCancelledSales(stage.ctx, 0)]);
    const last = await refundCancelledSales(stage.ctx, stage.ctx.clock.nowMs() + 60_000);
    expect(last).toMatchObject({ more: false });
    expect([...runs, last].reduce((sum, run) => sum + run.investments, 2)).toBe(5);
    await untilQuiet(stage, sale);
    expect(await sentTo(stage, sale, investor.address)).toEqual({ drops: 250_000n, units: 0n });
    await expectRecordsAgree(stage, sale);
  });
});

describe('two hundred thousand parts that are due later', () => {
  const PAYMENTS = 200;
  const PARTS = 1_000;

  /** Blocks of `payouts` and its indexes that one beat touches, on one session of its own. */
  async function blocksOfABeat(sale: Sale): Promise<number> {
    const { db, close } = await openDatabase(stage.database.url, 1);
    const touched = async (): Promise<number> => {
      await db.execute(sql`select pg_stat_force_next_flush()`);
      const { rows } = await db.execute<{ blocks: number }>(sql`
        select (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::integer as blocks
        from pg_statio_user_tables where relname = 'payouts'`);
      return rows[0]?.blocks ?? 0;
    };
    try {
      const before = await touched();
      const ctx = testCtx({ db });
      await payBeat(stage, sale, ctx);
      await readDueWork(ctx);
      return (await touched()) - before;
    } finally {
      await close();
    }
  }

  it('cost a beat nothing', async () => {
    const sale = await launchedUnder(stage, { vesting: THIRDS });
    const [investor] = (await holders(stage, sale, 1)) as [Wallet];
    await stage.pay(investor, sale, 1);
    await untilQuiet(stage, sale);
    const { db } = stage.database;
    await db.execute(sql`alter table payouts set (autovacuum_enabled = false)`);
    const [given] = await investmentsOf(stage, sale);
    await db.execute(sql`
      insert into ${payments} (tx_hash, account, ledger_index, transaction_index, closed_at, sender, received_drops)
      select lpad(n::text, 64, '0'), ${sale.deposit.address}, 1, n, now(), ${investor.address}, 1
      from generate_series(1, ${PAYMENTS}::integer) as n`);
    const few = await blocksOfABeat(sale);
    await db.transaction(async (tx) => {
      // They refer to what stands above: looking that up again for each would take longer than writing them.
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(sql`
        insert into ${payouts} (id, kind, project_id, investment_id, payment_hash, part, account, destination, amount, due_at)
        select 'pay_' || n || '_' || part, 'distribution', ${sale.project.id}, ${given?.investment.id}, lpad(n::text, 64, '0'),
          part, ${sale.issuer.address}, ${investor.address}, 1, now() + part * interval '1 day'
        from generate_series(1, ${PAYMENTS}::integer) as n, generate_series(1, ${PARTS}::integer) as part`);
    });
    await db.execute(sql`analyze payouts`);
    await changeRows(stage.database.db, 'payments', { outcome: 'pending' }, { outcome: 'held', heldDrops: 1n });
    const many = await blocksOfABeat(sale);
    // The index is a level or two deeper; read whole it has over two thousand blocks.
    expect(many).toBeLessThan(few + 100);
  });
});
