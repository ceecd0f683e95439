import { encodeActionMemo } from '@tranche/rules/action-memo.ts';
import { openLedger as openVerifierLedger } from '@tranche/verifier/ledger-client.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Batch, BatchFlags, type Payment, signMultiBatch, type Wallet } from 'xrpl';
import type { FeedEntry } from '#lib/xrpl/types.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

const TF_INNER_BATCH = 0x4000_0000;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

const paymentsOf = ({ deposit }: Sale) => rowsOf(stage.database.db, 'payments', { account: deposit.address });

async function sequenceOf({ address }: Wallet): Promise<number> {
  const { result } = await stage.desk.client.request({ command: 'account_info', account: address });
  return result.account_data.Sequence;
}

/** A payment to the sale as a batch holds it. */
function inner(from: Wallet, Sequence: number, sale: Sale, xrp: number): Payment {
  return {
    TransactionType: 'Payment',
    Account: from.address,
    Destination: sale.deposit.address,
    DestinationTag: sale.project.destination_tag,
    Amount: String(xrp * 1_000_000),
    Fee: '0',
    Flags: TF_INNER_BATCH,
    NetworkID: NETWORK_ID,
    Sequence,
    SigningPubKey: '',
  };
}

async function batch(sender: Wallet, Flags: number, payments: readonly Payment[]): Promise<Batch> {
  return {
    TransactionType: 'Batch',
    Account: sender.address,
    Flags,
    Fee: '100',
    NetworkID: NETWORK_ID,
    Sequence: await sequenceOf(sender),
    RawTransactions: payments.map((RawTransaction) => ({ RawTransaction })) as Batch['RawTransactions'],
  };
}

/** What the platform and the verifier read of a deposit account, each by its own code; the same or the test fails. */
async function feedOf({ deposit }: Sale): Promise<FeedEntry[]> {
  const verifier = openVerifierLedger({ urls: [stage.desk.ledger.wsUrl], networkId: NETWORK_ID });
  try {
    const { validatedIndex } = await verifier.serverState();
    const request = { account: deposit.address, afterHash: null, throughLedger: validatedIndex, maxEntries: 1000 };
    const [seen, verified] = await Promise.all([
      stage.ctx.ledger.readFeed({ ...request, afterLedger: 2 }),
      verifier.readFeed({ ...request, afterLedger: 2 }),
    ]);
    expect(verified.entries).toEqual(seen.entries);
    return seen.entries;
  } finally {
    verifier.close();
  }
}

/** The payments of a feed that name the sale. */
const paidIn = (feed: readonly FeedEntry[], { project }: Sale) =>
  feed.filter((entry) => entry.kind === 'payment' && entry.destinationTag === project.destination_tag);

describe('payments inside a batch', () => {
  it('are investments of their senders, each by itself; those that failed and the batch are not', async () => {
    const sale = await stage.launched();
    const investor = await stage.account();
    const first = (await sequenceOf(investor)) + 1;
    const payments = [
      inner(investor, first, sale, 20),
      inner(investor, first + 1, sale, 1_000_000),
      inner(investor, first + 2, sale, 30),
    ];
    await stage.desk.send(investor, await batch(investor, BatchFlags.tfIndependent, payments));
    await stage.settle(sale.deposit);
    const rows = await paymentsOf(sale);
    expect(rows.map(({ sender, receivedDrops }) => [sender, receivedDrops])).toEqual([
      [investor.address, 20_000_000n],
      [investor.address, 30_000_000n],
    ]);
    expect(rows.every(({ outcome }) => outcome === 'invested')).toBe(true);
    expect(paidIn(await feedOf(sale), sale)).toHaveLength(2);
  });

  it('of which one failed where all had to succeed, are none, though the batch is tesSUCCESS', async () => {
    const sale = await stage.launched();
    const investor = await stage.account();
    const first = (await sequenceOf(investor)) + 1;
    const payments = [inner(investor, first, sale, 20), inner(investor, first + 1, sale, 1_000_000)];
    const hash = await stage.desk.send(investor, await batch(investor, BatchFlags.tfAllOrNothing, payments));
    await stage.settle(sale.deposit);
    const { result } = await stage.desk.client.request({ command: 'tx', transaction: hash });
    expect(result).toMatchObject({ validated: true, meta: { TransactionResult: 'tesSUCCESS' } });
    expect(await paymentsOf(sale)).toEqual([]);
    expect(paidIn(await feedOf(sale), sale)).toEqual([]);
  });

  it('of two accounts are each the investment of the account that pays, whoever sent the batch', async () => {
    const sale = await stage.launched();
    const [sender, partner] = [await stage.account(), await stage.account()];
    const unsigned = await batch(sender, BatchFlags.tfAllOrNothing, [
      inner(sender, (await sequenceOf(sender)) + 1, sale, 20),
      inner(partner, await sequenceOf(partner), sale, 30),
    ]);
    const signed = { ...unsigned };
    signMultiBatch(partner, signed);
    await stage.desk.send(sender, { ...unsigned, BatchSigners: signed.BatchSigners ?? [] });
    await stage.settle(sale.deposit);
    expect((await paymentsOf(sale)).map(({ sender: by, investedDrops }) => [by, investedDrops])).toEqual([
      [sender.address, 20_000_000n],
      [partner.address, 30_000_000n],
    ]);
    await feedOf(sale);
  });
});

describe('what a delegate sends', () => {
  async function delegating(account: Wallet, permission: string): Promise<Wallet> {
    const delegate = await stage.account();
    const Permissions = [{ Permission: { PermissionValue: permission } }] as never;
    const fields = { Account: account.address, Authorize: delegate.address, Permissions };
    await stage.desk.send(account, { TransactionType: 'DelegateSet', ...fields });
    stage.desk.close();
    return delegate;
  }

  it('of a payment is the investment of the account that pays, not of the delegate', async () => {
    const sale = await stage.launched();
    const investor = await stage.account();
    const delegate = await delegating(investor, 'Payment');
    await stage.desk.send(delegate, {
      TransactionType: 'Payment',
      Account: investor.address,
      Delegate: delegate.address,
      Destination: sale.deposit.address,
      DestinationTag: sale.project.destination_tag,
      Amount: '20000000',
    });
    await stage.settle(sale.deposit);
    expect(await paymentsOf(sale)).toMatchObject([{ sender: investor.address, investedDrops: 20_000_000n }]);
    await feedOf(sale);
  });

  it('in the name of the deposit account is no action: who may set its domain may not end its sale', async () => {
    const sale = await stage.launched();
    const delegate = await delegating(sale.deposit, 'AccountDomainSet');
    await stage.desk.send(delegate, {
      TransactionType: 'AccountSet',
      Account: sale.deposit.address,
      Delegate: delegate.address,
      Memos: [encodeActionMemo({ v: 1, project: sale.project.id, move: 'cancel' })],
    });
    await stage.settle(sale.deposit);
    const [project] = await rowsOf(stage.database.db, 'projects', { id: sale.project.id });
    expect(project?.status).toBe('active');
    expect((await feedOf(sale)).at(-1)).toMatchObject({ kind: 'other', transactionType: 'AccountSet', feeDrops: 0n });
  });
});
