import { reportOf } from '@tranche/verifier/report.ts';
import { verifySale } from '@tranche/verifier/verify-sale.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { refundPayment } from '#lib/sales/held/refund-payment.ts';
import { listExceptions } from '#lib/sales/published/list-exceptions.ts';
import { databaseSource } from '#lib/sales/verification/database-source.ts';
import { holders, trust, untilQuiet } from '#tests/integration/sales/cancelled-sales.ts';
import { lateDiscovery } from '#tests/integration/sales/forgetful-feed.ts';
import { authorize, issue } from '#tests/integration/sales/issuance.ts';
import { openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import { named, payTagged, type Verified, verify } from './scene.ts';
import { type Served, serveRoutes } from './serve.ts';

let stage: Stage;
let served: Served;
beforeAll(async () => {
  stage = await openStage();
  served = await serveRoutes();
});
afterAll(async () => {
  await served?.close();
  await stage?.end();
});

/** Pays all out and verifies. */
async function agreed(sale: Sale): Promise<Verified> {
  await untilQuiet(stage, sale);
  await stage.settle(sale.deposit);
  const verified = await verify(stage, served, sale);
  expect(named(verified)).toEqual([]);
  expect(verified.code).toBe(0);
  return verified;
}

describe('agrees', () => {
  it('a sale that is cancelled half distributed: shares of the rest go back', async () => {
    const sale = await stage.launched({
      vesting: { immediate_bps: 2_500, cliff_days: 30, period_days: 30, periods: 3 },
    });
    const [first, second] = (await holders(stage, sale, 2)) as [Wallet, Wallet];
    await stage.pay(first, sale, 33.333333);
    await payTagged(stage, second, sale, '777777', 9);
    await untilQuiet(stage, sale);
    expect((await agreed(sale)).report.checked).toMatchObject({ payouts_validated: 2, payouts_owed: 6 });
    await stage.act(sale, 'cancel');
    const { report } = await agreed(sale);
    expect(report.checked).toMatchObject({
      payouts: 10,
      payouts_validated: 4,
      payouts_cancelled: 6,
      payouts_to_come: 0,
    });
    // The ledger alone says that it is cancelled, whatever its page shows.
    const source = databaseSource(stage.ctx);
    const { progress, inputs } = await verifySale({
      source: { ...source, project: async (id) => ({ ...(await source.project(id)), status: 'active' }) },
      ledger: stage.ctx.ledger,
      projectId: sale.project.id,
      asOf: report.as_of_ledger,
      progress: null,
      pageDone: async () => true,
    });
    expect(reportOf(progress, inputs)).toEqual(report);
  });

  it('a sale that misses its soft cap, and one that reaches it and distributes at its end', async () => {
    for (const paid of [10, 60]) {
      const sale = await stage.launched({ soft_cap_xrp: '50', distribution: 'at_end' });
      const [investor] = (await holders(stage, sale, 1)) as [Wallet];
      await stage.pay(investor, sale, paid);
      await stage.settle(sale.deposit);
      await stage.act(sale, 'end');
      const { report } = await agreed(sale);
      expect(report.checked).toMatchObject({ payments: 1, payouts: 1, payouts_validated: 1 });
    }
  });

  it('a sale that is sold out, with what came after and a payment before its start', async () => {
    const sale = await stage.draft({ tiers: [{ price_per_token: '0.333333333333', total_tokens: '100' }] });
    const buyers = await holders(stage, sale, 3);
    await stage.pay(buyers[0] as Wallet, sale, 4);
    await stage.settle(sale.deposit);
    await stage.act(sale, 'launch');
    await stage.settle(sale.deposit);
    for (const buyer of buyers) await stage.pay(buyer, sale, 15);
    const { report } = await agreed(sale);
    expect(report.checked.payments).toBe(4);
  });

  it('two sales on one deposit account and one distributor, and payments of nobody between them', async () => {
    const one = await stage.launched();
    const two = await stage.launched({ slug: 'the-other-one', max_per_wallet_xrp: '12' }, one);
    const [investor] = (await holders(stage, one, 1)) as [Wallet];
    await stage.pay(investor, one, 10);
    await stage.pay(investor, two, 10);
    await stage.pay(investor, one, 3, null);
    await stage.pay(investor, two, 10);
    await stage.settle(one.deposit);
    await untilQuiet(stage, one);
    await untilQuiet(stage, two);
    await agreed(one);
    await agreed(two);
  });

  it('a multi-purpose token with its own units', async () => {
    const issuer = await stage.account();
    const issuanceId = await issue(stage, issuer);
    const sale = await stage.launched({ token: { kind: 'mpt', issuance_id: issuanceId, decimals: 2 } }, { issuer });
    const investor = await stage.account();
    await authorize(stage, investor, issuanceId);
    await stage.pay(investor, sale, 12.345);
    expect((await agreed(sale)).report.checked).toMatchObject({ payouts_validated: 1 });
  });

  it('what an operator gave back of held payments, as published exceptions', async () => {
    const sale = await stage.launched();
    const sender = await stage.account();
    await trust(stage, sale, sender);
    const late = await lateDiscovery(stage, sale, sender, 5);
    await refundPayment(stage.ctx, { transactionHash: late, reason: 'the sender asked' });
    const { report } = await agreed(sale);
    expect(report.exceptions).toEqual({ late_discovery: 1, refund: 1 });
    const { exceptions } = await listExceptions(stage.ctx, { id: sale.project.id, limit: 50 });
    expect(exceptions).toMatchObject([
      { kind: 'refund', payment_hash: late, amount_xrp: '5.000000' },
      { kind: 'late_discovery', payment_hash: late },
    ]);
    const page = await listExceptions(stage.ctx, { id: sale.project.id, limit: 1 });
    const rest = await listExceptions(stage.ctx, {
      id: sale.project.id,
      limit: 1,
      cursor: page.next_cursor ?? '',
    });
    expect([...page.exceptions, ...rest.exceptions]).toEqual(exceptions);
  });

  it('a sale as of any earlier ledger, whatever was paid since', async () => {
    const sale = await stage.launched();
    const [investor] = (await holders(stage, sale, 1)) as [Wallet];
    await stage.pay(investor, sale, 10);
    const { report } = await agreed(sale);
    for (let asOf = report.checked.from_ledger; asOf <= report.as_of_ledger; asOf++) {
      const earlier = await verify(stage, served, sale, { asOf: Number(asOf) });
      expect(named(earlier), `as of ${asOf}`).toEqual([]);
      expect(earlier.code).toBe(0);
    }
  });
});
