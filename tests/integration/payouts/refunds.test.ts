import { and, asc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { events } from '#drizzle/schema/events.ts';
import { payouts } from '#drizzle/schema/payouts.ts';
import { payments } from '#drizzle/schema/sale.ts';
import { formatDrops } from '#lib/base/money.ts';
import { investmentRefunded, investmentTokensDistributed } from '#lib/events/data.ts';
import { actOnPayout } from '#lib/payouts/operate/act-on-payout.ts';
import { getPayout } from '#lib/payouts/operate/read-payouts.ts';
import { listAccounts } from '#lib/sales/accounts/list-accounts.ts';
import { holders, payoutsOf, sentTo, untilQuiet } from '#tests/integration/sales/cancelled-sales.ts';
import { openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { XRP } from '#tests/support/sale.ts';
import { balanceOf, raising, release } from './raised.ts';

let stage: Stage;
let sale: Sale;
beforeAll(async () => {
  stage = await openStage();
});
beforeEach(async () => {
  sale = await stage.launched();
});
afterAll(() => stage?.end());

const refundOf = async (paymentHash: string) => {
  const [row] = await stage.database.db
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(eq(payouts.kind, 'refund'), eq(payouts.paymentHash, paymentHash)));
  return getPayout(stage.database.db, row?.id ?? '');
};

/** Pays with a tag that no sale has: all of it goes back. */
async function refused(payer: Wallet, xrp: number, meanwhile = async () => {}): Promise<string> {
  const hash = await stage.pay(payer, sale, xrp, sale.project.destination_tag + 1);
  stage.desk.close();
  await meanwhile();
  await stage.settle(sale.deposit);
  await beats();
  return hash;
}

async function beats(): Promise<void> {
  for (let beat = 0; beat < 4; beat++) await untilQuiet(stage, sale);
}

async function retried(hash: string): Promise<void> {
  const { id } = await refundOf(hash);
  await actOnPayout(stage.ctx, { id, action: 'release', reason: 'the payer has mended it' });
  await beats();
}

async function remove(account: Wallet): Promise<void> {
  // An account can be deleted 256 ledgers after its last transaction.
  stage.desk.close(260);
  await stage.desk.send(account, {
    TransactionType: 'AccountDelete',
    Account: account.address,
    Destination: stage.desk.genesis.address,
  });
  stage.desk.close();
}

const setFlags = (account: Wallet, flags: { SetFlag?: number; ClearFlag?: number }) =>
  stage.desk.send(account, { TransactionType: 'AccountSet', Account: account.address, ...flags });

describe('a refund that its payer’s account refuses', () => {
  it.each([
    {
      name: 'because it asks for a tag that the payment did not give',
      reason: 'destination_tag_required',
      spoil: (payer: Wallet) => setFlags(payer, { SetFlag: 1 }),
      cure: (payer: Wallet) => setFlags(payer, { ClearFlag: 1 }),
    },
    {
      name: 'because it takes deposits only from those it has authorised',
      reason: 'deposit_authorization_required',
      spoil: (payer: Wallet) => setFlags(payer, { SetFlag: 9 }),
      cure: (payer: Wallet) =>
        stage.desk.send(payer, {
          TransactionType: 'DepositPreauth',
          Account: payer.address,
          Authorize: sale.deposit.address,
        }),
    },
    {
      name: 'because it was deleted and the refund is below the reserve of a new account',
      reason: 'destination_missing',
      spoil: remove,
      cure: (payer: Wallet) =>
        stage.desk.send(stage.desk.genesis, {
          TransactionType: 'Payment',
          Account: stage.desk.genesis.address,
          Destination: payer.address,
          Amount: '20000000',
        }),
    },
  ])('is held $name, shown with the reason, and paid once after the cure', async ({ reason, spoil, cure }) => {
    const payer = await stage.account();
    const hash = await refused(payer, 0.9, async () => {
      await spoil(payer);
      stage.desk.close();
    });
    expect(await refundOf(hash)).toMatchObject({
      kind: 'refund',
      status: 'held',
      reason,
      amount_xrp: '0.900000',
      destination: payer.address,
      possible: ['release', 'settle'],
      attempts: [],
    });
    // Asking again changes nothing while the reason stands.
    await retried(hash);
    expect(await refundOf(hash)).toMatchObject({ status: 'held', reason, attempts: [] });

    await cure(payer);
    stage.desk.close();
    await retried(hash);
    expect(await refundOf(hash)).toMatchObject({ status: 'validated', reason: null, possible: [] });
    await expect(retried(hash)).rejects.toMatchObject({ code: 'conflict' });
    expect((await sentTo(stage, sale, payer.address)).drops).toBe(900_000n);
  });
});

describe('a refund', () => {
  it('to an account that was deleted brings it back when it is worth its reserve', async () => {
    const payer = await stage.account();
    const hash = await refused(payer, 30, () => remove(payer));
    expect(await refundOf(hash)).toMatchObject({ status: 'validated', attempts: [expect.anything()] });
    expect(await balanceOf(stage, payer)).toBe(30n * XRP);
  });

  it('goes to the sale’s own issuer or distributor like to anybody else', async () => {
    // Without the sale's tag it would be operating funds, and held.
    await stage.act(sale, 'pause');
    await stage.settle(sale.deposit);
    const hash = await stage.pay(sale.issuer, sale, 4);
    await untilQuiet(stage, sale);
    expect(await refundOf(hash)).toMatchObject({ status: 'validated', destination: sale.issuer.address });
    expect((await sentTo(stage, sale, sale.issuer.address)).drops).toBe(4n * XRP);
  });

  it('and a distribution are told with transaction hash, ledger index and amount', async () => {
    const [buyer] = (await holders(stage, sale, 1)) as [Wallet];
    await stage.pay(buyer, sale, 10);
    await stage.settle(sale.deposit);
    await stage.act(sale, 'pause');
    await stage.settle(sale.deposit);
    await stage.pay(buyer, sale, 5);
    await untilQuiet(stage, sale);
    const paid = await payoutsOf(stage, sale);
    const [distribution, refund] = paid;
    expect(paid.map(({ kind, status }) => [kind, status])).toEqual([
      ['distribution', 'validated'],
      ['refund', 'validated'],
    ]);
    const told = async (type: 'investment.refunded' | 'investment.tokens_distributed', id: string) => {
      const [row] = await stage.database.db
        .select({ body: events.body })
        .from(events)
        .where(and(eq(events.type, type), sql`${events.body}::jsonb -> 'data' ->> 'payout_id' = ${id}`));
      return JSON.parse(row?.body ?? '{}').data as unknown;
    };
    expect(
      investmentTokensDistributed.parse(await told('investment.tokens_distributed', distribution!.id)),
    ).toMatchObject({
      investment_id: distribution!.investmentId,
      investor_account: buyer.address,
      tokens: '100.000000',
      transaction: { hash: distribution!.txHash, ledger_index: distribution!.ledgerIndex },
    });
    expect(investmentRefunded.parse(await told('investment.refunded', refund!.id))).toMatchObject({
      investment_id: refund!.investmentId,
      amount_xrp: '5.000000',
      transaction: { hash: refund!.txHash, ledger_index: refund!.ledgerIndex },
    });
  });
});

describe('the books after a whole sale', () => {
  it('explain the balance to the drop: opening, received, less refunds, releases and fees', async () => {
    const raised = await raising(stage);
    const { deposit } = raised;
    const registered = (await accountRow(deposit)).registeredLedger;
    const opening = await stage.ctx.ledger.balanceAt(deposit.address, registered);
    const [buyer] = (await holders(stage, raised, 1)) as [Wallet];
    await stage.pay(buyer, raised, 40);
    await stage.pay(await stage.account(), raised, 7, raised.project.destination_tag + 1);
    await stage.pay(await stage.account(), raised, 25);
    await untilQuiet(stage, raised);
    await release(stage, raised, 15);
    await untilQuiet(stage, raised);
    await stage.act(raised, 'end');
    await untilQuiet(stage, raised);
    await release(stage, raised);
    await untilQuiet(stage, raised);
    await stage.settle(deposit);

    const { db } = stage.database;
    const [{ received } = { received: null }] = await db
      .select({ received: sql<string>`sum(${payments.receivedDrops})::text` })
      .from(payments)
      .where(eq(payments.account, deposit.address));
    const paid = await db
      .select()
      .from(payouts)
      .where(and(eq(payouts.account, deposit.address), eq(payouts.status, 'validated')))
      .orderBy(asc(payouts.createdAt));
    const sum = (kind: string) =>
      paid.filter((row) => row.kind === kind).reduce((drops, { amount }) => drops + amount, 0n);
    const changes = await rowsOf(db, 'accountChanges', { account: deposit.address });
    const fees = changes.reduce((drops, { feeDrops }) => drops + feeDrops, 0n);
    const hashes = new Set(paid.map(({ txHash }) => txHash));
    const payoutFees = changes
      .filter(({ txHash }) => hashes.has(txHash))
      .reduce((drops, { feeDrops }) => drops + feeDrops, 0n);
    expect({ refunds: sum('refund'), releases: sum('release') }).toEqual({ refunds: 7n * XRP, releases: 65n * XRP });
    expect(payoutFees).toBeGreaterThan(0n);
    expect(fees).toBeGreaterThan(payoutFees);
    const balance = await balanceOf(stage, deposit);
    expect(balance).toBe((opening ?? 0n) + BigInt(received ?? 0) - sum('refund') - sum('release') - fees);
    const { accounts } = await listAccounts(stage.ctx, { limit: 200 });
    expect(accounts.find(({ address }) => address === deposit.address)).toMatchObject({
      recorded_balance_xrp: formatDrops(balance),
      difference_xrp: '0.000000',
      fees_xrp: formatDrops(fees),
      payout_fees_xrp: formatDrops(payoutFees),
    });
  });
});

async function accountRow({ address }: Pick<Wallet, 'address'>) {
  const [row] = await rowsOf(stage.database.db, 'depositAccounts', { address });
  if (row === undefined) throw new Error(`${address} is no deposit account`);
  return row;
}
