import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import { payments } from '#drizzle/schema/sale.ts';
import { env } from '#lib/base/env.ts';
import { processSlice } from '#lib/jobs/process-payments.ts';
import { SPARE_TICKETS } from '#lib/payouts/types.ts';
import { expectRecordsAgree, holders, untilQuiet } from '#tests/integration/sales/cancelled-sales.ts';
import { CURRENCY, openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
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

describe('nothing is asked for ahead for payments that the next ledger does not make due', () => {
  /** How many TicketCreates a ledger with a payment of each brings, before anything of it is decided. */
  async function askedFor(sale: Sale, xrp: number): Promise<number> {
    const wallets = await holders(stage, sale, A_LEDGER);
    await untilQuiet(stage, sale);
    const requests = () => rowsOf(stage.database.db, 'ticketRequests', { account: sale.issuer.address });
    const before = (await requests()).length;
    await Promise.all(wallets.map((wallet) => stage.pay(wallet, sale, xrp)));
    stage.desk.close();
    await processSlice(stage.ctx);
    return (await requests()).length - before;
  }

  test('dust, which is below the minimum or buys no unit: nobody makes the distributor lock reserve for it', async () => {
    const withMinimum = await stage.launched({ min_investment_xrp: '2' });
    expect(await askedFor(withMinimum, 1)).toBe(0);
    const issuer = await stage.issuer();
    const token = { kind: 'iou' as const, currency: CURRENCY, issuer: issuer.address, decimals: 0 };
    const whole = await stage.launched({ token }, { issuer });
    expect(await askedFor(whole, 0.05)).toBe(0);
    expect(await askedFor(whole, 0.1)).toBe(1);
  });

  test('payments to a sale that distributes nothing at once, though it begins to at once', async () => {
    const vesting = { immediate_bps: 0, cliff_days: 30, period_days: 30, periods: 4 };
    expect(await askedFor(await stage.launched({ vesting }), 1)).toBe(0);
  });

  test('distributions from the deposit account of another sale, whose XRP is its investors’', async () => {
    const { deposit } = await stage.launched();
    const sale = await stage.launched({}, { issuer: deposit });
    expect(await askedFor(sale, 1)).toBe(0);
  });
});

test('a payout that is due and waits for its holder does not keep tickets from being asked for ahead', async () => {
  const sale = await stage.launched();
  const wallets = await holders(stage, sale, A_LEDGER);
  const [unready] = await stage.desk.accounts(1);
  if (unready === undefined) throw new Error('There is no account');
  await stage.pay(unready, sale, 1);
  stage.desk.close();
  await untilQuiet(stage, sale);
  const owed = { projectId: sale.project.id };
  expect(await rowsOf(stage.database.db, 'payouts', owed)).toMatchObject([{ reason: 'trust_line_missing' }]);
  const requests = () => rowsOf(stage.database.db, 'ticketRequests', { account: sale.issuer.address });
  expect(await requests()).toEqual([]);
  await changeRows(stage.database.db, 'payouts', owed, { nextCheckAt: new Date(0) });
  await payInOneLedger(sale, wallets);
  expect(await requests()).toMatchObject([{ count: A_LEDGER + SPARE_TICKETS }]);
});
