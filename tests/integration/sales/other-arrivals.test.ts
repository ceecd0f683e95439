import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IssuedCurrencyAmount, type SubmittableTransaction, signPaymentChannelClaim, type Wallet } from 'xrpl';
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

/** Sends a transaction that makes an entry of the ledger, and gives the entry's key. */
async function create(sender: Wallet, entryType: 'Check' | 'PayChannel', transaction: SubmittableTransaction) {
  const hash = await stage.desk.send(sender, transaction);
  stage.desk.close();
  const { result } = await stage.desk.client.request({ command: 'tx', transaction: hash });
  const nodes = typeof result.meta === 'object' ? result.meta.AffectedNodes : [];
  for (const node of nodes) {
    if ('CreatedNode' in node && node.CreatedNode.LedgerEntryType === entryType) return node.CreatedNode.LedgerIndex;
  }
  throw new Error(`${transaction.TransactionType} made no ${entryType}`);
}

const writeCheck = (owner: Wallet, receiver: Wallet, SendMax: string): Promise<string> =>
  create(owner, 'Check', {
    TransactionType: 'CheckCreate',
    Account: owner.address,
    Destination: receiver.address,
    DestinationTag: 7,
    SendMax,
  });

const openChannel = (owner: Wallet, receiver: Wallet, Amount: string): Promise<string> =>
  create(owner, 'PayChannel', {
    TransactionType: 'PaymentChannelCreate',
    Account: owner.address,
    Destination: receiver.address,
    DestinationTag: 7,
    Amount,
    SettleDelay: 60,
    PublicKey: owner.publicKey,
  });

const TF_CLOSE = 0x0002_0000;

/** XRP of `owner` that reaches the deposit account; the answer is the transaction that brings it. */
type Arriving = (sale: Sale, owner: Wallet) => Promise<string>;

/** Cashes a check of 9 XRP. */
const cashing =
  (amount: { Amount: string } | { DeliverMin: string }): Arriving =>
  async ({ deposit }, owner) =>
    stage.desk.send(deposit, {
      TransactionType: 'CheckCash',
      Account: deposit.address,
      CheckID: await writeCheck(owner, deposit, '9000000'),
      ...amount,
    });

/** The receiver claims with the owner's signature. */
const claiming =
  (flags: number): Arriving =>
  async ({ deposit }, owner) => {
    const channel = await openChannel(owner, deposit, '9000000');
    return stage.desk.send(deposit, {
      TransactionType: 'PaymentChannelClaim',
      Account: deposit.address,
      Channel: channel,
      Balance: '5000000',
      Amount: '5000000',
      PublicKey: owner.publicKey,
      Signature: signPaymentChannelClaim(channel, '5', owner.privateKey),
      Flags: flags,
    });
  };

/** Seconds from the last close to when an escrow can be finished, or cancelled. */
const RIPENS_AFTER_S = 5;

/** An escrow of 5 XRP that can be finished, or cancelled, by now; gives the fields that name it. */
async function ripeEscrow(owner: Wallet, receiver: Wallet): Promise<{ Owner: string; OfferSequence: number }> {
  const { result: now } = await stage.desk.client.request({ command: 'ledger', ledger_index: 'validated' });
  const FinishAfter = now.ledger.close_time + RIPENS_AFTER_S;
  const hash = await stage.desk.send(owner, {
    TransactionType: 'EscrowCreate',
    Account: owner.address,
    Destination: receiver.address,
    DestinationTag: 7,
    Amount: '5000000',
    FinishAfter,
    CancelAfter: FinishAfter + RIPENS_AFTER_S,
  });
  stage.desk.close();
  const { result } = await stage.desk.client.request({ command: 'tx', transaction: hash });
  return { Owner: owner.address, OfferSequence: result.tx_json.Sequence ?? 0 };
}

const finishedByAnybody: Arriving = async ({ deposit }, owner) => {
  const escrow = await ripeEscrow(owner, deposit);
  const anybody = await stage.account();
  stage.desk.close(RIPENS_AFTER_S - 1);
  return stage.desk.send(anybody, { TransactionType: 'EscrowFinish', Account: anybody.address, ...escrow });
};

const finishedByItself: Arriving = async ({ deposit }, owner) => {
  const escrow = await ripeEscrow(owner, deposit);
  stage.desk.close(RIPENS_AFTER_S);
  return stage.desk.send(deposit, { TransactionType: 'EscrowFinish', Account: deposit.address, ...escrow });
};

/** Ten USD in the hands of the deposit account, which asks `askedDrops` for them. */
async function offersTokens({ deposit, issuer }: Sale, askedDrops: string): Promise<IssuedCurrencyAmount> {
  const tokens = { currency: 'USD', issuer: issuer.address, value: '10' };
  const limit = { ...tokens, value: '1000' };
  await stage.desk.send(deposit, { TransactionType: 'TrustSet', Account: deposit.address, LimitAmount: limit });
  stage.desk.close();
  await stage.desk.send(issuer, {
    TransactionType: 'Payment',
    Account: issuer.address,
    Destination: deposit.address,
    Amount: tokens,
  });
  stage.desk.close();
  await stage.desk.send(deposit, {
    TransactionType: 'OfferCreate',
    Account: deposit.address,
    TakerGets: tokens,
    TakerPays: askedDrops,
  });
  stage.desk.close();
  return tokens;
}

const takenByAnOffer: Arriving = async (sale, taker) => {
  const tokens = await offersTokens(sale, '5000000');
  return stage.desk.send(taker, {
    TransactionType: 'OfferCreate',
    Account: taker.address,
    TakerGets: '5000000',
    TakerPays: tokens,
  });
};

const takenByAPayment: Arriving = async (sale, taker) => {
  const tokens = await offersTokens(sale, '5000000');
  return stage.desk.send(taker, {
    TransactionType: 'Payment',
    Account: taker.address,
    Destination: sale.issuer.address,
    Amount: tokens,
    SendMax: '5000000',
  });
};

const paidByOwner: Arriving = async ({ deposit }, owner) =>
  stage.desk.send(owner, {
    TransactionType: 'PaymentChannelClaim',
    Account: owner.address,
    Channel: await openChannel(owner, deposit, '9000000'),
    Balance: '5000000',
  });

describe('XRP that arrives otherwise than by a payment is held under the name of whose it was:', () => {
  it.each<[what: string, type: string, drops: bigint, isOwnTransaction: boolean, arrive: Arriving]>([
    ['a check that the account cashes', 'CheckCash', 5_000_000n, true, cashing({ Amount: '5000000' })],
    ['as much of a check as there is', 'CheckCash', 9_000_000n, true, cashing({ DeliverMin: '1' })],
    ['a claim on a payment channel', 'PaymentChannelClaim', 5_000_000n, true, claiming(0)],
    ['a claim that closes the channel', 'PaymentChannelClaim', 5_000_000n, true, claiming(TF_CLOSE)],
    ['an escrow that anybody finishes', 'EscrowFinish', 5_000_000n, false, finishedByAnybody],
    ['an escrow that the account finishes', 'EscrowFinish', 5_000_000n, true, finishedByItself],
    ['what an offer pays that takes one of the account', 'OfferCreate', 5_000_000n, false, takenByAnOffer],
    ['what a payment to somebody else pays for an offer', 'Payment', 5_000_000n, false, takenByAPayment],
    ['what a channel’s owner pays out of it', 'PaymentChannelClaim', 5_000_000n, false, paidByOwner],
  ])('%s', async (_what, transactionType, drops, isOwnTransaction, arrive) => {
    const sale = await stage.launched();
    const owner = await stage.account();
    const hash = await arrive(sale, owner);
    await stage.settle(sale.deposit);
    expect(await paymentsOf(sale)).toMatchObject([
      {
        txHash: hash,
        transactionType,
        sender: owner.address,
        projectId: null,
        destinationTag: null,
        outcome: 'held',
        reason: 'not_a_payment',
        receivedDrops: drops,
        heldDrops: drops,
        investedDrops: 0n,
      },
    ]);
    expect(await stage.database.db.$count(investments, eq(investments.txHash, hash))).toBe(0);
    // Its fee stands beside it, where the account paid one; it is no withdrawal.
    const fees = (await changesOf(sale)).filter(({ txHash }) => txHash === hash);
    expect(fees.map(({ changeDrops, feeDrops }) => changeDrops + feeDrops)).toEqual(isOwnTransaction ? [0n] : []);
    expect(await alertsAbout(hash)).toBe(0);
    const { booked, onLedger, difference } = await recordsOf(sale);
    expect(difference).toBe(0n);
    expect(booked).toBe(onLedger);
  });
});

/** How many alerts name a transaction. */
async function alertsAbout(hash: string): Promise<number> {
  const raised = await rowsOf(stage.database.db, 'events', { type: 'system.alert' });
  return raised.filter(({ body }) => body.includes(hash)).length;
}

describe('the account’s own XRP', () => {
  it('that comes back from a closed channel is nobody’s payment, and stands in the books', async () => {
    const sale = await stage.launched();
    const receiver = await stage.account();
    const channel = await openChannel(sale.deposit, receiver, '9000000');
    const hash = await stage.desk.send(receiver, {
      TransactionType: 'PaymentChannelClaim',
      Account: receiver.address,
      Channel: channel,
      Flags: TF_CLOSE,
    });
    await stage.settle(sale.deposit);
    expect(await paymentsOf(sale)).toEqual([]);
    const changes = await changesOf(sale);
    expect(changes.filter(({ txHash }) => txHash === hash)).toMatchObject([{ changeDrops: 9_000_000n, feeDrops: 0n }]);
    const { booked, onLedger, difference } = await recordsOf(sale);
    expect(difference).toBe(0n);
    expect(booked).toBe(onLedger);
  });

  it('that comes back from a cancelled escrow is nobody’s payment, whoever cancels it', async () => {
    const sale = await stage.launched();
    const receiver = await stage.account();
    const escrow = await ripeEscrow(sale.deposit, receiver);
    stage.desk.close(2 * RIPENS_AFTER_S);
    const hash = await stage.desk.send(receiver, {
      TransactionType: 'EscrowCancel',
      Account: receiver.address,
      ...escrow,
    });
    await stage.settle(sale.deposit);
    expect(await paymentsOf(sale)).toEqual([]);
    const changes = await changesOf(sale);
    expect(changes.filter(({ txHash }) => txHash === hash)).toMatchObject([{ changeDrops: 5_000_000n, feeDrops: 0n }]);
    const { booked, onLedger, difference } = await recordsOf(sale);
    expect(difference).toBe(0n);
    expect(booked).toBe(onLedger);
  });

  it('that it gets for tokens of its own, by an offer or a payment to itself, is nobody’s payment', async () => {
    const sale = await stage.launched();
    const { deposit } = sale;
    const buyer = await stage.account();
    const tokens = await offersTokens(sale, '999000000');
    const usd = (value: string) => ({ ...tokens, value });
    await stage.desk.send(buyer, { TransactionType: 'TrustSet', Account: buyer.address, LimitAmount: usd('1000') });
    stage.desk.close();
    await stage.desk.send(buyer, {
      TransactionType: 'OfferCreate',
      Account: buyer.address,
      TakerGets: '10000000',
      TakerPays: usd('4'),
    });
    stage.desk.close();
    const sold = await stage.desk.send(deposit, {
      TransactionType: 'OfferCreate',
      Account: deposit.address,
      TakerGets: usd('2'),
      TakerPays: '5000000',
    });
    stage.desk.close();
    const toItself = await stage.desk.send(deposit, {
      TransactionType: 'Payment',
      Account: deposit.address,
      Destination: deposit.address,
      Amount: '5000000',
      SendMax: usd('2'),
    });
    await stage.settle(deposit);
    expect(await paymentsOf(sale)).toEqual([]);
    const changes = await changesOf(sale);
    for (const hash of [sold, toItself]) {
      const own = changes.filter(({ txHash }) => txHash === hash);
      expect(own.map(({ changeDrops, feeDrops }) => changeDrops + feeDrops)).toEqual([5_000_000n]);
    }
    const { booked, onLedger, difference } = await recordsOf(sale);
    expect(difference).toBe(0n);
    expect(booked).toBe(onLedger);
  });

  it('that somebody takes by a check of the account is an unknown withdrawal, and stands in the books', async () => {
    const sale = await stage.launched();
    const casher = await stage.account();
    const check = await writeCheck(sale.deposit, casher, '9000000');
    const hash = await stage.desk.send(casher, {
      TransactionType: 'CheckCash',
      Account: casher.address,
      CheckID: check,
      Amount: '4000000',
    });
    await stage.settle(sale.deposit);
    expect(await paymentsOf(sale)).toEqual([]);
    const changes = await changesOf(sale);
    expect(changes.filter(({ txHash }) => txHash === hash)).toMatchObject([{ changeDrops: -4_000_000n, feeDrops: 0n }]);
    expect(await alertsAbout(hash)).toBe(1);
    const { booked, onLedger, difference } = await recordsOf(sale);
    expect(difference).toBe(0n);
    expect(booked).toBe(onLedger);
  });
});

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
    const changes = await changesOf(sale);
    expect(
      changes.map(({ transactionType, ours, changeDrops, feeDrops }) => [
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
    for (const { txHash } of changes) expect(await alertsAbout(txHash)).toBe(0);
  });
});
