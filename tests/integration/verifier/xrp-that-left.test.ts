import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { refundPayment } from '#lib/sales/held/refund-payment.ts';
import { openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
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

const send = async (from: Wallet, to: string, xrp: number): Promise<string> =>
  stage.desk.send(from, {
    TransactionType: 'Payment',
    Account: from.address,
    Destination: to,
    Amount: String(xrp * 1_000_000),
  });

async function paidSale(): Promise<Sale> {
  const sale = await stage.launched();
  await stage.pay(await stage.account(), sale, 10);
  await quiet(stage, sale);
  return sale;
}

it('XRP that left the deposit account for a stranger is named, and by every sale of that account', async () => {
  const one = await paidSale();
  const two = await stage.launched({ slug: 'shares-the-account-of-one' }, one);
  const stranger = await stage.account();
  const before = await verify(stage, served, one);
  expect(before.code).toBe(0);
  const taken = await send(one.deposit, stranger.address, 3);
  await quiet(stage, one);
  for (const sale of [one, two]) {
    const found = await verify(stage, served, sale);
    expect(found.code).toBe(1);
    expect(named(found)).toEqual([['unexplained_payment', taken]]);
    expect(found.report.differences[0]?.message).toContain(`3.000000 XRP to ${stranger.address}`);
  }
});

it('of what left before a sale was launched it accuses nobody', async () => {
  const one = await paidSale();
  const stranger = await stage.account();
  const taken = await send(one.deposit, stranger.address, 3);
  await quiet(stage, one);
  const later = await stage.launched({ slug: 'launched-later' }, one);
  await quiet(stage, later);
  expect(named(await verify(stage, served, one))).toEqual([['unexplained_payment', taken]]);
  expect((await verify(stage, served, later)).code).toBe(0);
});

it('operating accounts may get back what they have paid in, and no drop more', async () => {
  const sale = await paidSale();
  await send(sale.issuer, sale.deposit.address, 20);
  await quiet(stage, sale);
  await send(sale.deposit, sale.issuer.address, 15);
  await quiet(stage, sale);
  expect((await verify(stage, served, sale)).code).toBe(0);
  const taken = await send(sale.deposit, sale.issuer.address, 6);
  await quiet(stage, sale);
  const found = await verify(stage, served, sale);
  expect(named(found)).toEqual([['unexplained_payment', taken]]);
});

it('what an operator sends back of payments and of other arrivals that no sale is named in is explained by the ledger', async () => {
  const sale = await paidSale();
  const sender = await stage.account();
  const leaver = await stage.account();
  const stray = await stage.pay(sender, sale, 0.0005, null);
  stage.desk.close(256);
  const left = await stage.desk.send(leaver, {
    TransactionType: 'AccountDelete',
    Account: leaver.address,
    Destination: sale.deposit.address,
  });
  const writer = await stage.account();
  await stage.desk.send(writer, {
    TransactionType: 'CheckCreate',
    Account: writer.address,
    Destination: sale.deposit.address,
    SendMax: '5000000',
  });
  stage.desk.close();
  const { result } = await stage.desk.client.request({
    command: 'account_objects',
    account: writer.address,
    type: 'check',
  });
  const cashed = await stage.desk.send(sale.deposit, {
    TransactionType: 'CheckCash',
    Account: sale.deposit.address,
    CheckID: result.account_objects[0]!.index,
    Amount: '5000000',
  });
  await stage.settle(sale.deposit);
  await send(sender, leaver.address, 20);
  stage.desk.close();
  for (const transactionHash of [stray, left, cashed]) {
    await refundPayment(stage.ctx, { transactionHash, reason: 'the sender asked' });
  }
  await quiet(stage, sale);
  const found = await verify(stage, served, sale);
  expect(named(found)).toEqual([]);
  expect(found.code).toBe(0);
  await send(sale.deposit, leaver.address, 1);
  await quiet(stage, sale);
  expect((await verify(stage, served, sale)).code).toBe(1);
});
