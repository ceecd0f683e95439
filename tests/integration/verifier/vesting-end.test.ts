import { reportText } from '@tranche/verifier/report.ts';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { planDistributions } from '#lib/sales/plan-distributions.ts';
import { getLockedVesting } from '#lib/sales/published/get-locked-vesting.ts';
import { holders } from '#tests/integration/sales/cancelled-sales.ts';
import { ledgerSeconds, RIPPLE_EPOCH_SECONDS } from '#tests/integration/sales/escrows.ts';
import { openStage, type Stage } from '#tests/integration/sales/stage.ts';
import { vestingDraft } from '#tests/integration/sales/vesting-sale.ts';
import { quiet } from './altered.ts';
import { named, tamper, verify } from './scene.ts';
import { type Served, serveRoutes } from './serve.ts';
import { dueLocks } from './vesting.ts';

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

it('the platform locks what vesting owes, from a draft on, ends each escrow on its day, and whoever verifies finds that without a difference', async () => {
  const sale = await vestingDraft(stage);
  const { id } = sale.project;
  // Here the distributor pays.
  const paying = { ...sale, issuer: sale.distributor };
  await stage.act(sale, 'launch');
  await stage.settle(sale.deposit);
  const investors = (await holders(stage, sale, 2)) as [Wallet, Wallet];
  await stage.pay(investors[0], sale, 50);
  await stage.pay(investors[1], sale, 30);
  await quiet(stage, paying);
  expect(await getLockedVesting(stage.ctx, id)).toBeNull();

  await stage.act(sale, 'end');
  await stage.settle(sale.deposit);
  const deadlineMs = stage.ctx.clock.nowMs() + 60_000;
  await planDistributions(stage.ctx, deadlineMs);
  const owing = await verify(stage, served, sale);
  expect(named(owing)).toEqual([]);
  expect(owing.report).toMatchObject({
    checked: { payouts_validated: 0, payouts_owed: 11 },
    vesting: { days: 3, amount: '720.000000', locked: '0.000000' },
  });

  await quiet(stage, paying);
  const due = await dueLocks(stage, sale);
  const kept = await getLockedVesting(stage.ctx, id);
  expect(kept).toMatchObject({
    in_escrow: '720.000000',
    days: due.map(({ until }) => ({ until, tokens: '240.000000', is_released: false })),
  });
  const locked = await verify(stage, served, sale);
  expect(named(locked)).toEqual([]);
  expect(locked.report).toMatchObject({
    verdict: 'agrees',
    // A tenth to each investor, and the locks.
    checked: { payouts_validated: 5 },
    vesting: { days: 3, until: due[2]?.until, locked: '720.000000', in_escrow: '720.000000' },
  });

  // The first day comes.
  const until = Date.parse(due[0]?.until ?? '') / 1_000 - RIPPLE_EPOCH_SECONDS;
  stage.desk.ledger.advanceTime(until - (await ledgerSeconds(stage)) + 60);
  stage.desk.close();
  const firstDay = sql`project_id = ${id} and part = 2 and kind in ('unlock', 'distribution')`;
  const [{ due_at: dueAt }] = (
    await stage.database.db.execute<{ due_at: string }>(
      sql`select due_at::text from payouts where kind = 'distribution' and ${firstDay}`,
    )
  ).rows as [{ due_at: string }];
  // The database's own clock is not the ledger's.
  await tamper(stage, sql`update payouts set due_at = now(), next_check_at = now() where ${firstDay}`);
  await quiet(stage, paying);
  await tamper(stage, sql`update payouts set due_at = ${dueAt}::timestamptz where ${firstDay}`);
  expect(await getLockedVesting(stage.ctx, id)).toMatchObject({
    in_escrow: '480.000000',
    days: [{ is_released: true }, { is_released: false }, { is_released: false }],
  });
  const released = await verify(stage, served, sale);
  expect(named(released)).toEqual([]);
  expect(released.report).toMatchObject({
    verdict: 'agrees',
    checked: { payouts_validated: 7 },
    vesting: { locked: '720.000000', in_escrow: '480.000000' },
  });
  expect(reportText(released.report)).toContain('720.000000 of 720.000000 tokens');
  for (const [index, tokens] of ['200', '120'].entries()) {
    const line = await stage.ctx.ledger.trustLine(investors[index]?.address ?? '', sale.issuer.address, 'DMO');
    expect(line?.balance).toBe(tokens);
  }
});
