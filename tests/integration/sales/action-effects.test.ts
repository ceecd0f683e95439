import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { formatDrops } from '#lib/base/money.ts';
import { readActionEffects } from '#lib/sales/actions/read-effects.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { beat, holders, launchedUnder, untilQuiet } from './cancelled-sales.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

/** What a cancelled sale has come to owe. */
async function cancellationObligation({
  project,
}: Sale): Promise<{ investments: number; wallets: number; xrp: string }> {
  const rows = await rowsOf(stage.database.db, 'payouts', { projectId: project.id, kind: 'refund' });
  return {
    investments: rows.length,
    wallets: new Set(rows.map(({ destination }) => destination)).size,
    xrp: formatDrops(rows.reduce((sum, { amount }) => sum + amount, 0n)),
  };
}

it('says before a cancel, to the drop, what a cancel gives back, to how many, and what stays', async () => {
  // The database goes by the real time, which is far ahead of the ledger's here: nothing later may be due by either.
  const half = { immediate_bps: 3_333, cliff_days: 3_000, period_days: 1, periods: 2 };
  const sale = await launchedUnder(stage, { vesting: half });
  const [early] = (await holders(stage, sale, 1)) as [Wallet];
  const waiting = await stage.account();
  await stage.pay(early, sale, 5);
  await untilQuiet(stage, sale);
  await stage.pay(waiting, sale, 3);
  await stage.pay(waiting, sale, 1.5);
  await beat(stage, sale);
  const foreseen = await readActionEffects(stage.ctx, sale.project.id);
  expect(foreseen).toMatchObject({
    undecided: { payments: 0, xrp: '0.000000' },
    refunded: { investments: 3, wallets: 2 },
    kept: { investments: 1 },
    payoutsUnderWay: 0,
  });
  await stage.act(sale, 'cancel');
  await stage.settle(sale.deposit);
  await untilQuiet(stage, sale);
  expect(await cancellationObligation(sale)).toEqual(foreseen.refunded);
});

it('counts what nobody has decided yet apart, and throws for a project that is not there', async () => {
  const sale = await launchedUnder(stage, {});
  expect(await readActionEffects(stage.ctx, sale.project.id)).toMatchObject({
    refunded: { investments: 0, wallets: 0, xrp: '0.000000' },
    payoutsOpen: 0,
  });
  await expect(readActionEffects(stage.ctx, 'proj_0000000000000000000000')).rejects.toMatchObject({
    code: 'project_not_found',
  });
});
