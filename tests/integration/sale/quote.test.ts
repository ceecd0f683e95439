import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moves, projects } from '#drizzle/schema/sale.ts';
import { putInForce } from '#lib/platform/env.ts';
import { formatDrops } from '#lib/platform/money.ts';
import { confirm } from '#lib/sale/confirm.ts';
import { getTerms } from '#lib/sale/get-terms.ts';
import { getInvestment } from '#lib/sale/investments.ts';
import { quoteAmount } from '#lib/sale/quote.ts';
import { investmentId, recognise } from '#lib/sale/recognise.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { DEPOSIT, pageOf, paymentEntry, START_LEDGER, seedSale, XRP } from '#tests/support/sale.ts';

let database: FreshDatabase;
beforeAll(async () => {
  putInForce(testEnv());
  database = await freshDatabase();
});
afterAll(() => database?.close());

describe('a quote', () => {
  it('is what a payment of that amount becomes when it is next, to the drop, with pending payments counted', async () => {
    const { projectId } = await seedSale(database.db);
    const ctx = testCtx({ db: database.db });
    let ledger = START_LEDGER;
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 1n, max: 60n * XRP }), fc.boolean(), async (drops, decideFirst) => {
        if (decideFirst) await confirm(ctx, { account: DEPOSIT, throughLedger: ledger, closedAtMs: null });
        const quote = await quoteAmount(ctx, { id: projectId, amount_xrp: drops });
        ledger += 1;
        const entry = paymentEntry(ledger, 0, drops);
        await recognise(ctx, { account: DEPOSIT, afterLedger: ledger - 1, page: pageOf([entry], ledger) });
        const created = await getInvestment(ctx, investmentId(entry.hash));
        expect(created.tier_info.tokens_expected).toBe(quote.total_tokens);
        await confirm(ctx, { account: DEPOSIT, throughLedger: ledger, closedAtMs: null });
        const investment = await getInvestment(ctx, investmentId(entry.hash));
        expect(investment.status).toBe(quote.accepted ? 'confirmed' : 'failed');
        expect(investment.final_tier_allocation).toEqual(
          quote.allocation.map(({ tier, amount_xrp, tokens }) => ({ tier, amount_xrp, tokens })),
        );
        expect(investment.total_tokens).toBe(quote.total_tokens);
        const refunded = investment.refunds.map((refund) => refund.amount_xrp);
        expect(refunded).toEqual(quote.refunded_xrp === formatDrops(0n) ? [] : [quote.refunded_xrp]);
      }),
      { numRuns: 60 },
    );
  });

  it('says why nothing would be bought, and what would go back', async () => {
    const { projectId } = await seedSale(database.db, { tag: 78 });
    const ctx = testCtx({ db: database.db });
    await database.db.update(projects).set({ status: 'paused' }).where(eq(projects.id, projectId));
    expect(await quoteAmount(ctx, { id: projectId, amount_xrp: 5n * XRP })).toMatchObject({
      accepted: false,
      reason: 'not_active',
      allocation: [],
      refunded_xrp: '5.000000',
    });
  });

  it('of a project that does not exist is 404', async () => {
    const ctx = testCtx({ db: database.db });
    await expect(quoteAmount(ctx, { id: 'proj_none', amount_xrp: XRP })).rejects.toThrow(/project_not_found/);
  });
});

describe('terms', () => {
  it('hash to what stands beside them, and name the launch once it is applied', async () => {
    const { projectId } = await seedSale(database.db, { tag: 79 });
    const ctx = testCtx({ db: database.db });
    const preview = await getTerms(ctx, projectId);
    expect(preview.anchor).toBeNull();
    expect(createHash('sha256').update(preview.canonical).digest('hex')).toBe(preview.sha256);
    expect(JSON.parse(preview.canonical)).toMatchObject({ project: projectId, destination_tag: 79 });

    await database.db
      .update(projects)
      .set({ terms: preview.canonical, termsHash: preview.sha256, name: 'Renamed later' })
      .where(eq(projects.id, projectId));
    await database.db.insert(moves).values({
      txHash: 'D'.repeat(64),
      account: DEPOSIT,
      projectId,
      move: 'launch',
      termsHash: preview.sha256,
      status: 'applied',
      ledgerIndex: 101,
      transactionIndex: 0,
      closedAt: new Date(),
    });
    expect(await getTerms(ctx, projectId)).toEqual({
      ...preview,
      anchor: { transaction_hash: 'D'.repeat(64), ledger_index: 101 },
    });
  });
});
