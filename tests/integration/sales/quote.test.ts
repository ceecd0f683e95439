import { createHash, randomBytes } from 'node:crypto';
import { investmentId } from '@tranche/rules/ids.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { listEntries } from '#drizzle/schema/sale.ts';
import { applyEnv } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { formatDrops } from '#lib/base/money.ts';
import { confirm } from '#lib/sales/feed/confirm.ts';
import { recognise } from '#lib/sales/feed/recognise.ts';
import { quoteAmount } from '#lib/sales/investments/quote.ts';
import { getInvestment } from '#lib/sales/investments/read-investments.ts';
import { getTerms } from '#lib/sales/projects/get-terms.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { addRows, changeRows } from '#tests/support/rows.ts';
import {
  confirmedAtMs,
  DEPOSIT,
  pageOf,
  paymentEntry,
  positionOf,
  START_LEDGER,
  seedSale,
  takeEntries,
  XRP,
} from '#tests/support/sale.ts';

let database: FreshDatabase;
beforeAll(async () => {
  applyEnv(testEnv());
  database = await freshDatabase();
});
afterAll(() => database?.close());

/** A committed list, in force as if an action had anchored it. */
async function putListInForce(projectId: string, entries: Omit<typeof listEntries.$inferInsert, 'listId'>[]) {
  const id = newId('list', randomBytes);
  const hash = 'e'.repeat(64);
  await addRows(database.db, 'lists', { id, projectId, version: 1, entries: entries.length });
  await addRows(
    database.db,
    'listEntries',
    entries.map((entry) => ({ ...entry, listId: id })),
  );
  await changeRows(database.db, 'lists', { id }, { status: 'committed', hash });
  await changeRows(database.db, 'projects', { id: projectId }, { listHash: hash });
}

describe('a quote', () => {
  it('is what a payment of that amount becomes when it is next, to the drop, with pending payments counted', async () => {
    const { projectId } = await seedSale(database.db);
    const ctx = testCtx({ db: database.db });
    let ledger = START_LEDGER;
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 1n, max: 60n * XRP }), fc.boolean(), async (drops, decideFirst) => {
        if (decideFirst)
          await confirm(ctx, { account: DEPOSIT, throughLedger: ledger, closedAtMs: null, confirmedAtMs });
        const quote = await quoteAmount(ctx, { id: projectId, amount_xrp: drops });
        ledger += 1;
        const entry = paymentEntry(ledger, 0, drops);
        await recognise(ctx, { account: DEPOSIT, afterLedger: ledger - 1, page: pageOf([entry], ledger) });
        const created = await getInvestment(ctx, investmentId(entry.hash));
        expect(created.tier_info.tokens_expected).toBe(quote.total_tokens);
        await confirm(ctx, { account: DEPOSIT, throughLedger: ledger, closedAtMs: null, confirmedAtMs });
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
    await changeRows(database.db, 'projects', { id: projectId }, { status: 'paused' });
    expect(await quoteAmount(ctx, { id: projectId, amount_xrp: 5n * XRP })).toMatchObject({
      accepted: false,
      reason: 'not_active',
      allocation: [],
      refunded_xrp: '5.000000',
    });
  });

  it('for a wallet is what its payment becomes: its place on the list, its limits, its pending payments', async () => {
    const { projectId } = await seedSale(database.db, { tag: 80 });
    await putListInForce(projectId, [
      { walletAddress: 'rListed', capDrops: null },
      { walletAddress: 'rCapped', capDrops: 40n * XRP },
    ]);
    // Listed first, open after it.
    await changeRows(database.db, 'tiers', { projectId }, { access: 'allowlist' });
    await changeRows(database.db, 'tiers', { projectId, tier: 2 }, { access: 'open' });
    await changeRows(database.db, 'projects', { id: projectId }, { maxPerWalletDrops: 70n * XRP });
    const ctx = testCtx({ db: database.db });
    let { cursor: ledger } = await positionOf(database.db);
    const seen = new Set<string | null>();
    await fc.assert(
      fc.asyncProperty(
        fc.bigInt({ min: 1n, max: 50n * XRP }),
        fc.constantFrom('rListed', 'rCapped', 'rStranger'),
        fc.boolean(),
        async (drops, sender, decideFirst) => {
          if (decideFirst)
            await confirm(ctx, { account: DEPOSIT, throughLedger: ledger, closedAtMs: null, confirmedAtMs });
          const quote = await quoteAmount(ctx, { id: projectId, amount_xrp: drops, wallet_address: sender });
          expect(quote.admission).toBe(sender === 'rStranger' ? 'not_admitted' : 'admitted');
          ledger += 1;
          const entry = paymentEntry(ledger, 0, drops, { sender, destinationTag: 80 });
          await takeEntries(ctx, [entry]);
          const investment = await getInvestment(ctx, investmentId(entry.hash));
          expect(investment).toMatchObject({ total_tokens: quote.total_tokens, reason: quote.reason });
          expect(investment.refunds.map((refund) => refund.amount_xrp)).toEqual(
            quote.refunded_xrp === formatDrops(0n) ? [] : [quote.refunded_xrp],
          );
          seen.add(quote.reason);
        },
      ),
      { numRuns: 40, seed: 7 },
    );
    expect([...seen]).toEqual(expect.arrayContaining(['above_wallet_cap', 'not_admitted', null]));
  });

  it('names what is left of the limits with pending payments counted, and presumes a new admitted wallet without one', async () => {
    const { projectId } = await seedSale(database.db, { tag: 81 });
    await putListInForce(projectId, [{ walletAddress: 'rCapped', capDrops: 40n * XRP }]);
    await changeRows(database.db, 'projects', { id: projectId }, { access: 'allowlist', maxPerWalletDrops: 70n * XRP });
    const ctx = testCtx({ db: database.db });
    const { cursor } = await positionOf(database.db);
    const entry = paymentEntry(cursor + 1, 0, 15n * XRP, { sender: 'rCapped', destinationTag: 81 });
    await takeEntries(ctx, [entry], { isConfirmed: false });

    const ask = (wallet_address?: string) => quoteAmount(ctx, { id: projectId, amount_xrp: 30n * XRP, wallet_address });
    expect(await ask('rCapped')).toMatchObject({
      wallet_address: 'rCapped',
      admission: 'admitted',
      limits: { remaining_xrp: '55.000000', remaining_listed_xrp: '25.000000' },
      reason: 'above_wallet_cap',
      invested_xrp: '25.000000',
      refunded_xrp: '5.000000',
    });
    expect(await ask('rStranger')).toMatchObject({
      admission: 'not_admitted',
      limits: { remaining_xrp: '70.000000', remaining_listed_xrp: null },
      accepted: false,
      reason: 'not_admitted',
      refunded_xrp: '30.000000',
    });
    expect(await ask()).toMatchObject({
      wallet_address: null,
      admission: 'assumed',
      limits: { remaining_xrp: '70.000000', remaining_listed_xrp: null },
      accepted: true,
      reason: null,
      invested_xrp: '30.000000',
    });
  });

  it('of an open sale without limits says that none apply', async () => {
    const { projectId } = await seedSale(database.db, { tag: 82 });
    const ctx = testCtx({ db: database.db });
    for (const wallet_address of [undefined, 'rAnyone']) {
      expect(await quoteAmount(ctx, { id: projectId, amount_xrp: XRP, wallet_address })).toMatchObject({
        admission: 'not_required',
        limits: { remaining_xrp: null, remaining_listed_xrp: null },
        accepted: true,
      });
    }
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

    await changeRows(
      database.db,
      'projects',
      { id: projectId },
      { terms: preview.canonical, termsHash: preview.sha256, name: 'Renamed later' },
    );
    await addRows(database.db, 'actions', {
      txHash: 'D'.repeat(64),
      account: DEPOSIT,
      projectId,
      action: 'launch',
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
