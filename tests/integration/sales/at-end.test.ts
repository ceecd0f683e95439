import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { investments } from '#drizzle/schema/sale.ts';
import { readDueWork } from '#lib/jobs/heartbeat.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { planDistributions } from '#lib/sales/plan-distributions.ts';
import { changeRows, deleteRows, rowsOf } from '#tests/support/rows.ts';
import {
  beat,
  expectRecordsAgree,
  holders,
  investmentsOf,
  launchedUnder,
  payoutsOf,
  sentTo,
  untilQuiet,
} from './cancelled-sales.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

const XRP = 1_000_000n;
const MS_PER_DAY = 86_400_000;
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

const projectRow = async ({ project }: Sale) => {
  const [row] = await rowsOf(stage.database.db, 'projects', { id: project.id });
  if (row === undefined) throw new Error(`No project ${project.id}`);
  return row;
};
const later = () => stage.ctx.clock.nowMs() + 60_000;
const end = async (sale: Sale) => {
  await stage.act(sale, 'end');
  await stage.settle(sale.deposit);
};

describe('a sale that distributes at its end', () => {
  it('owes nobody a token while it runs, and everybody all of theirs once it has ended', async () => {
    const sale = await launchedUnder(stage, { distribution: 'at_end', softCapDrops: 10n * XRP });
    const wallets = await holders(stage, sale, 3);
    for (const wallet of wallets) await stage.pay(wallet, sale, 5);
    await beat(stage, sale);
    expect(await payoutsOf(stage, sale)).toEqual([]);
    await end(sale);
    expect(await payoutsOf(stage, sale)).toEqual([]);
    await untilQuiet(stage, sale);
    for (const { address } of wallets) {
      expect(await sentTo(stage, sale, address)).toEqual({ drops: 0n, units: 50n * XRP });
    }
    const { status, endedAt } = await projectRow(sale);
    expect(status).toBe('completed');
    for (const payout of await payoutsOf(stage, sale)) expect(payout).toMatchObject({ part: 1, dueAt: endedAt });
    await expectRecordsAgree(stage, sale);
  });

  it('counts the parts of a vesting from its end', async () => {
    const sale = await launchedUnder(stage, {
      distribution: 'at_end',
      vesting: { immediate_bps: 2_500, cliff_days: 30, period_days: 10, periods: 2 },
    });
    const [investor] = (await holders(stage, sale, 1)) as [Wallet];
    await stage.pay(investor, sale, 5);
    await stage.settle(sale.deposit);
    await end(sale);
    await untilQuiet(stage, sale);
    const endedAtMs = (await projectRow(sale)).endedAt?.getTime() ?? 0;
    expect(
      (await payoutsOf(stage, sale)).map((row) => [row.part, row.amount, row.dueAt.getTime(), row.status]),
    ).toEqual([
      [1, 12_500_000n, endedAtMs, 'validated'],
      [2, 18_750_000n, endedAtMs + 40 * MS_PER_DAY, 'scheduled'],
      [3, 18_750_000n, endedAtMs + 50 * MS_PER_DAY, 'scheduled'],
    ]);
    expect(await sentTo(stage, sale, investor.address)).toEqual({ drops: 0n, units: 12_500_000n });
  });

  it('is planned slice by slice, and each investment once by any number of planners at once', async () => {
    const sale = await launchedUnder(
      stage,
      // So many parts that a slice takes two investments, though each has fewer units than that.
      {
        distribution: 'at_end',
        vesting: { immediate_bps: 0, cliff_days: 0, period_days: 1, periods: 9_999 },
      },
      { tiers: [{ price_per_token: '2500', total_tokens: '1' }] },
    );
    const [investor] = (await stage.desk.accounts(1)) as [Wallet];
    for (let i = 0; i < 11; i++) await stage.pay(investor, sale, 0.05);
    await stage.settle(sale.deposit);
    await end(sale);
    expect(await planDistributions(stage.ctx, 0)).toEqual({ planned: 2, more: true, broken: 0 });
    const runs = await Promise.all(Array.from({ length: 4 }, () => planDistributions(stage.ctx, later())));
    expect(runs.reduce((sum, run) => sum + run.planned, 0)).toBe(9);
    expect(await planDistributions(stage.ctx, later())).toEqual({ planned: 0, more: false, broken: 0 });
    const owed = await payoutsOf(stage, sale);
    expect(owed).toHaveLength(11 * 20);
    expect(owed.reduce((sum, row) => sum + row.amount, 0n)).toBe(220n);
    expect(await stage.database.db.$count(investments, eq(investments.payoutsPlanned, false))).toBe(0);
  });

  it('is not planned while its account is halted', async () => {
    const sale = await launchedUnder(stage, { distribution: 'at_end' });
    const [investor] = (await stage.desk.accounts(1)) as [Wallet];
    await stage.pay(investor, sale, 5);
    await stage.settle(sale.deposit);
    await end(sale);
    const halt = (halted: boolean) =>
      changeRows(stage.database.db, 'depositAccounts', { address: sale.deposit.address }, { halted });
    await halt(true);
    expect(await planDistributions(stage.ctx, later())).toEqual({ planned: 0, more: false, broken: 0 });
    await halt(false);
    expect(await planDistributions(stage.ctx, later())).toEqual({ planned: 1, more: false, broken: 0 });
  });

  it('is planned and paid by process-payments itself, which beats until that is done', async () => {
    // Nothing else on this stage is to ask for a beat.
    await deleteRows(stage.database.db, 'payouts', { status: 'scheduled' });
    await changeRows(stage.database.db, 'projects', { status: 'active' }, { status: 'completed' });
    const sale = await launchedUnder(stage, { distribution: 'at_end' });
    const [investor] = (await holders(stage, sale, 1)) as [Wallet];
    await stage.pay(investor, sale, 5);
    await stage.settle(sale.deposit);
    await end(sale);
    expect(await readDueWork(stage.ctx)).toMatchObject({ due: true });
    expect(await processPayments(stage.ctx)).toMatchObject({ planned: 1, cancelled_investments: 0, faults: [] });
    for (let beats = 0; beats < 10 && (await readDueWork(stage.ctx)).due; beats++) {
      stage.desk.close();
      await processPayments(stage.ctx);
    }
    expect(await readDueWork(stage.ctx)).toMatchObject({ due: false });
    expect(await sentTo(stage, sale, investor.address)).toEqual({ drops: 0n, units: 50n * XRP });
  });
});

describe('a soft cap', () => {
  const reasonsOf = async (sale: Sale) =>
    (await investmentsOf(stage, sale)).map(({ investment, payment }) => [
      investment.status,
      investment.reason,
      payment.outcome,
      payment.reason,
    ]);

  it('missed at the end date refunds everything, to the drop, and distributes nothing', async () => {
    const endsAt = new Date(stage.ctx.clock.nowMs() + 3_600_000);
    const sale = await launchedUnder(stage, { distribution: 'at_end', softCapDrops: 20n * XRP, endsAt });
    const wallets = await holders(stage, sale, 3);
    for (const wallet of wallets) await stage.pay(wallet, sale, 5);
    await beat(stage, sale);
    // The date comes.
    await changeRows(
      stage.database.db,
      'projects',
      { id: sale.project.id },
      { endsAt: new Date((await stage.ctx.ledger.serverState()).validatedAtMs) },
    );
    stage.ctx.clock.advance(3_600_000);
    await untilQuiet(stage, sale);
    await stage.pay(wallets[0] as Wallet, sale, 2);
    await untilQuiet(stage, sale);

    expect(await projectRow(sale)).toMatchObject({
      status: 'cancelled',
      endReason: 'soft_cap_missed',
      raisedDrops: 15n * XRP,
      cancelledDrops: 15n * XRP,
    });
    const drops = await Promise.all(wallets.map(async ({ address }) => sentTo(stage, sale, address)));
    expect(drops).toEqual([
      { drops: 7n * XRP, units: 0n },
      { drops: 5n * XRP, units: 0n },
      { drops: 5n * XRP, units: 0n },
    ]);
    expect(await reasonsOf(sale)).toEqual(
      Array.from({ length: 4 }, () => ['failed', 'soft_cap_missed', 'refunded', 'soft_cap_missed']),
    );
    await expectRecordsAgree(stage, sale);
    const told = await rowsOf(stage.database.db, 'events', { projectId: sale.project.id, type: 'project.sale_ended' });
    expect(told.map((row) => JSON.parse(row.body).data.reason)).toEqual(['soft_cap_missed']);
    expect(await payoutsOf(stage, sale)).toHaveLength(4);
  });

  it('missed when an operator ends the sale refunds everything as well', async () => {
    const sale = await launchedUnder(stage, { distribution: 'at_end', softCapDrops: 20n * XRP });
    const [investor] = (await holders(stage, sale, 1)) as [Wallet];
    await stage.pay(investor, sale, 19.999999);
    await stage.settle(sale.deposit);
    await end(sale);
    await untilQuiet(stage, sale);
    expect(await sentTo(stage, sale, investor.address)).toEqual({ drops: 19_999_999n, units: 0n });
    expect(await reasonsOf(sale)).toEqual([['failed', 'soft_cap_missed', 'refunded', 'soft_cap_missed']]);
  });

  it('reached to the drop distributes everything and refunds nothing', async () => {
    const sale = await launchedUnder(stage, { distribution: 'at_end', softCapDrops: 20n * XRP });
    const [investor] = (await holders(stage, sale, 1)) as [Wallet];
    await stage.pay(investor, sale, 20);
    await stage.settle(sale.deposit);
    await end(sale);
    await untilQuiet(stage, sale);
    expect(await sentTo(stage, sale, investor.address)).toEqual({ drops: 0n, units: 200n * XRP });
    expect(await reasonsOf(sale)).toEqual([['confirmed', null, 'invested', null]]);
  });
});
