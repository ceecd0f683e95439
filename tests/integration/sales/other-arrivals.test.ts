import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { events } from '#drizzle/schema/events.ts';
import { investments } from '#drizzle/schema/sale.ts';
import { submitAction } from '#lib/sales/actions/submit-action.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

const paymentsOf = ({ deposit }: Sale) => rowsOf(stage.database.db, 'payments', { account: deposit.address });
const changesOf = ({ deposit }: Sale) => rowsOf(stage.database.db, 'accountChanges', { account: deposit.address });

/** The books, the ledger's own balance beside them, and the difference that the last run found. */
async function recordsOf({ deposit }: Sale) {
  const [row] = await rowsOf(stage.database.db, 'depositAccounts', { address: deposit.address });
  const account = await stage.ctx.ledger.account(deposit.address);
  return { booked: row?.recordedBalanceDrops, onLedger: account?.balanceDrops, difference: row?.differenceDrops };
}

/** Deletes an account into another; it must have rested for 256 ledgers. */
async function deleteInto(account: Wallet, destination: string): Promise<string> {
  stage.desk.close(256);
  return stage.desk.send(account, {
    TransactionType: 'AccountDelete',
    Account: account.address,
    Destination: destination,
    DestinationTag: 7,
  });
}

describe('an account that is deleted into the deposit account', () => {
  it('leaves XRP that is held under its name, is nobody’s investment, and stands in the books', async () => {
    const sale = await stage.launched();
    const leaver = await stage.account();
    const hash = await deleteInto(leaver, sale.deposit.address);
    await stage.settle(sale.deposit);
    const [row, ...more] = await paymentsOf(sale);
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      txHash: hash,
      transactionType: 'AccountDelete',
      sender: leaver.address,
      projectId: null,
      outcome: 'held',
      reason: 'not_a_payment',
      investedDrops: 0n,
      refundedDrops: 0n,
    });
    expect(row?.heldDrops).toBe(row?.receivedDrops);
    expect(row?.receivedDrops).toBeGreaterThan(990_000_000n);
    expect(await stage.database.db.$count(investments, eq(investments.txHash, hash))).toBe(0);
    const { booked, onLedger, difference } = await recordsOf(sale);
    expect(difference).toBe(0n);
    expect(booked).toBe(onLedger);
  });

  it('is never credited, also when an action asks for it', async () => {
    const sale = await stage.launched();
    const hash = await deleteInto(await stage.account(), sale.deposit.address);
    await stage.settle(sale.deposit);
    await submitAction(stage.ctx, {
      projectId: sale.project.id,
      action: 'assign',
      paymentHash: hash,
      reason: 'it was meant for the sale',
    });
    await stage.settle(sale.deposit);
    const [assign] = await rowsOf(stage.database.db, 'actions', { paymentHash: hash });
    expect(assign).toMatchObject({ status: 'ineffective', detail: 'no such payment is held' });
    expect(await paymentsOf(sale)).toMatchObject([{ outcome: 'held', reason: 'not_a_payment', investedDrops: 0n }]);
  });

  it('is counted once, however often its ledger is read', async () => {
    const sale = await stage.launched();
    await deleteInto(await stage.account(), sale.deposit.address);
    await stage.settle(sale.deposit);
    const before = await recordsOf(sale);
    expect(before.booked).toBe(before.onLedger);
    const [row] = await paymentsOf(sale);
    // The cursor put back, as after a restored backup: everything is read again.
    await changeRows(
      stage.database.db,
      'depositAccounts',
      { address: sale.deposit.address },
      { cursorLedger: row!.ledgerIndex, cursorHash: await hashOf(row!.ledgerIndex), confirmedLedger: 0 },
    );
    stage.desk.close();
    await stage.advance(sale.deposit);
    expect(await recordsOf(sale)).toEqual(before);
  });
});

async function hashOf(ledgerIndex: number): Promise<string> {
  const { result } = await stage.desk.client.request({ command: 'ledger', ledger_index: ledgerIndex });
  return result.ledger_hash;
}

describe('what is no XRP', () => {
  it('is ignored: issued tokens and MPTs that arrive leave no trace in the books', async () => {
    const sale = await stage.launched();
    const issuer = await stage.issuer();
    // The account has to agree to hold them, which costs it two fees and two reserves, and no XRP.
    await stage.desk.send(sale.deposit, {
      TransactionType: 'TrustSet',
      Account: sale.deposit.address,
      LimitAmount: { currency: 'USD', issuer: issuer.address, value: '1000' },
    });
    await stage.desk.send(issuer, {
      TransactionType: 'MPTokenIssuanceCreate',
      Account: issuer.address,
      MaximumAmount: '1000',
      Flags: 0x20,
    });
    stage.desk.close();
    const { result } = await stage.desk.client.request({
      command: 'account_objects',
      account: issuer.address,
      type: 'mpt_issuance',
    });
    const [issuance] = result.account_objects as unknown as { mpt_issuance_id: string }[];
    const id = issuance!.mpt_issuance_id;
    await stage.desk.send(sale.deposit, {
      TransactionType: 'MPTokenAuthorize',
      Account: sale.deposit.address,
      MPTokenIssuanceID: id,
    });
    await stage.settle(sale.deposit);
    const before = await recordsOf(sale);
    const changes = await changesOf(sale);

    for (const amount of [
      { currency: 'USD', issuer: issuer.address, value: '10' },
      { mpt_issuance_id: id, value: '10' },
    ]) {
      await stage.desk.send(issuer, {
        TransactionType: 'Payment',
        Account: issuer.address,
        Destination: sale.deposit.address,
        DestinationTag: sale.project.destination_tag,
        Amount: amount,
      });
    }
    await stage.settle(sale.deposit);
    expect(await paymentsOf(sale)).toEqual([]);
    expect(await changesOf(sale)).toEqual(changes);
    expect(await recordsOf(sale)).toEqual(before);
    expect(before.booked).toBe(before.onLedger);
  });
});

describe('the account’s own transactions', () => {
  it('stand in the books with their fees, an action as ours and one signed elsewhere as foreign', async () => {
    const sale = await stage.launched();
    await stage.setFlag(sale.deposit, 'asfRequireDest');
    await stage.settle(sale.deposit);
    expect(
      (await changesOf(sale)).map(({ transactionType, ours, changeDrops, feeDrops }) => [
        transactionType,
        ours,
        changeDrops + feeDrops,
      ]),
    ).toEqual([
      ['AccountSet', true, 0n],
      ['AccountSet', false, 0n],
    ]);
    const { booked, onLedger } = await recordsOf(sale);
    expect(booked).toBe(onLedger);
    // A fee is no withdrawal.
    expect(await stage.database.db.$count(events, eq(events.type, 'system.alert'))).toBe(0);
  });
});
