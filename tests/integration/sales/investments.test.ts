import { investmentId } from '@tranche/rules/ids.ts';
import { classicAddressToXAddress } from 'ripple-address-codec';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { listInvestmentsContract } from '#lib/sales/contracts.ts';
import { getInvestment, listInvestments } from '#lib/sales/investments/read-investments.ts';
import { investmentResource } from '#lib/sales/schemas.ts';
import type { PaymentEntry } from '#lib/xrpl/types.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { ISSUER, PRICE_ONE, paymentEntry, seedSale, takeEntries, XRP } from '#tests/support/sale.ts';

const WALLET = ISSUER;
let database: FreshDatabase;
let first: string;
let second: string;
beforeAll(async () => {
  applyEnv(testEnv());
  database = await freshDatabase();
  const small = [{ price: PRICE_ONE, totalUnits: 10n * XRP }];
  first = (await seedSale(database.db, { tag: 77, tierList: small })).projectId;
  second = (await seedSale(database.db, { tag: 78, tierList: small })).projectId;
  const of = (ledger: number, drops: bigint, tag = 77) =>
    paymentEntry(ledger, 0, drops, { sender: WALLET, destinationTag: tag });
  await take(of(101, 4n * XRP), of(102, 9n * XRP), of(103, 2n * XRP), of(104, 1n * XRP, 78));
  await take(paymentEntry(105, 0, XRP, { sender: 'rOther', destinationTag: 78 }), of(106, XRP, 78));
});
afterAll(() => database?.close());

const ctx = () => testCtx({ db: database.db });

const take = (...entries: PaymentEntry[]) => takeEntries(ctx(), entries);

const idOf = (ledger: number) => investmentId(paymentEntry(ledger, 0, 1n).hash);
const idsOf = async (over: Partial<Parameters<typeof listInvestments>[1]>) =>
  (await listInvestments(ctx(), { wallet_address: WALLET, limit: 50, ...over })).investments.map(({ id }) => id);

describe('an investment', () => {
  it('that was taken in part shows what went back, and why', async () => {
    const investment = await getInvestment(ctx(), idOf(102));
    expect(investmentResource.parse(investment)).toMatchObject({
      status: 'confirmed',
      reason: 'sold_out',
      amount_xrp: '9.000000',
      confirmed_amount_xrp: '6.000000',
      payouts: [{ part: 1, tokens: '6.000000' }],
      refunds: [{ part: 1, amount_xrp: '3.000000' }],
    });
  });

  it('that was taken whole has no reason, and one that was refused has its own', async () => {
    expect(await getInvestment(ctx(), idOf(101))).toMatchObject({ status: 'confirmed', reason: null, refunds: [] });
    expect(await getInvestment(ctx(), idOf(103))).toMatchObject({
      status: 'failed',
      reason: 'sold_out',
      payouts: [],
      refunds: [{ part: 1, amount_xrp: '2.000000' }],
    });
  });
});

describe('a wallet’s investments', () => {
  it('are newest first, and only its own', async () => {
    expect(await idsOf({})).toEqual([106, 104, 103, 102, 101].map(idOf));
  });

  it('can be filtered by project and status', async () => {
    expect(await idsOf({ project_id: second })).toEqual([106, 104].map(idOf));
    expect(await idsOf({ status: 'failed' })).toEqual([idOf(103)]);
    expect(await idsOf({ status: 'confirmed', project_id: first })).toEqual([102, 101].map(idOf));
    expect(await idsOf({ status: 'pending_confirmation' })).toEqual([]);
  });

  it('come page by page without a gap, under every filter', async () => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listInvestments(ctx(), { wallet_address: WALLET, status: 'confirmed', limit: 1, cursor });
      found.push(...page.investments.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).toEqual([106, 104, 102, 101].map(idOf));
  });

  it('are found by the wallet’s X-address too', () => {
    const { query } = listInvestmentsContract;
    const given = classicAddressToXAddress(WALLET, false, true);
    expect(query.parse({ wallet_address: given })).toMatchObject({ wallet_address: WALLET });
    expect(query.safeParse({ wallet_address: given, status: 'paid' }).success).toBe(false);
  });

  it('take as many statements for one as for many', async () => {
    let statements = 0;
    const counting = new Proxy(database.db, {
      get(db, name) {
        if (name === 'select') statements += 1;
        const found: unknown = Reflect.get(db, name);
        return typeof found === 'function' ? found.bind(db) : found;
      },
    });
    const counted = async (limit: number) => {
      statements = 0;
      await listInvestments(testCtx({ db: counting }), { wallet_address: WALLET, limit });
      return statements;
    };
    expect(await counted(5)).toBe(await counted(1));
  });
});
