import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import { payments } from '#drizzle/schema/sale.ts';
import { env } from '#lib/base/env.ts';
import { processSlice } from '#lib/jobs/process-payments.ts';
import { expectRecordsAgree, holders, untilQuiet } from '#tests/integration/sales/cancelled-sales.ts';
import { openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';

const A_LEDGER = 12;
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

/** A ledger with a payment of each, and one slice after it. */
async function payInOneLedger(sale: Sale, wallets: readonly Wallet[]): Promise<void> {
  await Promise.all(wallets.map((wallet) => stage.pay(wallet, sale, 1)));
  stage.desk.close();
  await processSlice(stage.ctx);
}

/** Of each payout of the sale, how many ledgers after the one that confirmed its payment. */
async function ledgersToPayout(sale: Sale): Promise<number[]> {
  const rows = await stage.database.db
    .select({ paidIn: payments.ledgerIndex, paidOutIn: payouts.ledgerIndex })
    .from(payouts)
    .innerJoin(payments, eq(payments.txHash, payouts.paymentHash))
    .where(eq(payouts.projectId, sale.project.id));
  return rows.map(({ paidIn, paidOutIn }) => Number(paidOutIn) - paidIn - env().CONFIRMATIONS);
}

test('what a ledger confirms is paid out in the next one, from the first payment of a sale on: its tickets were asked for while it waited', async () => {
  const sale = await stage.launched();
  const wallets = await holders(stage, sale, A_LEDGER);
  for (let ledger = 0; ledger < 4; ledger++) await payInOneLedger(sale, wallets);
  for (let ledger = 0; ledger < 2; ledger++) await payInOneLedger(sale, []);
  await untilQuiet(stage, sale);
  expect(await ledgersToPayout(sale)).toEqual(Array.from({ length: 4 * A_LEDGER }, () => 1));
  // One request a ledger at most, and what is left is used by the next ones.
  expect((await rowsOf(stage.database.db, 'ticketRequests')).length).toBeLessThanOrEqual(4);
  await expectRecordsAgree(stage, sale);
});

test('nothing is asked for ahead for an account that is halted, nor for a sale that pays out at its end', async () => {
  const halted = await stage.launched();
  const atEnd = await stage.draft();
  await changeRows(stage.database.db, 'projects', { id: atEnd.project.id }, { distribution: 'at_end' });
  await stage.act(atEnd, 'launch');
  await stage.settle(atEnd.deposit);
  await changeRows(stage.database.db, 'depositAccounts', { address: halted.deposit.address }, { halted: true });
  const before = (await rowsOf(stage.database.db, 'ticketRequests')).length;
  for (const sale of [halted, atEnd]) await payInOneLedger(sale, await holders(stage, sale, A_LEDGER));
  expect(await rowsOf(stage.database.db, 'ticketRequests')).toHaveLength(before);
});
