import { payoutPayment } from '@tranche/rules/transactions.ts';
import { type PartialReason, REFUND_SOURCE_TAG, REFUSAL_REASONS } from '@tranche/rules/types.ts';
import { inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { events } from '#drizzle/schema/events.ts';
import { formatDrops } from '#lib/base/money.ts';
import { loadDue } from '#lib/payouts/load.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { XRP } from '#tests/support/sale.ts';
import { admit, DEAR, PARTIAL, pay, type Row, WHOLE } from './refusal-rows.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

/** The books about one payment. */
async function recordsOf(hash: string) {
  const { db } = stage.database;
  const [payment] = await rowsOf(db, 'payments', { txHash: hash });
  if (payment === undefined) throw new Error('The payment was not recognised');
  const [investment] = await rowsOf(db, 'investments', { txHash: hash });
  const refunds = await rowsOf(db, 'payouts', { paymentHash: hash, kind: 'refund' });
  const told = await db
    .select({ body: events.body })
    .from(events)
    .where(inArray(events.type, ['investment.created', 'investment.failed', 'investment.confirmed']))
    .orderBy(events.sequence);
  const investorEvents = told
    .map(({ body }) => JSON.parse(body))
    .filter(({ data }) => data.transaction.hash === hash)
    .map(({ event_type: type, timestamp, data }) => ({ type, timestamp, data }));
  return { payment, investment, refunds, investorEvents };
}
type Books = Awaited<ReturnType<typeof recordsOf>>;

/** Plays a row: the sale, what happened before, the payment; and reads what the books say of it. */
async function play(row: Row) {
  const sale = await stage.draft(row.body);
  const investor = await stage.account();
  if (row.list !== undefined) await admit(stage, sale, row.list(investor));
  if (row.draft !== true) await stage.act(sale, 'launch');
  await stage.settle(sale.deposit);
  await row.before?.(stage, sale, investor);
  const hash = await pay(stage, investor, sale, row.paid);
  await stage.settle(sale.deposit);
  return { sale, investor, hash, books: await recordsOf(hash) };
}

/** Whether the row's payment carries the tag of its project. */
const isProjects = (row: Row) => row.paid.tag === undefined;

/** What the payouts would sign for the one refund that is owed. */
async function refundTransaction(sale: Sale, { refunds }: Books) {
  const { validatedAtMs } = await stage.ctx.ledger.serverState();
  const due = await loadDue(stage.database.db, sale.deposit.address, new Date(validatedAtMs), 100);
  const payout = due.find(({ id }) => id === refunds[0]?.id);
  if (payout === undefined) throw new Error('The refund is not due');
  return payoutPayment(payout, { feeDrops: 12n, ticket: 9, lastLedgerSequence: 99 });
}

describe.each([...WHOLE, ...PARTIAL])('a payment, $reason because $when', (row) => {
  const { paid, invested, reason } = row;
  const refundedDrops = paid.drops - (invested ?? 0n);
  const sourceTag = paid.sourceTag ?? null;
  let played: Awaited<ReturnType<typeof play>>;
  beforeAll(async () => {
    played = await play(row);
  });

  it('is booked to the drop with its reason', () => {
    const { payment, investment } = played.books;
    expect(payment).toMatchObject({
      outcome: invested === null ? 'refunded' : 'partial',
      reason,
      receivedDrops: paid.drops,
      investedDrops: invested ?? 0n,
      refundedDrops,
      heldDrops: 0n,
    });
    if (!isProjects(row)) expect(investment).toBeUndefined();
    else if (invested === null) expect(investment).toMatchObject({ status: 'failed', reason, confirmedDrops: 0n });
    else expect(investment).toMatchObject({ status: 'confirmed', reason: null, confirmedDrops: invested });
  });

  it('is owed back what it did not buy: one refund, to its sender and its SourceTag', async () => {
    const { sale, investor, hash, books } = played;
    const { refunds, payment, investment } = books;
    expect(refunds).toEqual([
      expect.objectContaining({
        kind: 'refund',
        status: 'scheduled',
        reason: null,
        projectId: isProjects(row) ? sale.project.id : null,
        investmentId: investment?.id ?? null,
        paymentHash: hash,
        part: 1,
        account: sale.deposit.address,
        destination: investor.address,
        destinationTag: sourceTag,
        amount: refundedDrops,
        dueAt: payment.closedAt,
      }),
    ]);
    // SourceTag 0 is a tag, and goes back as one.
    expect(await refundTransaction(sale, books)).toEqual({
      TransactionType: 'Payment',
      Account: sale.deposit.address,
      Destination: investor.address,
      ...(sourceTag === null ? {} : { DestinationTag: sourceTag }),
      Amount: refundedDrops.toString(),
      SourceTag: REFUND_SOURCE_TAG,
      Fee: '12',
      Sequence: 0,
      TicketSequence: 9,
      LastLedgerSequence: 99,
    });
  });

  it('is reported to subscribers as what it became', async () => {
    const { sale, investor, hash, books } = played;
    const { payment, investment, investorEvents } = books;
    const [created, decided, ...further] = investorEvents;
    expect(further).toEqual([]);
    if (!isProjects(row)) {
      expect(investorEvents).toEqual([]);
      return;
    }
    // Told with the time of the next ledger, which confirms what this one decided: after its creation.
    const confirmedAt = new Date(await stage.ctx.ledger.closedAtMs(payment.ledgerIndex + 1)).toISOString();
    expect(Date.parse(confirmedAt)).toBeGreaterThan(payment.closedAt.getTime());
    expect(created).toMatchObject({
      type: 'investment.created',
      timestamp: payment.closedAt.toISOString(),
      data: { investment_id: investment?.id, amount_xrp: formatDrops(paid.drops) },
    });
    const common = { investment_id: investment?.id, project_id: sale.project.id, investor_account: investor.address };
    if (invested === null) {
      expect(created).toMatchObject({ data: { tier_info: { tokens_expected: '0.000000' } } });
      expect(decided).toEqual({
        type: 'investment.failed',
        timestamp: confirmedAt,
        data: {
          ...common,
          amount_xrp: formatDrops(paid.drops),
          reason,
          transaction: { hash, ledger_index: payment.ledgerIndex },
          status: 'failed',
        },
      });
    } else {
      expect(decided).toMatchObject({
        type: 'investment.confirmed',
        timestamp: confirmedAt,
        data: { ...common, confirmed_amount_xrp: formatDrops(invested), status: 'confirmed' },
      });
    }
  });
});

describe('the table of refusals', () => {
  it('has a row for every reason, and for every reason of a part that goes back', () => {
    expect(new Set(WHOLE.map((row) => row.reason))).toEqual(new Set(REFUSAL_REASONS));
    const partial: Record<PartialReason, true> = {
      change: true,
      sold_out: true,
      above_wallet_cap: true,
      not_admitted: true,
      between_tiers: true,
    };
    expect(new Set(PARTIAL.map((row) => row.reason))).toEqual(new Set(Object.keys(partial)));
  });
});

describe('a refused payment below the smallest refund', () => {
  const dust = 999n;

  it('is held with its reason: nothing is owed, and its investment has failed', async () => {
    const sale = await stage.launched({ min_investment_xrp: '5' });
    const hash = await pay(stage, await stage.account(), sale, { drops: dust });
    await stage.settle(sale.deposit);
    const { payment, investment, refunds, investorEvents } = await recordsOf(hash);
    expect(payment).toMatchObject({ outcome: 'held', reason: 'below_minimum', heldDrops: dust, refundedDrops: 0n });
    expect(investment).toMatchObject({ status: 'failed', reason: 'below_minimum' });
    expect(refunds).toEqual([]);
    expect(investorEvents.at(-1)).toMatchObject({
      type: 'investment.failed',
      data: { amount_xrp: '0.000999', reason: 'below_minimum' },
    });
  });

  it('is held also where it belongs to no project, and one drop more goes back', async () => {
    const sale = await stage.launched();
    const investor = await stage.account();
    const held = await pay(stage, investor, sale, { drops: dust, tag: null });
    const refunded = await pay(stage, investor, sale, { drops: dust + 1n, tag: null });
    await stage.settle(sale.deposit);
    expect(await recordsOf(held)).toMatchObject({
      payment: { outcome: 'held', reason: 'no_tag', heldDrops: dust },
      refunds: [],
      investorEvents: [],
    });
    expect(await recordsOf(refunded)).toMatchObject({
      payment: { outcome: 'refunded', reason: 'no_tag', heldDrops: 0n },
      refunds: [{ amount: dust + 1n }],
    });
  });

  it('keeps what is left of an investment instead: it is part of what was invested', async () => {
    const sale = await stage.launched({ tiers: [DEAR] });
    const hash = await pay(stage, await stage.account(), sale, { drops: 2n * XRP + dust });
    await stage.settle(sale.deposit);
    expect(await recordsOf(hash)).toMatchObject({
      payment: { outcome: 'invested', reason: null, investedDrops: 2n * XRP + dust, refundedDrops: 0n },
      investment: { roundingDrops: dust, totalUnits: 2n },
      refunds: [],
    });
  });
});
