import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Amount, EscrowCreate, MPTAmount, SubmittableTransaction, TransactionMetadata, Wallet } from 'xrpl';
import { formatDecimal, parseDecimal } from '../amount.ts';
import { issuedWithoutFee, mptWithoutFee } from '../engine/escrowTokens.ts';
import { fundedWallets, pay, type Rig, send, settle, startRig, threeWallets } from './support.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const CONDITION = 'A0258020E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855810100';
const FULFILLMENT = 'A0028000';
/** What the client library pays for a transaction. */
const FEE_DROPS = 12n;
/** Far enough away that no test gets there. */
const NEVER = 900_000_000;

async function closeTime(): Promise<number> {
  return (await rig.client.request({ command: 'ledger', ledger_index: 'validated' })).result.ledger.close_time;
}

/** Closes ledgers until the last one closed after that time. */
async function passTime(time: number): Promise<void> {
  while ((await closeTime()) <= time) rig.ledger.accept();
}

type Made = { readonly Owner: string; readonly OfferSequence: number };

async function escrow(owner: Wallet, to: Wallet, amount: Amount | MPTAmount, more: Partial<EscrowCreate> = {}) {
  const { filled, meta } = await settle(rig, owner, {
    TransactionType: 'EscrowCreate',
    Account: owner.address,
    Destination: to.address,
    Amount: amount as Amount,
    ...more,
  });
  const made: Made = { Owner: owner.address, OfferSequence: filled.Sequence ?? 0 };
  return { made, result: meta.TransactionResult };
}

/** An escrow that can be finished, or cancelled, at once. */
async function dueEscrow(
  owner: Wallet,
  to: Wallet,
  amount: Amount | MPTAmount,
  end: 'finish' | 'cancel',
): Promise<Made> {
  const now = await closeTime();
  const times = end === 'finish' ? { FinishAfter: now + 1 } : { FinishAfter: now + 1, CancelAfter: now + 2 };
  const { made, result } = await escrow(owner, to, amount, times);
  expect(result).toBe('tesSUCCESS');
  await passTime(now + 2);
  return made;
}

async function end(by: Wallet, type: 'EscrowFinish' | 'EscrowCancel', made: Made, more: object = {}): Promise<string> {
  const transaction = { TransactionType: type, Account: by.address, ...made, ...more } as SubmittableTransaction;
  return resultOf((await settle(rig, by, transaction)).meta);
}

const resultOf = (meta: TransactionMetadata): string => meta.TransactionResult;

async function info(wallet: Wallet) {
  const { result } = await rig.client.request({ command: 'account_info', account: wallet.address });
  return { drops: BigInt(result.account_data.Balance), owned: result.account_data.OwnerCount };
}

describe('XRP in escrow', () => {
  test('belongs to nobody until it is finished, and then to its destination, whoever finishes it', async () => {
    const [a, b, c] = await threeWallets(rig);
    const before = { a: await info(a), b: await info(b) };
    const made = await dueEscrow(a, b, '5000000', 'finish');
    const held = await info(a);
    expect(held).toEqual({ drops: before.a.drops - 5_000_000n - FEE_DROPS, owned: 1 });
    expect(await end(c, 'EscrowFinish', made)).toBe('tesSUCCESS');
    expect(await info(a)).toEqual({ drops: held.drops, owned: 0 });
    expect((await info(b)).drops).toBe(before.b.drops + 5_000_000n);
    expect(await end(c, 'EscrowFinish', made)).toBe('tecNO_TARGET');
  });

  test('goes back to its owner when it is cancelled, whoever cancels it', async () => {
    const [a, b, c] = await threeWallets(rig);
    const { drops } = await info(a);
    const made = await dueEscrow(a, b, '5000000', 'cancel');
    expect(await end(b, 'EscrowFinish', made)).toBe('tecNO_PERMISSION');
    expect(await end(c, 'EscrowCancel', made)).toBe('tesSUCCESS');
    expect(await info(a)).toEqual({ drops: drops - FEE_DROPS, owned: 0 });
  });

  test('can be finished neither before its time nor without its fulfillment, and cancelled not without a time', async () => {
    const [a, b] = await threeWallets(rig);
    const later = await escrow(a, b, '1', { FinishAfter: NEVER });
    expect(await end(b, 'EscrowFinish', later.made)).toBe('tecNO_PERMISSION');
    expect(await end(a, 'EscrowCancel', later.made)).toBe('tecNO_PERMISSION');
    const locked = await escrow(a, b, '1', { Condition: CONDITION, CancelAfter: NEVER });
    expect(await end(b, 'EscrowFinish', locked.made)).toBe('tecCRYPTOCONDITION_ERROR');
    expect(await end(a, 'EscrowCancel', locked.made)).toBe('tecNO_PERMISSION');
    const key = { Condition: CONDITION, Fulfillment: FULFILLMENT };
    expect(await end(b, 'EscrowFinish', locked.made, { ...key, Fulfillment: 'A003800101' })).toBe(
      'tecCRYPTOCONDITION_ERROR',
    );
    expect(await end(b, 'EscrowFinish', locked.made, key)).toBe('tesSUCCESS');
  });

  test('takes no condition that it was not made with', async () => {
    const [a, b] = await threeWallets(rig);
    const made = await dueEscrow(a, b, '1', 'finish');
    const key = { Condition: CONDITION, Fulfillment: FULFILLMENT };
    expect(await end(b, 'EscrowFinish', made, key)).toBe('tecCRYPTOCONDITION_ERROR');
    expect(await end(b, 'EscrowFinish', made)).toBe('tesSUCCESS');
  });

  test('costs 33 base fees to finish by a fulfillment, and one more for each 16 bytes of it', async () => {
    const [a, b] = await threeWallets(rig);
    const { made } = await escrow(a, b, '1', { Condition: CONDITION, CancelAfter: NEVER });
    const finish = (Fulfillment: string, Fee: string) =>
      send(rig, b, {
        TransactionType: 'EscrowFinish',
        Account: b.address,
        ...made,
        Condition: CONDITION,
        Fulfillment,
        Fee,
      });
    expect((await finish(FULFILLMENT, '329')).result).toBe('telINSUF_FEE_P');
    expect((await finish('00'.repeat(32), '349')).result).toBe('telINSUF_FEE_P');
    expect((await finish('00'.repeat(31), '340')).result).toBe('tecCRYPTOCONDITION_ERROR');
    expect((await finish(FULFILLMENT, '330')).result).toBe('tesSUCCESS');
  });

  test('needs the reserve of one more object beside the amount', async () => {
    const [rich, to] = await threeWallets(rig);
    const [poor] = await fundedWallets(rig, 1, 2);
    if (!poor) throw new Error('one wallet was asked for');
    expect((await escrow(poor, to, '800000', { FinishAfter: NEVER })).result).toBe('tecUNFUNDED');
    // 2 XRP less the reserve of an object, the fee of the attempt, and that of this one.
    expect((await escrow(poor, to, '799976', { FinishAfter: NEVER })).result).toBe('tesSUCCESS');
    expect((await escrow(poor, to, '1', { FinishAfter: NEVER })).result).toBe('tecINSUFFICIENT_RESERVE');
    expect((await escrow(rich, to, '1', { FinishAfter: NEVER })).result).toBe('tesSUCCESS');
  });

  test('keeps its owner and its destination from being deleted', async () => {
    const [a, b, c] = await threeWallets(rig);
    await escrow(a, b, '1', { FinishAfter: NEVER });
    for (let i = 0; i < 256; i++) rig.ledger.accept();
    for (const wallet of [a, b]) {
      const { address: Account } = wallet;
      // Simulated, because the client library refuses to send it.
      const remove = { TransactionType: 'AccountDelete', Account, Destination: c.address, Fee: '200000' } as const;
      const simulated = await rig.client.request({ command: 'simulate', tx_json: remove });
      expect(simulated.result.engine_result).toBe('tecHAS_OBLIGATIONS');
      const blockers = { command: 'account_objects', account: Account, deletion_blockers_only: true } as const;
      const { result } = await rig.client.request(blockers);
      expect(result.account_objects).toMatchObject([{ LedgerEntryType: 'Escrow' }]);
    }
  });

  test('to one who takes deposits only from the authorized is finished by the authorized and by itself', async () => {
    const [a, b, c] = await threeWallets(rig);
    await settle(rig, b, { TransactionType: 'AccountSet', Account: b.address, SetFlag: 9 });
    const made = await dueEscrow(a, b, '7', 'finish');
    for (const by of [a, c]) expect(await end(by, 'EscrowFinish', made)).toBe('tecNO_PERMISSION');
    await settle(rig, b, { TransactionType: 'DepositPreauth', Account: b.address, Authorize: c.address });
    expect(await end(c, 'EscrowFinish', made)).toBe('tesSUCCESS');
    expect(await end(b, 'EscrowFinish', await dueEscrow(a, b, '7', 'finish'))).toBe('tesSUCCESS');
  });

  test('is finished with a credential that its destination takes, and an expired one is removed', async () => {
    const [a, b, c] = await threeWallets(rig);
    const type = '4B5943';
    await settle(rig, b, { TransactionType: 'AccountSet', Account: b.address, SetFlag: 9 });
    await settle(rig, b, {
      TransactionType: 'DepositPreauth',
      Account: b.address,
      AuthorizeCredentials: [{ Credential: { Issuer: a.address, CredentialType: type } }],
    });
    const made = await dueEscrow(a, b, '7', 'finish');
    const Expiration = (await closeTime()) + 10;
    const { meta } = await settle(rig, a, {
      TransactionType: 'CredentialCreate',
      Account: a.address,
      Subject: c.address,
      CredentialType: type,
      Expiration,
    });
    const created = meta.AffectedNodes.flatMap((node) => ('CreatedNode' in node ? [node.CreatedNode] : []));
    const id = created.find((node) => node.LedgerEntryType === 'Credential')?.LedgerIndex ?? '';
    expect(await end(c, 'EscrowFinish', made, { CredentialIDs: [id] })).toBe('tecBAD_CREDENTIALS');
    const accept = { TransactionType: 'CredentialAccept', Account: c.address, Issuer: a.address } as const;
    await settle(rig, c, { ...accept, CredentialType: type });
    expect(await end(c, 'EscrowFinish', made)).toBe('tecNO_PERMISSION');
    const second = await dueEscrow(a, b, '7', 'finish');
    expect(await end(c, 'EscrowFinish', made, { CredentialIDs: [id] })).toBe('tesSUCCESS');
    await passTime(Expiration);
    expect(await end(c, 'EscrowFinish', second, { CredentialIDs: [id] })).toBe('tecEXPIRED');
    expect(await end(c, 'EscrowFinish', second, { CredentialIDs: [id] })).toBe('tecBAD_CREDENTIALS');
  });

  test('stands under the ticket that made it, and in the directories of both', async () => {
    const [a, b] = await threeWallets(rig);
    const tickets = await settle(rig, a, { TransactionType: 'TicketCreate', Account: a.address, TicketCount: 1 });
    const ticket = (tickets.filled.Sequence ?? 0) + 1;
    await escrow(a, b, '9', { FinishAfter: NEVER, TicketSequence: ticket, Sequence: 0 });
    const { result } = await rig.client.request({
      command: 'ledger_entry',
      escrow: { owner: a.address, seq: ticket },
    });
    expect(result.node).toMatchObject({ LedgerEntryType: 'Escrow', Sequence: ticket, Amount: '9' });
    for (const { address: account } of [a, b]) {
      const owned = await rig.client.request({ command: 'account_objects', account, type: 'escrow' });
      expect(owned.result.account_objects).toHaveLength(1);
    }
  });
});

/** An issuer whose currency may be locked, and two holders: the first has 1000 of it, the second a line of 100. */
async function currency(TransferRate = 0) {
  const [issuer, a, b] = await threeWallets(rig);
  const usd = (value: string) => ({ currency: 'USD', issuer: issuer.address, value });
  for (const SetFlag of [8, 17]) {
    await settle(rig, issuer, { TransactionType: 'AccountSet', Account: issuer.address, SetFlag });
  }
  if (TransferRate) await settle(rig, issuer, { TransactionType: 'AccountSet', Account: issuer.address, TransferRate });
  await settle(rig, a, { TransactionType: 'TrustSet', Account: a.address, LimitAmount: usd('10000') });
  await settle(rig, b, { TransactionType: 'TrustSet', Account: b.address, LimitAmount: usd('100') });
  await settle(rig, issuer, pay(issuer.address, a.address, usd('1000')));
  const balance = async (holder: Wallet): Promise<string | undefined> => {
    const { result } = await rig.client.request({ command: 'account_lines', account: holder.address });
    return result.lines.find(({ account }) => account === issuer.address)?.balance;
  };
  const freeze = (holder: Wallet, Flags: number) =>
    settle(rig, issuer, {
      TransactionType: 'TrustSet',
      Account: issuer.address,
      LimitAmount: { currency: 'USD', issuer: holder.address, value: '0' },
      Flags,
    });
  return { issuer, a, b, usd, balance, freeze };
}

describe('issued currency in escrow', () => {
  test('leaves its line at once and is shown to the issuer as locked', async () => {
    const { issuer, a, b, usd, balance } = await currency();
    const made = await dueEscrow(a, b, usd('60'), 'finish');
    expect(await balance(a)).toBe('940');
    const locked = await rig.client.request({ command: 'gateway_balances', account: issuer.address });
    expect(locked.result).toMatchObject({ obligations: { USD: '940' }, locked: { USD: '60' } });
    expect(await end(issuer, 'EscrowFinish', made)).toBe('tesSUCCESS');
    expect(await balance(b)).toBe('60');
    const after = await rig.client.request({ command: 'gateway_balances', account: issuer.address });
    expect(after.result).not.toHaveProperty('locked');
    expect(after.result).toMatchObject({ obligations: { USD: '1000' } });
  });

  test('needs the leave of its issuer, who can neither lock nor be locked out of its own', async () => {
    const { issuer, a, b, usd } = await currency();
    expect((await escrow(issuer, b, usd('1'), { FinishAfter: NEVER })).result).toBe('tecNO_PERMISSION');
    const toIssuer = await dueEscrow(a, issuer, usd('10'), 'finish');
    await settle(rig, issuer, { TransactionType: 'AccountSet', Account: issuer.address, ClearFlag: 17 });
    expect((await escrow(a, b, usd('1'), { FinishAfter: NEVER })).result).toBe('tecNO_PERMISSION');
    expect(await end(a, 'EscrowFinish', toIssuer)).toBe('tesSUCCESS');
    const { result } = await rig.client.request({ command: 'gateway_balances', account: issuer.address });
    expect(result).toMatchObject({ obligations: { USD: '990' } });
  });

  test('costs the lower of the transfer rates at creation and at the end, off the amount, and nothing back', async () => {
    const { issuer, a, b, usd, balance } = await currency(1_250_000_000);
    const [dear, cheap, back] = [
      await dueEscrow(a, b, usd('10'), 'finish'),
      await dueEscrow(a, b, usd('10'), 'finish'),
      await dueEscrow(a, b, usd('10'), 'cancel'),
    ];
    const rate = (TransferRate: number) =>
      settle(rig, issuer, { TransactionType: 'AccountSet', Account: issuer.address, TransferRate });
    await rate(2_000_000_000);
    expect(await end(b, 'EscrowFinish', dear)).toBe('tesSUCCESS');
    expect(await balance(b)).toBe('8');
    await rate(1_100_000_000);
    expect(await end(b, 'EscrowFinish', cheap)).toBe('tesSUCCESS');
    expect(await balance(b)).toBe('17.09090909090909');
    expect(await end(b, 'EscrowCancel', back)).toBe('tesSUCCESS');
    expect(await balance(a)).toBe('980');
  });

  test('costs the transfer rate on the way to oneself, too, when it is finished and not cancelled', async () => {
    const { a, usd, balance } = await currency(1_250_000_000);
    const [made, back] = [await dueEscrow(a, a, usd('10'), 'finish'), await dueEscrow(a, a, usd('10'), 'cancel')];
    expect(await end(a, 'EscrowFinish', made)).toBe('tesSUCCESS');
    expect(await end(a, 'EscrowCancel', back)).toBe('tesSUCCESS');
    expect(await balance(a)).toBe('998');
  });

  test('reaches a receiver without a line, or over its limit, only by its own hand', async () => {
    const { a, b, issuer, usd, balance } = await currency();
    const [c] = await fundedWallets(rig, 1);
    if (!c) throw new Error('one wallet was asked for');
    const lineless = await dueEscrow(a, c, usd('5'), 'finish');
    expect(await end(a, 'EscrowFinish', lineless)).toBe('tecNO_LINE');
    expect(await end(c, 'EscrowFinish', lineless)).toBe('tesSUCCESS');
    expect(await balance(c)).toBe('5');
    expect((await info(c)).owned).toBe(1);
    const large = await dueEscrow(a, b, usd('101'), 'finish');
    expect(await end(issuer, 'EscrowFinish', large)).toBe('tecLIMIT_EXCEEDED');
    expect(await end(b, 'EscrowFinish', large)).toBe('tesSUCCESS');
    expect(await balance(b)).toBe('101');
  });

  test('takes away a line that nobody asked for when it takes all of it, and makes it anew for an owner who cancels', async () => {
    const { a, issuer, usd, balance } = await currency();
    const [c] = await fundedWallets(rig, 1);
    if (!c) throw new Error('one wallet was asked for');
    await end(c, 'EscrowFinish', await dueEscrow(a, c, usd('5'), 'finish'));
    const back = await dueEscrow(c, a, usd('5'), 'cancel');
    expect(await balance(c)).toBeUndefined();
    expect((await info(c)).owned).toBe(1);
    expect(await end(issuer, 'EscrowCancel', back)).toBe('tecNO_LINE');
    expect(await end(c, 'EscrowCancel', back)).toBe('tesSUCCESS');
    expect(await balance(c)).toBe('5');
    expect((await info(c)).owned).toBe(1);
  });

  test('comes back over the limit of its owner only by its own hand', async () => {
    const { a, issuer, usd, balance } = await currency();
    const back = await dueEscrow(a, issuer, usd('5'), 'cancel');
    await settle(rig, a, { TransactionType: 'TrustSet', Account: a.address, LimitAmount: usd('999') });
    expect(await end(issuer, 'EscrowCancel', back)).toBe('tecLIMIT_EXCEEDED');
    expect(await end(a, 'EscrowCancel', back)).toBe('tesSUCCESS');
    expect(await balance(a)).toBe('1000');
  });

  test('is not locked by or for the frozen; later only a deep freeze keeps it from its receiver', async () => {
    const { a, b, usd, freeze } = await currency();
    const made = await dueEscrow(a, b, usd('5'), 'finish');
    const back = await dueEscrow(a, b, usd('5'), 'cancel');
    await freeze(b, 0x00100000);
    expect((await escrow(a, b, usd('1'), { FinishAfter: NEVER })).result).toBe('tecFROZEN');
    await freeze(b, 0x00400000);
    expect(await end(b, 'EscrowFinish', made)).toBe('tecFROZEN');
    await freeze(b, 0x00800000);
    expect(await end(b, 'EscrowFinish', made)).toBe('tesSUCCESS');
    await freeze(a, 0x00500000);
    expect((await escrow(a, b, usd('1'), { FinishAfter: NEVER })).result).toBe('tecFROZEN');
    expect(await end(b, 'EscrowCancel', back)).toBe('tesSUCCESS');
  });

  test('cannot be more than the line holds, nor so little that it is lost beside it', async () => {
    const { a, b, usd } = await currency();
    const result = async (value: string) => (await escrow(a, b, usd(value), { FinishAfter: NEVER })).result;
    expect(await result('1000.1')).toBe('tecINSUFFICIENT_FUNDS');
    expect(await result('0.000000000000001')).toBe('tecPRECISION_LOSS');
    expect(await result('0.00000001')).toBe('tesSUCCESS');
    expect((await escrow(b, a, usd('1'), { FinishAfter: NEVER })).result).toBe('tecINSUFFICIENT_FUNDS');
  });
});

/** An MPT of an issuer, of which the first holder has 1000 and the second none. */
async function mpt(more: object = {}) {
  const [issuer, a, b] = await threeWallets(rig);
  const { meta } = await settle(rig, issuer, {
    TransactionType: 'MPTokenIssuanceCreate',
    Account: issuer.address,
    Flags: 0x6a,
    ...more,
  });
  const id = 'mpt_issuance_id' in meta ? String(meta.mpt_issuance_id) : '';
  const of = (value: string) => ({ mpt_issuance_id: id, value });
  const optIn = (holder: Wallet) =>
    settle(rig, holder, { TransactionType: 'MPTokenAuthorize', Account: holder.address, MPTokenIssuanceID: id });
  await optIn(a);
  await settle(rig, issuer, pay(issuer.address, a.address, of('1000')));
  const token = async (holder: Wallet) => {
    const wanted = { mpt_issuance_id: id, account: holder.address };
    return (await rig.client.request({ command: 'ledger_entry', mptoken: wanted })).result.node;
  };
  const issuance = async () => (await rig.client.request({ command: 'ledger_entry', mpt_issuance: id })).result.node;
  const lock = (holder: Wallet, Flags: number) =>
    settle(rig, issuer, {
      TransactionType: 'MPTokenIssuanceSet',
      Account: issuer.address,
      MPTokenIssuanceID: id,
      Holder: holder.address,
      Flags,
    });
  return { issuer, a, b, id, of, optIn, token, issuance, lock };
}

describe('MPTs in escrow', () => {
  test('stay outstanding and the holder’s, but out of its and the issuer’s reach', async () => {
    const { issuer, a, b, id, of, token, issuance } = await mpt();
    const made = await dueEscrow(a, b, of('300'), 'cancel');
    expect(await token(a)).toMatchObject({ MPTAmount: '700', LockedAmount: '300' });
    expect(await issuance()).toMatchObject({ OutstandingAmount: '1000', LockedAmount: '300' });
    const claw = {
      TransactionType: 'Clawback',
      Account: issuer.address,
      Holder: a.address,
      Amount: of('5000'),
    } as const;
    expect(resultOf((await settle(rig, issuer, claw)).meta)).toBe('tesSUCCESS');
    expect(await issuance()).toMatchObject({ OutstandingAmount: '300', LockedAmount: '300' });
    expect(resultOf((await settle(rig, issuer, claw)).meta)).toBe('tecINSUFFICIENT_FUNDS');
    const leave = { TransactionType: 'MPTokenAuthorize', Account: a.address, MPTokenIssuanceID: id, Flags: 1 } as const;
    expect(resultOf((await settle(rig, a, leave)).meta)).toBe('tecHAS_OBLIGATIONS');
    expect(await end(b, 'EscrowCancel', made)).toBe('tesSUCCESS');
    expect(await token(a)).toMatchObject({ MPTAmount: '300' });
    expect(await token(a)).not.toHaveProperty('LockedAmount');
    expect(await issuance()).not.toHaveProperty('LockedAmount');
  });

  test('reach a receiver without the token only by its own hand, less the fee, which is burned', async () => {
    const { a, b, of, token, issuance } = await mpt({ TransferFee: 10_000 });
    const made = await dueEscrow(a, b, of('100'), 'finish');
    expect(await end(a, 'EscrowFinish', made)).toBe('tecNO_PERMISSION');
    expect(await end(b, 'EscrowFinish', made)).toBe('tesSUCCESS');
    expect(await token(b)).toMatchObject({ MPTAmount: '91' });
    expect(await issuance()).toMatchObject({ OutstandingAmount: '991' });
    expect((await info(b)).owned).toBe(1);
  });

  test('that go to their issuer are burned without a fee', async () => {
    const { issuer, a, of, issuance } = await mpt({ TransferFee: 10_000 });
    expect(await end(a, 'EscrowFinish', await dueEscrow(a, issuer, of('100'), 'finish'))).toBe('tesSUCCESS');
    expect(await issuance()).toMatchObject({ OutstandingAmount: '900' });
  });

  test('need leave to be escrowed and transferred, and enough of them', async () => {
    const fixed = await mpt({ Flags: 0x20 });
    expect((await escrow(fixed.a, fixed.b, fixed.of('1'), { FinishAfter: NEVER })).result).toBe('tecNO_PERMISSION');
    const { issuer, a, b, of } = await mpt({ Flags: 0x08 });
    const result = async (from: Wallet, to: Wallet, value: string) =>
      (await escrow(from, to, of(value), { FinishAfter: NEVER })).result;
    expect(await result(a, b, '1')).toBe('tecNO_AUTH');
    expect(await result(issuer, a, '1')).toBe('tecNO_PERMISSION');
    expect(await result(b, issuer, '1')).toBe('tecOBJECT_NOT_FOUND');
    expect(await result(a, issuer, '1001')).toBe('tecINSUFFICIENT_FUNDS');
    expect(await result(a, issuer, '1000')).toBe('tesSUCCESS');
  });

  test('are kept from a receiver that is locked, and come back to an owner that is', async () => {
    const { a, b, of, optIn, lock } = await mpt();
    await optIn(b);
    const [made, back] = [await dueEscrow(a, b, of('5'), 'finish'), await dueEscrow(a, b, of('5'), 'cancel')];
    await lock(b, 1);
    expect((await escrow(a, b, of('1'), { FinishAfter: NEVER })).result).toBe('tecLOCKED');
    expect(await end(b, 'EscrowFinish', made)).toBe('tecLOCKED');
    await lock(b, 2);
    expect(await end(b, 'EscrowFinish', made)).toBe('tesSUCCESS');
    await lock(a, 1);
    expect(await end(a, 'EscrowCancel', back)).toBe('tesSUCCESS');
  });
});

describe('tokens that an account escrows to itself', () => {
  test('stay where they are until FinishAfter, in one entry that stands once among its own, and then anybody may finish them', async () => {
    const iou = await currency();
    const multi = await mpt();
    for (const { a, b, amount } of [
      { a: iou.a, b: iou.b, amount: iou.usd('60') },
      { a: multi.a, b: multi.b, amount: multi.of('60') },
    ]) {
      const FinishAfter = (await closeTime()) + 20;
      const { made, result } = await escrow(a, a, amount, { FinishAfter });
      expect(result).toBe('tesSUCCESS');
      const owned = { command: 'account_objects', account: a.address, type: 'escrow' } as const;
      const { account_objects: entries } = (await rig.client.request(owned)).result;
      expect(entries).toMatchObject([{ Account: a.address, Destination: a.address, FinishAfter }]);
      expect(entries[0]).not.toHaveProperty('DestinationNode');
      for (const by of [a, b]) {
        expect(await end(by, 'EscrowFinish', made)).toBe('tecNO_PERMISSION');
        expect(await end(by, 'EscrowCancel', made)).toBe('tecNO_PERMISSION');
      }
      await passTime(FinishAfter);
      expect(await end(a, 'EscrowCancel', made)).toBe('tecNO_PERMISSION');
      expect(await end(b, 'EscrowFinish', made)).toBe('tesSUCCESS');
    }
    expect(await iou.balance(iou.a)).toBe('1000');
    expect(await multi.token(multi.a)).toMatchObject({ MPTAmount: '1000' });
  });

  test('are finished by others only with its leave when it takes deposits from the authorised alone', async () => {
    const { a, b, usd } = await currency();
    await settle(rig, a, { TransactionType: 'AccountSet', Account: a.address, SetFlag: 9 });
    const made = await dueEscrow(a, a, usd('10'), 'finish');
    expect(await end(b, 'EscrowFinish', made)).toBe('tecNO_PERMISSION');
    expect(await end(a, 'EscrowFinish', made)).toBe('tesSUCCESS');
  });

  test('cost the transfer fee of an MPT, too, when they are finished', async () => {
    const { a, of, token } = await mpt({ TransferFee: 10_000 });
    expect(await end(a, 'EscrowFinish', await dueEscrow(a, a, of('100'), 'finish'))).toBe('tesSUCCESS');
    expect(await token(a)).toMatchObject({ MPTAmount: '991' });
  });

  test('cannot be cancelled before FinishAfter, and without it wait for a condition that may be fulfilled at any time', async () => {
    const { a, b, usd } = await currency();
    const simulated = async (times: object) => {
      const tx_json = {
        TransactionType: 'EscrowCreate',
        Account: a.address,
        Destination: a.address,
        Amount: usd('1'),
        ...times,
      } as EscrowCreate;
      return (await rig.client.request({ command: 'simulate', tx_json })).result.engine_result;
    };
    expect(await simulated({ FinishAfter: NEVER, CancelAfter: NEVER })).toBe('temBAD_EXPIRATION');
    expect(await simulated({ FinishAfter: NEVER, CancelAfter: NEVER - 1 })).toBe('temBAD_EXPIRATION');
    expect(await simulated({ CancelAfter: NEVER })).toBe('temMALFORMED');
    const open = await escrow(a, a, usd('1'), { Condition: CONDITION, CancelAfter: NEVER });
    const key = { Condition: CONDITION, Fulfillment: FULFILLMENT };
    expect(await end(b, 'EscrowFinish', open.made, key)).toBe('tesSUCCESS');
  });
});

describe('the transfer fee of an escrow', () => {
  test('leaves an issued amount rounded up in its last digit', () => {
    const left = (value: string, rate: number) => formatDecimal(issuedWithoutFee(parseDecimal(value), rate));
    expect(left('100', 1_100_000_000)).toBe('90.90909090909091');
    expect(left('1', 1_000_000_001)).toBe('0.9999999990000001');
    expect(left('10', 2_000_000_000)).toBe('5');
    expect(left('3', 1_000_000_000)).toBe('3');
  });

  test('leaves an MPT amount rounded up by its tenths', () => {
    expect([1n, 10n, 100n, 101n].map((amount) => mptWithoutFee(amount, 1_100_000_000))).toEqual([1n, 9n, 91n, 92n]);
    // 1000 / 1.001 = 999.0009…: less than a tenth is no reason to round up.
    expect(mptWithoutFee(1000n, 1_001_000_000)).toBe(999n);
    expect(() => mptWithoutFee(2n ** 63n - 1n, 1_100_000_000)).toThrow(RangeError);
  });
});
