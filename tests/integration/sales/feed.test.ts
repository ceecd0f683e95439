import { asc, eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deliveries, events } from '#drizzle/schema/events.ts';
import { payouts } from '#drizzle/schema/payouts.ts';
import { allocations, investments, payments, projects, tiers } from '#drizzle/schema/sale.ts';
import { applyEnv } from '#lib/base/env.ts';
import { EVENT_CATALOGUE, type EventType } from '#lib/events/catalogue.ts';
import { confirm } from '#lib/sales/feed/confirm.ts';
import { recognise } from '#lib/sales/feed/recognise.ts';
import { getInvestment } from '#lib/sales/investments/read-investments.ts';
import { fanOutEvents } from '#lib/webhooks/delivery/fan-out.ts';
import type { FeedEntry } from '#lib/xrpl/types.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import {
  CLOSED_AT_MS,
  confirmedAtMs,
  DEPOSIT,
  DISTRIBUTOR,
  pageOf,
  paymentEntry,
  START_LEDGER,
  seedSale,
  subscribeToAll,
  XRP,
} from '#tests/support/sale.ts';

let database: FreshDatabase;

beforeAll(() => applyEnv(testEnv()));
beforeEach(async () => {
  database = await freshDatabase({ maxConnections: 10 });
});
afterEach(() => database.close());

const ctx = () => testCtx({ db: database.db });
const confirmThrough = (ledger: number) =>
  confirm(ctx(), { account: DEPOSIT, throughLedger: ledger, closedAtMs: null, confirmedAtMs });
const readPage = (entries: FeedEntry[], afterLedger: number, through: number) =>
  recognise(ctx(), { account: DEPOSIT, afterLedger, page: pageOf(entries, through) });

const eventBodies = async () =>
  (await database.db.select().from(events).orderBy(asc(events.sequence))).map((row) => JSON.parse(row.body));

describe('a payment across a tier boundary', () => {
  it('becomes an investment, is confirmed over both tiers, and each fact is one event of the declared form', async () => {
    await subscribeToAll(database.db);
    const { projectId } = await seedSale(database.db);
    await readPage([paymentEntry(101, 3, 250n * XRP, { sourceTag: 9 })], 100, 101);
    const [pending] = await rowsOf(database.db, 'investments');
    expect(pending?.status).toBe('pending_confirmation');
    expect((await eventBodies()).map((body) => body.event_type)).toEqual(['investment.created']);

    expect(await confirmThrough(101)).toMatchObject({ confirmed: 1, tiersCompleted: 1 });
    const bodies = await eventBodies();
    expect(bodies.map((body) => body.event_type)).toEqual([
      'investment.created',
      'investment.confirmed',
      'project.tier_completed',
    ]);
    for (const body of bodies) EVENT_CATALOGUE[body.event_type as EventType].parse(body.data);
    expect(bodies[0].data).toMatchObject({
      project_id: projectId,
      amount_xrp: '250.000000',
      tier_info: { tier: 1, price_per_token: '0.10', tokens_expected: '1750.000000' },
      transaction: { ledger_index: 101, destination_tag: 77 },
      status: 'pending_confirmation',
    });
    expect(bodies[1].data).toMatchObject({
      confirmed_amount_xrp: '250.000000',
      final_tier_allocation: [
        { tier: 1, amount_xrp: '100.000000', tokens: '1000.000000' },
        { tier: 2, amount_xrp: '150.000000', tokens: '750.000000' },
      ],
      total_tokens: '1750.000000',
      tokens_to_distribute: '1750.000000',
      status: 'confirmed',
    });
    expect(bodies[2].data).toMatchObject({
      tier_completed: 1,
      tier_details: { total_tokens: '1000.000000', total_value_xrp: '100.000000' },
      completion_stats: { total_investors: 1, time_to_complete_hours: 1.0011 },
      next_tier: { tier: 2, price_per_token: '0.20', total_tokens: '5000.000000' },
      project_progress: {
        tiers_completed: 1,
        total_tiers: 2,
        total_raised_xrp: '100.000000',
        progress_percentage: 9.09,
      },
    });
    expect(await fanOutEvents(ctx(), Number.POSITIVE_INFINITY)).toEqual({ deliveries: 3, more: false });
    const owed = await rowsOf(database.db, 'payouts');
    expect(owed).toMatchObject([
      { kind: 'distribution', account: DISTRIBUTOR, amount: 1_750n * XRP, destinationTag: 9, status: 'scheduled' },
    ]);
    expect(await getInvestment(ctx(), pending?.id ?? '')).toMatchObject({
      status: 'confirmed',
      rounding_xrp: '0.000000',
      payouts: [{ tokens: '1750.000000', status: 'scheduled' }],
    });
  });
});

describe('a page of the feed', () => {
  it('read by eight readers at once becomes one investment and one set of events a payment', async () => {
    await subscribeToAll(database.db);
    await seedSale(database.db);
    const entries = Array.from({ length: 40 }, (_, i) => paymentEntry(101 + (i % 4), i, 10n * XRP));
    entries.sort((a, b) => a.ledgerIndex - b.ledgerIndex || a.transactionIndex - b.transactionIndex);
    const results = await Promise.all(Array.from({ length: 8 }, () => readPage(entries, 100, 104)));
    expect(results.filter((result) => result.advanced)).toHaveLength(1);
    await Promise.all(Array.from({ length: 8 }, () => confirmThrough(104)));
    expect(await database.db.$count(payments)).toBe(40);
    expect(await database.db.$count(investments, eq(investments.status, 'confirmed'))).toBe(40);
    expect(await database.db.$count(events, eq(events.type, 'investment.created'))).toBe(40);
    expect(await database.db.$count(events, eq(events.type, 'investment.confirmed'))).toBe(40);
    await Promise.all(Array.from({ length: 8 }, () => fanOutEvents(ctx(), Number.POSITIVE_INFINITY)));
    expect(await database.db.$count(deliveries)).toBe(await database.db.$count(events));
  });

  it('that overlaps what is known adds nothing for it', async () => {
    await seedSale(database.db);
    await readPage([paymentEntry(101, 0, XRP)], 100, 101);
    await readPage([paymentEntry(101, 0, XRP), paymentEntry(102, 0, XRP)], 101, 102);
    expect(await database.db.$count(investments)).toBe(2);
  });

  it('read before another has moved the cursor is not written', async () => {
    await seedSale(database.db);
    await readPage([paymentEntry(101, 0, XRP)], 100, 101);
    const late = await readPage([paymentEntry(101, 0, XRP), paymentEntry(102, 0, XRP)], 100, 102);
    expect(late.advanced).toBe(false);
    expect(await database.db.$count(payments)).toBe(1);
  });

  it('stays pending above the confirmation bound', async () => {
    await seedSale(database.db);
    await readPage([paymentEntry(101, 0, XRP), paymentEntry(102, 0, XRP)], 100, 102);
    await confirmThrough(101);
    const statuses = await database.db
      .select({ status: investments.status })
      .from(investments)
      .orderBy(investments.paidAt);
    expect(statuses.map((row) => row.status)).toEqual(['confirmed', 'pending_confirmation']);
  });

  it('of a halted account is not read', async () => {
    await seedSale(database.db);
    await changeRows(database.db, 'depositAccounts', {}, { halted: true });
    expect((await readPage([paymentEntry(101, 0, XRP)], 100, 101)).advanced).toBe(false);
  });
});

describe('a refused payment', () => {
  it('is owed back to its sender with the tag that the sender gave as source', async () => {
    await seedSale(database.db);
    await readPage(
      [
        paymentEntry(101, 0, 5n * XRP, { destinationTag: 12_345, sourceTag: 42 }),
        paymentEntry(101, 1, 7n * XRP, { destinationTag: null }),
      ],
      100,
      101,
    );
    expect(await confirmThrough(101)).toMatchObject({ confirmed: 0, refused: 2 });
    const owed = await database.db.select().from(payouts).orderBy(asc(payouts.amount));
    expect(owed).toMatchObject([
      { kind: 'refund', account: DEPOSIT, destination: 'rInvestor0', destinationTag: 42, amount: 5n * XRP },
      { kind: 'refund', account: DEPOSIT, destination: 'rInvestor1', destinationTag: null, amount: 7n * XRP },
    ]);
    const booked = await database.db.select().from(payments).orderBy(asc(payments.transactionIndex));
    expect(booked.map((row) => [row.outcome, row.reason])).toEqual([
      ['refunded', 'unknown_tag'],
      ['refunded', 'no_tag'],
    ]);
    expect(await database.db.$count(investments)).toBe(0);
  });

  it('that carries the tag of a paused sale is an investment that failed, with its reason in the event', async () => {
    await seedSale(database.db);
    await changeRows(database.db, 'projects', {}, { status: 'paused' });
    await readPage([paymentEntry(101, 0, 5n * XRP)], 100, 101);
    await confirmThrough(101);
    expect(await rowsOf(database.db, 'investments')).toMatchObject([{ status: 'failed', reason: 'not_active' }]);
    expect((await eventBodies())[1]).toMatchObject({ event_type: 'investment.failed', data: { reason: 'not_active' } });
  });
});

describe('the books', () => {
  it('are the same in any paging and any confirmation rhythm', async () => {
    const feed = Array.from({ length: 60 }, (_, i) =>
      paymentEntry(101 + Math.floor(i / 5), i % 5, BigInt(1 + ((i * 7_919) % 40)) * XRP + BigInt(i), {
        destinationTag: i % 11 === 0 ? null : 77,
      }),
    );
    const books: string[] = [];
    for (const ledgersAPage of [1, 5, 12]) {
      await database.close();
      database = await freshDatabase();
      await seedSale(database.db);
      for (let after = START_LEDGER; after < 112; after += ledgersAPage) {
        const through = Math.min(after + ledgersAPage, 112);
        await readPage(
          feed.filter((entry) => entry.ledgerIndex > after && entry.ledgerIndex <= through),
          after,
          through,
        );
        if (ledgersAPage !== 5) await confirmThrough(through);
      }
      await confirmThrough(112);
      const rows = {
        allocations: await database.db
          .select({
            id: allocations.investmentId,
            tier: allocations.tier,
            drops: sql<string>`${allocations.amountDrops}::text`,
            units: sql<string>`${allocations.units}::text`,
          })
          .from(allocations)
          .orderBy(allocations.investmentId, allocations.tier),
        events: (await database.db.select({ id: events.id, type: events.type }).from(events).orderBy(events.id)).length,
      };
      books.push(JSON.stringify(rows));
    }
    expect(new Set(books).size).toBe(1);
  });

  it('conserve every drop, and the tiers hold what the allocations say', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.bigInt({ min: 1n, max: 400n * XRP }), { minLength: 1, maxLength: 25 }),
        async (amounts) => {
          await database.close();
          database = await freshDatabase();
          await seedSale(database.db);
          await readPage(
            amounts.map((drops, i) => paymentEntry(101, i, drops, { destinationTag: i % 5 === 4 ? 1 : 77 })),
            100,
            101,
          );
          await confirmThrough(101);
          const [sums] = await database.db
            .select({
              received: sql<string>`sum(received_drops)::text`,
              accounted: sql<string>`sum(invested_drops + refunded_drops + held_drops)::text`,
              invested: sql<string>`sum(invested_drops)::text`,
            })
            .from(payments);
          expect(sums?.received).toBe(sums?.accounted);
          const [parts] = await database.db
            .select({
              drops: sql<string>`coalesce(sum(amount_drops), 0)::text`,
              units: sql<string>`coalesce(sum(units), 0)::text`,
            })
            .from(allocations);
          const [sold] = await database.db
            .select({ drops: sql<string>`sum(value_drops)::text`, units: sql<string>`sum(sold_units)::text` })
            .from(tiers);
          expect(parts).toEqual(sold);
          expect(parts?.drops).toBe(sums?.invested);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe('time', () => {
  it('ends a sale by the close time of a ledger with nothing in it', async () => {
    await seedSale(database.db);
    await changeRows(database.db, 'projects', {}, { endsAt: new Date(CLOSED_AT_MS) });
    await readPage([], 100, 101);
    await confirm(ctx(), { account: DEPOSIT, throughLedger: 101, closedAtMs: CLOSED_AT_MS + 1, confirmedAtMs });
    expect(await database.db.select({ status: projects.status }).from(projects)).toEqual([{ status: 'completed' }]);
    expect(await eventBodies()).toMatchObject([{ event_type: 'project.sale_ended', data: { reason: 'end_date' } }]);
  });
});
