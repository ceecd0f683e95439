import { investmentId } from '@tranche/rules/ids.ts';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projects } from '#drizzle/schema/sale.ts';
import { applyEnv } from '#lib/base/env.ts';
import { historyContract, projectInvestmentsContract } from '#lib/sales/contracts.ts';
import { recentInvestments } from '#lib/sales/investments/read-investments.ts';
import { raisedOverTime } from '#lib/sales/projects/raised-over-time.ts';
import type { PaymentEntry } from '#lib/xrpl/types.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { closeOf, ISSUER, PRICE_ONE, paymentEntry, seedSale, takeEntries, XRP } from '#tests/support/sale.ts';

const NOBODYS = 'proj_0000000000000000000000';
let database: FreshDatabase;
let sale: string;
let empty: string;
beforeAll(async () => {
  applyEnv(testEnv());
  database = await freshDatabase();
  sale = (await seedSale(database.db, { tag: 77, tierList: [{ price: PRICE_ONE, totalUnits: 1_000n * XRP }] }))
    .projectId;
  empty = (await seedSale(database.db, { tag: 78, tierList: [{ price: PRICE_ONE, totalUnits: 10n * XRP }] })).projectId;
});
afterAll(() => database?.close());

const ctx = () => testCtx({ db: database.db });
const of = (ledger: number, drops: bigint, index = 0) =>
  paymentEntry(ledger, index, drops, { sender: ISSUER, destinationTag: 77 });
const idOf = (ledger: number, index = 0) => investmentId(paymentEntry(ledger, index, 1n).hash);
const timeOf = (ledger: number) => new Date(closeOf(ledger)).toISOString();

const take = (entries: PaymentEntry[], isConfirmed = true) => takeEntries(ctx(), entries, { isConfirmed });

describe('what a sale raised over its time', () => {
  it('is empty before the first payment, and no history of no sale', async () => {
    expect(historyContract.responses[200].parse(await raisedOverTime(ctx(), empty))).toEqual({
      project_id: empty,
      points: [],
    });
    await expect(raisedOverTime(ctx(), NOBODYS)).rejects.toMatchObject({ code: 'project_not_found' });
  });

  it('adds up payment by payment, shows at once what came since, and leaves out what is not confirmed', async () => {
    await take([of(101, 4n * XRP), of(101, 1n * XRP, 1), of(103, 2n * XRP)]);
    expect((await raisedOverTime(ctx(), sale)).points).toEqual([
      { at: timeOf(101), raised_xrp: '5.000000', investments: 2 },
      { at: timeOf(103), raised_xrp: '7.000000', investments: 3 },
    ]);
    await take([of(104, 3n * XRP)]);
    await take([of(105, 9n * XRP)], false);
    const { points } = historyContract.responses[200].parse(await raisedOverTime(ctx(), sale));
    expect(points.at(-1)).toEqual({ at: timeOf(104), raised_xrp: '10.000000', investments: 4 });
  });

  it('has at most 96 steps, however many paid, and ends with all that was raised', async () => {
    await take(Array.from({ length: 200 }, (_, place) => of(110 + place, XRP)));
    const { points } = await raisedOverTime(ctx(), sale);
    expect(points.length).toBeLessThanOrEqual(96);
    expect(points.at(-1)).toMatchObject({ raised_xrp: '219.000000', investments: 205 });
    expect(points.map(({ at }) => at)).toEqual(points.map(({ at }) => at).toSorted());
  });

  it('is read once a minute when the sale has 10,000 investors, however much is paid meanwhile', async () => {
    const { projectId } = await seedSale(database.db, { tag: 79 });
    const asked = ctx();
    const raise = (drops: bigint, investors: number) =>
      database.db
        .update(projects)
        .set({ raisedDrops: drops, investors, investorsDrops: drops })
        .where(eq(projects.id, projectId));
    await raise(1n, 10_000);
    const first = await raisedOverTime(asked, projectId);
    await raise(2n, 10_001);
    asked.clock.advance(59_999);
    expect(await raisedOverTime(asked, projectId)).toBe(first);
    asked.clock.advance(1);
    expect(await raisedOverTime(asked, projectId)).not.toBe(first);
  });
});

describe('the investments of a sale', () => {
  it('come newest first, page by page, each of them once', async () => {
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await recentInvestments(ctx(), { project_id: sale, limit: 60, cursor });
      projectInvestmentsContract.responses[200].parse(page);
      seen.push(...page.investments.map(({ id }) => id));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(seen).toHaveLength(205);
    expect(new Set(seen).size).toBe(205);
    expect(seen[0]).toBe(idOf(309));
  });

  it('are those of the sale alone, by state where one is asked for, and none of no sale', async () => {
    expect((await recentInvestments(ctx(), { project_id: empty, limit: 5 })).investments).toEqual([]);
    const failed = await recentInvestments(ctx(), { project_id: sale, limit: 5, status: 'failed' });
    expect(failed.investments).toEqual([]);
    await expect(recentInvestments(ctx(), { project_id: NOBODYS, limit: 5 })).rejects.toMatchObject({
      code: 'project_not_found',
    });
  });
});
