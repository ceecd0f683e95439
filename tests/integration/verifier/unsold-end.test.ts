import { reportText } from '@tranche/verifier/report.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { getUnsoldLock } from '#lib/sales/published/get-unsold-lock.ts';
import { holders } from '#tests/integration/sales/cancelled-sales.ts';
import { openStage, type Stage } from '#tests/integration/sales/stage.ts';
import { UNSOLD_UNTIL, UNSOLD_UNTIL_SECONDS, unsoldDraft } from '#tests/integration/sales/unsold-sale.ts';
import { quiet } from './altered.ts';
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

it('the platform locks what a sale from its own draft does not sell, and whoever verifies finds that without a difference until its release', async () => {
  const sale = await unsoldDraft(stage);
  // Here the distributor pays.
  const paying = { ...sale, issuer: sale.distributor };
  await stage.act(sale, 'launch');
  await stage.settle(sale.deposit);
  const [investor] = (await holders(stage, sale, 1)) as [Wallet];
  await stage.pay(investor, sale, 50);
  await quiet(stage, paying);
  expect(await getUnsoldLock(stage.ctx, sale.project.id)).toBeNull();

  await stage.act(sale, 'end');
  await stage.settle(sale.deposit);
  const open = { tokens: '5500.000000', transaction_hash: null, finish: null };
  expect(await getUnsoldLock(stage.ctx, sale.project.id)).toEqual(open);
  const owing = await verify(stage, served, sale);
  expect(named(owing)).toEqual([]);
  expect(owing.report).toMatchObject({
    checked: { payouts_owed: 1 },
    unsold: { amount: '5500.000000', locked: '0.000000' },
  });

  await quiet(stage, paying);
  const lock = await getUnsoldLock(stage.ctx, sale.project.id);
  const locked = await verify(stage, served, sale);
  expect(named(locked)).toEqual([]);
  expect(locked.report).toMatchObject({
    verdict: 'agrees',
    unsold: {
      until: UNSOLD_UNTIL,
      transaction_hash: lock?.transaction_hash,
      locked: '5500.000000',
      in_escrow: '5500.000000',
    },
  });

  const { result } = await stage.desk.client.request({ command: 'ledger', ledger_index: 'validated' });
  stage.desk.ledger.advanceTime(UNSOLD_UNTIL_SECONDS - result.ledger.close_time + 60);
  // What the consoles show, signed by a stranger.
  const finish = lock?.finish;
  if (!finish) throw new Error('Nothing to sign');
  await stage.desk.send(investor, { ...finish, Account: investor.address });
  stage.desk.close();
  await stage.settle(sale.deposit);
  const released = await verify(stage, served, sale);
  expect(named(released)).toEqual([]);
  expect(released.report.unsold).toMatchObject({ locked: '5500.000000', in_escrow: '0.000000' });
  expect(reportText(released.report)).toContain('0.000000 still in escrow');
});
