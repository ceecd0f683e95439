import { investmentId } from '@tranche/rules/ids.ts';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tenants } from '#drizzle/schema/access.ts';
import { deliveries, events } from '#drizzle/schema/events.ts';
import { projects } from '#drizzle/schema/sale.ts';
import { walletInvestmentsTool } from '#lib/assistant/tools/sale-reads.ts';
import { applyEnv } from '#lib/base/env.ts';
import { lookUpPayment } from '#lib/sales/investments/look-up-payment.ts';
import { paymentsInNoSale } from '#lib/sales/investments/payments-in-no-sale.ts';
import { getInvestment, listInvestments } from '#lib/sales/investments/read-investments.ts';
import { fanOutEvents, hasEventsToFanOut } from '#lib/webhooks/delivery/fan-out.ts';
import { ADMINISTRATORS_TENANT } from '#lib/webhooks/registry/acting-tenant.ts';
import { countSelected } from '#lib/webhooks/replay/replays.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { addRows, changeRows, rowsOf } from '#tests/support/rows.ts';
import { addWebhooks, DEPOSIT, ISSUER, paymentEntry, seedSale, takeEntries, XRP } from '#tests/support/sale.ts';

const WALLET = ISSUER;
const payment = paymentEntry(101, 0, 5n * XRP, { sender: WALLET, destinationTag: 78 });
let database: FreshDatabase;
let draftId: string;
const ctx = () => testCtx({ db: database.db });

beforeAll(async () => {
  applyEnv(testEnv());
  database = await freshDatabase();
  const { db } = database;
  await seedSale(db);
  draftId = (await seedSale(db, { tag: 78 })).projectId;
  await changeRows(db, 'projects', { id: draftId }, { status: 'draft', launchedAt: null });
  await db
    .insert(tenants)
    .values([{ id: 'ten_stranger' }, { id: ADMINISTRATORS_TENANT }])
    .onConflictDoNothing();
  await addWebhooks(
    db,
    ['ten_stranger', ADMINISTRATORS_TENANT].map((tenantId) => ({ id: `wh_${tenantId}`, tenantId })),
  );
  await takeEntries(ctx(), [payment]);
  await fanOutEvents(ctx(), Number.POSITIVE_INFINITY);
});
afterAll(() => database?.close());

const receiversOf = async (type: string) =>
  (
    await database.db
      .select({ webhook: deliveries.webhookId })
      .from(deliveries)
      .innerJoin(events, eq(events.id, deliveries.eventId))
      .where(eq(events.type, type))
  ).map(({ webhook }) => webhook);

describe('a payment to a draft’s tag', () => {
  it('reaches webhooks of administrators and of nobody else', async () => {
    expect(await receiversOf('investment.created')).toEqual([`wh_${ADMINISTRATORS_TENANT}`]);
    expect(await receiversOf('investment.failed')).toEqual([`wh_${ADMINISTRATORS_TENANT}`]);
  });

  it('is counted by no replay of anybody else', async () => {
    const range = { from: new Date(0), selection: 'all' as const, dry_run: true };
    expect(await countSelected(database.db, 'wh_ten_stranger', range)).toMatchObject({ total: 0 });
  });

  it('names the draft nowhere that the public reads', async () => {
    await expect(getInvestment(ctx(), investmentId(payment.hash))).rejects.toThrow('investment_not_found');
    expect(await listInvestments(ctx(), { wallet_address: WALLET, limit: 50 })).toMatchObject({ investments: [] });
    const found = await lookUpPayment(ctx(), payment.hash);
    expect(found).toMatchObject({
      state: 'recorded',
      payment: { project_id: null, reason: 'unknown_tag', outcome: 'refunded' },
      investment: null,
    });
    const { data } = await walletInvestmentsTool.run(ctx(), { wallet_address: WALLET });
    expect(data).toMatchObject({
      investments: [],
      payments_without_sale: [{ transaction_hash: payment.hash, reason: 'unknown_tag' }],
    });
    const inNoSale = await paymentsInNoSale(ctx(), WALLET, 5);
    expect(inNoSale).toMatchObject([{ transaction_hash: payment.hash, project_id: null, reason: 'unknown_tag' }]);
    expect(JSON.stringify([found, data, inNoSale])).not.toContain(draftId);
  });

  it('is told as it was once the project is launched', async () => {
    await changeRows(database.db, 'projects', { id: draftId }, { status: 'active', launchedAt: new Date() });
    expect(await getInvestment(ctx(), investmentId(payment.hash))).toMatchObject({
      project_id: draftId,
      status: 'failed',
      reason: 'not_active',
    });
    expect(await lookUpPayment(ctx(), payment.hash)).toMatchObject({ payment: { project_id: draftId } });
  });
});

describe.each([
  ['applied', ['wh_ten_administrators', 'wh_ten_stranger']],
  ['ineffective', ['wh_ten_administrators']],
] as const)('a payment right behind a launch that is then %s', (decided, receivers) => {
  it('is told to nobody before that is decided, and then to those who may know', async () => {
    const { db } = database;
    const { projectId } = await seedSale(db, { tag: decided === 'applied' ? 79 : 80 });
    const ofProject = eq(projects.id, projectId);
    await db.update(projects).set({ status: 'draft', launchedAt: null }).where(ofProject);
    const txHash = `${decided === 'applied' ? 'A' : 'B'}`.repeat(64);
    await addRows(db, 'actions', { txHash, account: DEPOSIT, projectId, action: 'launch', status: 'seen' });
    await addRows(db, 'events', {
      id: `evt_${decided}`,
      type: 'investment.created',
      projectId,
      body: JSON.stringify({ data: {} }),
    });
    const told = async () => {
      await fanOutEvents(ctx(), Number.POSITIVE_INFINITY);
      const found = await rowsOf(db, 'deliveries', { eventId: `evt_${decided}` });
      return found.map(({ webhookId }) => webhookId).toSorted();
    };
    expect(await told()).toEqual([]);
    expect(await hasEventsToFanOut(db)).toBe(false);
    await changeRows(db, 'actions', { txHash }, { status: decided });
    if (decided === 'applied') await db.update(projects).set({ status: 'active' }).where(ofProject);
    expect(await told()).toEqual(receivers);
  });
});
