import { encodeProgress, readProgress } from '@tranche/verifier/progress.ts';
import { reportOf, type VerificationReport } from '@tranche/verifier/report.ts';
import { verifySale } from '@tranche/verifier/verify-sale.ts';
import { and, desc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import { actions } from '#drizzle/schema/sale.ts';
import { assignPayment } from '#lib/sales/held/assign-payment.ts';
import { refundPayment } from '#lib/sales/held/refund-payment.ts';
import { databaseSource } from '#lib/sales/verification/database-source.ts';
import { beat, holders } from '#tests/integration/sales/cancelled-sales.ts';
import { lateDiscovery } from '#tests/integration/sales/forgetful-feed.ts';
import { openStage, type ProjectBody, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { namesOf, quiet } from './altered.ts';
import { named, verify } from './scene.ts';
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

const SOFT_CAP = { soft_cap_xrp: '50', distribution: 'at_end' } as const;
const VESTING = { vesting: { immediate_bps: 2_500, cliff_days: 30, period_days: 30, periods: 3 } };

/** A sale with one payment, all of it paid out that is due. */
async function paidSale(body: Partial<ProjectBody>, xrp: number): Promise<{ sale: Sale; investor: Wallet }> {
  const sale = await stage.launched(body);
  const [investor] = (await holders(stage, sale, 1)) as [Wallet];
  await stage.pay(investor, sale, xrp);
  await quiet(stage, sale);
  return { sale, investor };
}

async function agreesAsOf(sale: Sale, asOf: number): Promise<void> {
  const verified = await verify(stage, served, sale, { asOf: Number(asOf) });
  expect(named(verified), `as of ${asOf}`).toEqual([]);
  expect(verified.code).toBe(0);
}

/** Verifies again on either side of the sale's last action, and as of now. */
async function agreesAroundLastAction(sale: Sale, before: VerificationReport): Promise<void> {
  const [last] = await stage.database.db
    .select({ ledger: actions.ledgerIndex })
    .from(actions)
    .where(and(eq(actions.projectId, sale.project.id), eq(actions.status, 'applied')))
    .orderBy(desc(actions.ledgerIndex))
    .limit(1);
  const ledger = last?.ledger ?? 0;
  expect(ledger).toBeGreaterThan(before.as_of_ledger);
  for (const asOf of [ledger - 1, ledger]) await agreesAsOf(sale, asOf);
  const now = await verify(stage, served, sale);
  expect(named(now)).toEqual([]);
  expect(now.code).toBe(0);
}

it.each([
  ['a cancel that takes parts back', VESTING, 60, 'cancel'],
  ['an end that owes tokens', SOFT_CAP, 60, 'end'],
  ['an end that misses the soft cap', SOFT_CAP, 10, 'end'],
] as const)('%s accuses nobody as of a ledger before it', async (_, body, xrp, action) => {
  const { sale } = await paidSale(body, xrp);
  const before = await verify(stage, served, sale);
  await stage.act(sale, action);
  await quiet(stage, sale);
  await agreesAroundLastAction(sale, before.report);
});

it('an end by time alone accuses nobody as of a ledger before it', async () => {
  const endsAt = new Date((await stage.ctx.ledger.closedAtMs(stage.desk.close())) + 120_000);
  const { sale } = await paidSale({ ...SOFT_CAP, ends_at: endsAt.toISOString() }, 60);
  const before = await verify(stage, served, sale);
  expect(before.code).toBe(0);
  for (;;) {
    const closedAt = await stage.ctx.ledger.closedAtMs(stage.desk.close());
    if (closedAt > endsAt.getTime()) break;
  }
  stage.ctx.clock.set(endsAt.getTime() + 1_000);
  await quiet(stage, sale);
  const { report } = await verify(stage, served, sale);
  expect(report.checked.payouts).toBe(1);
  const span = report.as_of_ledger - before.report.as_of_ledger;
  for (const asOf of [0, 0.5, 1].map((at) => before.report.as_of_ledger + Math.round(span * at))) {
    await agreesAsOf(sale, asOf);
  }
});

it('what an operator sent back of the little that the refund of a cancelled sale had held accuses nobody as of a ledger before the cancel', async () => {
  const sale = await stage.launched({ tiers: [{ price_per_token: '0.0001', total_tokens: '1000' }] });
  const investor = await stage.account();
  const hash = await stage.pay(investor, sale, 0.0005);
  await quiet(stage, sale);
  const before = await verify(stage, served, sale);
  await stage.act(sale, 'cancel');
  await quiet(stage, sale);
  await refundPayment(stage.ctx, { transactionHash: hash, reason: 'the sender asked' });
  await quiet(stage, sale);
  await agreesAroundLastAction(sale, before.report);
});

it('an assign accuses nobody as of a ledger before it', async () => {
  const { sale, investor } = await paidSale({}, 60);
  const late = await lateDiscovery(stage, sale, investor, 5);
  await quiet(stage, sale);
  const before = await verify(stage, served, sale);
  await assignPayment(stage.ctx, { transactionHash: late, projectId: sale.project.id, reason: 'in time' });
  await quiet(stage, sale);
  await agreesAroundLastAction(sale, before.report);
});

it.each(['end', 'assign', 'refund'] as const)('%s between two slices of a run accuses nobody', async (kind) => {
  const { sale, investor } = await paidSale(kind === 'end' ? SOFT_CAP : {}, 60);
  const late = kind === 'end' ? '' : await lateDiscovery(stage, sale, investor, 5);
  await quiet(stage, sale);
  const asked = { source: databaseSource(stage.ctx), ledger: stage.ctx.ledger, projectId: sale.project.id, asOf: null };
  const first = await verifySale({ ...asked, progress: null, pageDone: async () => false });
  expect(first.progress.phase).not.toBe('done');
  const kept = encodeProgress(sale.project.id, first.progress);
  if (kind === 'end') await stage.act(sale, 'end');
  else if (kind === 'refund') await refundPayment(stage.ctx, { transactionHash: late, reason: 'the sender asked' });
  else await assignPayment(stage.ctx, { transactionHash: late, projectId: sale.project.id, reason: 'in time' });
  await quiet(stage, sale);
  const again = await verifySale({
    ...asked,
    progress: readProgress(kept, sale.project.id),
    pageDone: async () => true,
  });
  const report = reportOf(again.progress, again.inputs);
  expect(namesOf(report)).toEqual([]);
  expect(report.verdict).toBe('agrees');
  expect((await verify(stage, served, sale)).code).toBe(0);
});

it('a payout that the platform records while a run is under way accuses nobody', async () => {
  const { sale } = await paidSale({}, 10);
  const of = sql`where project_id = ${sale.project.id}`;
  const [paid] = await rowsOf(stage.database.db, 'payouts', { projectId: sale.project.id });
  await stage.database.db.execute(
    sql`update ${payouts} set status = 'submitted', tx_hash = null, ledger_index = null ${of}`,
  );
  const recorded = () =>
    stage.database.db.execute(
      sql`update ${payouts} set status = 'validated', tx_hash = ${paid?.txHash}, ledger_index = ${paid?.ledgerIndex} ${of}`,
    );
  const asked = { source: databaseSource(stage.ctx), ledger: stage.ctx.ledger, projectId: sale.project.id, asOf: null };
  let pages = 0;
  const { progress, inputs } = await verifySale({
    ...asked,
    progress: null,
    async pageDone({ unmatched }) {
      pages += 1;
      if (unmatched.length > 0) await recorded();
      return true;
    },
  });
  expect(pages).toBeGreaterThan(1);
  const report = reportOf(progress, inputs);
  expect(namesOf(report)).toEqual([]);
  expect(report.checked.payouts_validated).toBe(1);
});

it('an operator’s refund of a payment without a project to an investor of the sale is explained by the ledger', async () => {
  const { sale, investor } = await paidSale({}, 10);
  const stray = await stage.pay(investor, sale, 0.0005, null);
  await quiet(stage, sale);
  await refundPayment(stage.ctx, { transactionHash: stray, reason: 'the sender asked' });
  for (let beats = 0; beats < 10; beats++) await beat(stage, sale);
  const [refund] = await rowsOf(stage.database.db, 'payouts', { paymentHash: stray });
  expect(refund?.status).toBe('validated');
  const verified = await verify(stage, served, sale);
  expect(named(verified)).toEqual([]);
  expect(verified.code).toBe(0);
});
