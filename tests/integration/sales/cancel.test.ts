import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { EVENT_CATALOGUE, type EventType } from '#lib/events/catalogue.ts';
import { readDueWork } from '#lib/jobs/heartbeat.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { getInvestment } from '#lib/sales/investments/read-investments.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { raisedOverTime } from '#lib/sales/projects/raised-over-time.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import {
  beat,
  expectRecordsAgree,
  holders,
  investmentsOf,
  launchedUnder,
  payoutsOf,
  sentTo,
  trust,
  untilQuiet,
} from './cancelled-sales.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

const eventsOf = async (sale: Sale, type: EventType) => {
  const rows = await rowsOf(stage.database.db, 'events', { projectId: sale.project.id, type });
  return rows.map((row) => {
    const { data } = JSON.parse(row.body);
    EVENT_CATALOGUE[type].parse(data);
    return data;
  });
};
const projectRow = async ({ project }: Sale) => (await rowsOf(stage.database.db, 'projects', { id: project.id }))[0];
const cancel = async (sale: Sale) => {
  await stage.act(sale, 'cancel');
  await stage.settle(sale.deposit);
};
const XRP = 1_000_000n;

describe('a cancelled sale', () => {
  it('leaves distributed tokens with their holders and gives everybody else the XRP back, to the drop', async () => {
    const sale = await launchedUnder(stage, {});
    const [early] = (await holders(stage, sale, 1)) as [Wallet];
    const [slow, late] = (await stage.desk.accounts(2)) as [Wallet, Wallet];
    await stage.pay(early, sale, 5);
    await untilQuiet(stage, sale);
    await stage.pay(slow, sale, 7);
    await beat(stage, sale);
    await cancel(sale);
    await stage.pay(late, sale, 3);
    await untilQuiet(stage, sale);

    expect(await sentTo(stage, sale, early.address)).toEqual({ drops: 0n, units: 50n * XRP });
    expect(await sentTo(stage, sale, slow.address)).toEqual({ drops: 7n * XRP, units: 0n });
    expect(await sentTo(stage, sale, late.address)).toEqual({ drops: 3n * XRP, units: 0n });
    const books = (await investmentsOf(stage, sale)).map(({ investment, payment }) => [
      investment.status,
      investment.reason,
      payment.outcome,
      payment.reason,
      payment.investedDrops,
      payment.refundedDrops,
    ]);
    expect(books).toEqual([
      ['confirmed', null, 'invested', null, 5n * XRP, 0n],
      ['failed', 'cancelled', 'refunded', 'cancelled', 0n, 7n * XRP],
      ['failed', 'cancelled', 'refunded', 'cancelled', 0n, 3n * XRP],
    ]);
    await expectRecordsAgree(stage, sale);
    expect((await raisedOverTime(stage.ctx, sale.project.id)).points.at(-1)).toMatchObject({
      raised_xrp: '12.000000',
      investments: 2,
    });
    expect(await projectRow(sale)).toMatchObject({
      status: 'cancelled',
      endReason: 'cancelled',
      raisedDrops: 12n * XRP,
      cancelledDrops: 7n * XRP,
      cancellationCompletedAt: new Date(stage.ctx.clock.nowMs()),
    });
    // What was sold and who bought it stays on record.
    const [tier] = await rowsOf(stage.database.db, 'tiers', { projectId: sale.project.id });
    expect(tier).toMatchObject({ soldUnits: 120n * XRP, valueDrops: 12n * XRP });
  });

  it('tells each fact once: the cancellation, each failed investment, each refund', async () => {
    const sale = await launchedUnder(stage, {});
    const [investor] = (await stage.desk.accounts(1)) as [Wallet];
    const hash = await stage.pay(investor, sale, 7);
    await beat(stage, sale);
    await cancel(sale);
    await untilQuiet(stage, sale);
    const [cancelled, ...more] = await eventsOf(sale, 'project.cancelled');
    expect(more).toEqual([]);
    expect(cancelled).toMatchObject({ total_raised_xrp: '7.000000', total_investors: 1 });
    expect(await eventsOf(sale, 'investment.failed')).toMatchObject([
      { amount_xrp: '7.000000', reason: 'cancelled', status: 'failed', transaction: { hash } },
    ]);
    expect(await eventsOf(sale, 'investment.refunded')).toMatchObject([{ amount_xrp: '7.000000' }]);
    expect(await eventsOf(sale, 'project.sale_ended')).toEqual([]);
    const [row] = await investmentsOf(stage, sale);
    expect(await getInvestment(stage.ctx, row?.investment.id ?? '')).toMatchObject({
      status: 'failed',
      reason: 'cancelled',
      payouts: [{ status: 'cancelled', reason: 'cancelled' }],
      refunds: [{ status: 'validated', amount_xrp: '7.000000' }],
      // What it bought stays on record; what is still invested of it is nothing.
      amount_xrp: '7.000000',
      final_tier_allocation: [{ tier: 1, amount_xrp: '7.000000' }],
      confirmed_amount_xrp: '0.000000',
      refunded_xrp: '7.000000',
      held_xrp: '0.000000',
    });
    expect(await getProject(stage.ctx, sale.project.id)).toMatchObject({
      status: 'cancelled',
      end_reason: 'cancelled',
      ended_at: cancelled.cancelled_at,
      pending_action: null,
      progress: { total_raised_xrp: '7.000000', cancelled_xrp: '7.000000' },
    });
    const audited = await rowsOf(stage.database.db, 'auditEntries', { subject: sale.project.id });
    expect(audited.map((entry) => entry.action)).toContain('project.cancel');
  });

  it('sends its refund to the payer with the tag that the payer gave as source', async () => {
    const sale = await launchedUnder(stage, {});
    const [exchange] = (await stage.desk.accounts(1)) as [Wallet];
    await stage.desk.send(exchange, {
      TransactionType: 'Payment',
      Account: exchange.address,
      Destination: sale.deposit.address,
      DestinationTag: sale.project.destination_tag,
      SourceTag: 4_711,
      Amount: '5000000',
    });
    await beat(stage, sale);
    await cancel(sale);
    await untilQuiet(stage, sale);
    const [refund] = (await payoutsOf(stage, sale)).filter(({ kind }) => kind === 'refund');
    expect(refund).toMatchObject({
      part: 2,
      account: sale.deposit.address,
      destination: exchange.address,
      destinationTag: 4_711,
      amount: 5n * XRP,
      status: 'validated',
    });
  });

  it('while it is paused gives everything back as well', async () => {
    const sale = await launchedUnder(stage, {});
    const [investor] = (await stage.desk.accounts(1)) as [Wallet];
    await stage.pay(investor, sale, 5);
    await stage.settle(sale.deposit);
    await stage.act(sale, 'pause');
    await stage.settle(sale.deposit);
    await cancel(sale);
    await untilQuiet(stage, sale);
    expect(await sentTo(stage, sale, investor.address)).toEqual({ drops: 5n * XRP, units: 0n });
    await expectRecordsAgree(stage, sale);
  });

  it('that was to distribute at its end has no token to take back, and gives everything back', async () => {
    const sale = await launchedUnder(stage, { distribution: 'at_end' });
    const [investor] = (await holders(stage, sale, 1)) as [Wallet];
    await stage.pay(investor, sale, 5);
    await beat(stage, sale);
    expect(await payoutsOf(stage, sale)).toEqual([]);
    await cancel(sale);
    await untilQuiet(stage, sale);
    expect(await sentTo(stage, sale, investor.address)).toEqual({ drops: 5n * XRP, units: 0n });
    await expectRecordsAgree(stage, sale);
  });

  it('that distributed everything gives nothing back', async () => {
    const sale = await launchedUnder(stage, {});
    const [investor] = (await holders(stage, sale, 1)) as [Wallet];
    await stage.pay(investor, sale, 5);
    await untilQuiet(stage, sale);
    await cancel(sale);
    await untilQuiet(stage, sale);
    expect(await sentTo(stage, sale, investor.address)).toEqual({ drops: 0n, units: 50n * XRP });
    expect((await investmentsOf(stage, sale))[0]).toMatchObject({
      investment: { status: 'confirmed', reason: null, cancellationApplied: true },
      payment: { outcome: 'invested', reason: null, investedDrops: 5n * XRP },
    });
    expect(await eventsOf(sale, 'investment.failed')).toEqual([]);
    expect((await projectRow(sale))?.cancellationCompletedAt).not.toBeNull();
  });

  it('adds to the change that a payment got back before', async () => {
    // A unit costs 2,500 drops: of this payment, 1,000 buy nothing.
    const sale = await launchedUnder(stage, {}, { tiers: [{ price_per_token: '2500', total_tokens: '1' }] });
    const [investor] = (await stage.desk.accounts(1)) as [Wallet];
    await stage.pay(investor, sale, 10.001);
    await beat(stage, sale);
    expect((await investmentsOf(stage, sale))[0]?.payment).toMatchObject({ outcome: 'partial', reason: 'change' });
    await cancel(sale);
    await untilQuiet(stage, sale);
    expect((await investmentsOf(stage, sale))[0]?.payment).toMatchObject({
      outcome: 'refunded',
      reason: 'cancelled',
      refundedDrops: 10_001_000n,
    });
    const refunds = (await payoutsOf(stage, sale)).filter(({ kind }) => kind === 'refund');
    expect(refunds.map(({ part, amount }) => [part, amount])).toEqual([
      [1, 1_000n],
      [2, 10n * XRP],
    ]);
    expect(await sentTo(stage, sale, investor.address)).toEqual({ drops: 10_001_000n, units: 0n });
  });

  it('holds what is too little to be sent back, for a person', async () => {
    const sale = await launchedUnder(stage, { refundMinDrops: 2n * XRP });
    const [small] = (await stage.desk.accounts(1)) as [Wallet];
    await stage.pay(small, sale, 1);
    await stage.settle(sale.deposit);
    await cancel(sale);
    await untilQuiet(stage, sale);
    expect((await investmentsOf(stage, sale))[0]).toMatchObject({
      investment: { status: 'failed', reason: 'cancelled' },
      payment: { outcome: 'held', reason: 'cancelled', investedDrops: 0n, refundedDrops: 0n, heldDrops: XRP },
    });
    expect((await payoutsOf(stage, sale)).map(({ kind, status }) => [kind, status])).toEqual([
      ['distribution', 'cancelled'],
    ]);
    await expectRecordsAgree(stage, sale);
    expect((await projectRow(sale))?.cancelledDrops).toBe(XRP);
  });

  it('holds a refund that its payer’s account refuses, with the reason', async () => {
    const sale = await launchedUnder(stage, {});
    const [closed] = (await stage.desk.accounts(1)) as [Wallet];
    await stage.pay(closed, sale, 5);
    await stage.settle(sale.deposit);
    await stage.setFlag(closed, 'asfDepositAuth');
    await cancel(sale);
    await untilQuiet(stage, sale);
    const [refund] = (await payoutsOf(stage, sale)).filter(({ kind }) => kind === 'refund');
    expect(refund).toMatchObject({ status: 'held', reason: 'deposit_authorization_required', amount: 5n * XRP });
    expect((await projectRow(sale))?.cancellationCompletedAt).not.toBeNull();
    await expectRecordsAgree(stage, sale);
  });

  it('distributes nothing to who opens a line afterwards', async () => {
    const sale = await launchedUnder(stage, {});
    const [slow] = (await stage.desk.accounts(1)) as [Wallet];
    await stage.pay(slow, sale, 5);
    await beat(stage, sale);
    await trust(stage, sale, slow);
    await cancel(sale);
    await changeRows(stage.database.db, 'payouts', {}, { nextCheckAt: new Date(0) });
    await untilQuiet(stage, sale);
    expect(await sentTo(stage, sale, slow.address)).toEqual({ drops: 5n * XRP, units: 0n });
  });

  it('is left as it is while its account is halted, and asks for no beat of its own', async () => {
    const sale = await launchedUnder(stage, {});
    const [investor] = (await stage.desk.accounts(1)) as [Wallet];
    await stage.pay(investor, sale, 5);
    await stage.settle(sale.deposit);
    await cancel(sale);
    const halt = (halted: boolean) =>
      changeRows(stage.database.db, 'depositAccounts', { address: sale.deposit.address }, { halted });
    await halt(true);
    await beat(stage, sale);
    expect((await projectRow(sale))?.cancellationCompletedAt).toBeNull();
    expect((await payoutsOf(stage, sale)).map(({ kind }) => kind)).toEqual(['distribution']);
    await halt(false);
    await untilQuiet(stage, sale);
    expect(await sentTo(stage, sale, investor.address)).toEqual({ drops: 5n * XRP, units: 0n });
  });

  it('is taken back by process-payments itself, which beats until that is done', async () => {
    // Nothing else on this stage is to ask for a beat.
    await changeRows(stage.database.db, 'projects', { status: 'active' }, { status: 'completed' });
    const sale = await launchedUnder(stage, {});
    const [investor] = (await stage.desk.accounts(1)) as [Wallet];
    await stage.pay(investor, sale, 5);
    await stage.settle(sale.deposit);
    await cancel(sale);
    expect(await readDueWork(stage.ctx)).toMatchObject({ due: true });
    const run = await processPayments(stage.ctx);
    expect(run).toMatchObject({ cancelled_investments: 1, planned: 0, faults: [], payouts: { submitted: 0 } });
    // Tickets first, then the refund.
    for (let beats = 0; beats < 10 && (await readDueWork(stage.ctx)).due; beats++) {
      stage.desk.close();
      await processPayments(stage.ctx);
    }
    expect(await readDueWork(stage.ctx)).toMatchObject({ due: false });
    expect(await sentTo(stage, sale, investor.address)).toEqual({ drops: 5n * XRP, units: 0n });
  });
});
