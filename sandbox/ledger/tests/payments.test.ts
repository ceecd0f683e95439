import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Wallet } from 'xrpl';
import { fundedWallets, pay, type Rig, send, settle, startRig, threeWallets } from './support.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

async function sequenceOf(address: string): Promise<number> {
  const { result } = await rig.client.request({ command: 'account_info', account: address, ledger_index: 'current' });
  return result.account_data.Sequence;
}

describe('XRP', () => {
  test('a payment moves drops exactly and burns the fee', async () => {
    const [from, to] = await threeWallets(rig);
    const { meta, filled } = await settle(rig, from, pay(from.address, to.address, '1234567'));
    expect(meta.delivered_amount).toBe('1234567');
    const { result } = await rig.client.request({ command: 'account_info', account: from.address });
    expect(result.account_data.Balance).toBe(String(1_000_000_000n - 1_234_567n - BigInt(filled.Fee ?? 0)));
  });

  test('a payment that the reserve forbids is in the ledger with its tec and costs the fee', async () => {
    const [poor] = await fundedWallets(rig, 1, 2);
    if (!poor) throw new Error('no wallet');
    const { meta, result } = await settle(rig, poor, pay(poor.address, rig.genesis.address, '1500000'));
    expect(result).toBe('tecUNFUNDED_PAYMENT');
    expect(meta).toMatchObject({ TransactionResult: 'tecUNFUNDED_PAYMENT' });
    expect(meta.delivered_amount).toBeUndefined();
    expect(await sequenceOf(poor.address)).toBeGreaterThan(0);
  });

  test('a payment below the reserve cannot create an account', async () => {
    const { result } = await send(rig, rig.genesis, pay(rig.genesis.address, Wallet.generate().address, '999999'));
    expect(result).toBe('tecNO_DST_INSUF_XRP');
  });
});

describe('refusals', () => {
  test('a changed amount under an old signature is refused and reaches no ledger', async () => {
    const [from, to] = await threeWallets(rig);
    const signed = from.sign(await rig.client.autofill(pay(from.address, to.address, '1000000')));
    const tampered = signed.tx_blob.replace('6140000000000F4240', '6140000000100F4240');
    expect(tampered).not.toBe(signed.tx_blob);
    const answer = rig.client.request({ command: 'submit', tx_blob: tampered });
    await expect(answer).rejects.toMatchObject({
      data: { error: 'invalidTransaction', error_exception: 'fails local checks: Invalid signature.' },
    });
    expect(await sequenceOf(from.address)).toBe(
      Number((await rig.client.autofill(pay(from.address, to.address, '1'))).Sequence),
    );
  });

  test('a signature of a key that is not the account’s is tefBAD_AUTH', async () => {
    const [from, to] = await threeWallets(rig);
    const sent = await send(rig, to, pay(from.address, rig.genesis.address, '1'));
    expect(sent.result).toBe('tefBAD_AUTH');
  });

  test('a sequence is used once: the same blob again is tefPAST_SEQ', async () => {
    const [from, to] = await threeWallets(rig);
    const { tx_blob } = await settle(rig, from, pay(from.address, to.address, '1'));
    const { result } = await rig.client.request({ command: 'submit', tx_blob });
    expect(result.engine_result).toBe('tefPAST_SEQ');
  });

  test('LastLedgerSequence holds: the open ledger is the last chance, after it the payment can never apply', async () => {
    const [from, to] = await threeWallets(rig);
    const filled = await rig.client.autofill(pay(from.address, to.address, '1'));
    const open = (await rig.client.request({ command: 'ledger_current' })).result.ledger_current_index;
    const late = from.sign({ ...filled, LastLedgerSequence: open - 1 });
    expect((await rig.client.request({ command: 'submit', tx_blob: late.tx_blob })).result.engine_result).toBe(
      'tefMAX_LEDGER',
    );
    const gap = from.sign({ ...filled, Sequence: Number(filled.Sequence) + 1, LastLedgerSequence: open });
    expect((await rig.client.request({ command: 'submit', tx_blob: gap.tx_blob })).result.engine_result).toBe(
      'terPRE_SEQ',
    );
    rig.ledger.accept();
    await settle(rig, from, pay(from.address, to.address, '2'));
    const { result } = await rig.client.request({ command: 'tx', transaction: gap.hash });
    expect(result.validated).toBe(false);
    expect(await sequenceOf(from.address)).toBe(Number(filled.Sequence) + 1);
  });

  test('a payment ahead of its sequence is held and applies at once when the gap is filled', async () => {
    const [from, to] = await threeWallets(rig);
    const filled = await rig.client.autofill(pay(from.address, to.address, '1'));
    const next = from.sign({ ...filled, Sequence: Number(filled.Sequence) + 1 });
    const first = from.sign(filled);
    expect((await rig.client.request({ command: 'submit', tx_blob: next.tx_blob })).result.engine_result).toBe(
      'terPRE_SEQ',
    );
    await rig.client.request({ command: 'submit', tx_blob: first.tx_blob });
    expect(await sequenceOf(from.address)).toBe(Number(filled.Sequence) + 2);
    rig.ledger.accept();
    expect((await rig.client.request({ command: 'tx', transaction: next.hash })).result.validated).toBe(true);
  });
});

test('tickets let payments apply in any order, each once', async () => {
  const [from, to] = await threeWallets(rig);
  await settle(rig, from, { TransactionType: 'TicketCreate', Account: from.address, TicketCount: 2 });
  const { result } = await rig.client.request({ command: 'account_objects', account: from.address, type: 'ticket' });
  const tickets = result.account_objects.map((entry) => ('TicketSequence' in entry ? Number(entry.TicketSequence) : 0));
  expect(tickets).toHaveLength(2);
  for (const TicketSequence of tickets.sort((a, b) => b - a)) {
    const { meta } = await settle(rig, from, pay(from.address, to.address, '1', { Sequence: 0, TicketSequence }));
    expect(meta.delivered_amount).toBe('1');
  }
  const [used] = tickets;
  const again = await send(rig, from, pay(from.address, to.address, '1', { Sequence: 0, TicketSequence: used ?? 0 }));
  expect(again.result).toBe('tefNO_TICKET');
});

test('within a ledger a TicketCreate beyond 250 tickets is tried again behind the payments that use tickets up', async () => {
  const [from, to] = await threeWallets(rig);
  const create = (TicketCount: number) => ({
    TransactionType: 'TicketCreate' as const,
    Account: from.address,
    TicketCount,
  });
  const held = async () => {
    const { result } = await rig.client.request({ command: 'account_info', account: from.address });
    return (result.account_data as { TicketCount?: number }).TicketCount ?? 0;
  };
  await settle(rig, from, create(250));
  const { result } = await rig.client.request({
    command: 'account_objects',
    account: from.address,
    type: 'ticket',
    limit: 400,
  });
  const [first = 0] = result.account_objects.flatMap((entry) =>
    'TicketSequence' in entry ? Number(entry.TicketSequence) : [],
  );
  // In the order of the ledger it comes before them: sequences are before tickets.
  await send(rig, from, pay(from.address, to.address, '1', { Sequence: 0, TicketSequence: first }));
  expect((await send(rig, from, create(1))).result).toBe('tesSUCCESS');
  rig.ledger.accept();
  expect(await held()).toBe(250);
  const { meta } = await settle(rig, from, create(1));
  expect(meta).toMatchObject({ TransactionResult: 'tecDIR_FULL' });
  expect(await held()).toBe(250);
});

describe('issued currency', () => {
  test('is issued over a trust line, moves between holders and is redeemed', async () => {
    const [issuer, alice, bob] = await threeWallets(rig);
    const usd = (value: string) => ({ currency: 'USD', issuer: issuer.address, value });
    await settle(rig, issuer, { TransactionType: 'AccountSet', Account: issuer.address, SetFlag: 8 });
    for (const holder of [alice, bob]) {
      await settle(rig, holder, { TransactionType: 'TrustSet', Account: holder.address, LimitAmount: usd('1000') });
    }
    await settle(rig, issuer, pay(issuer.address, alice.address, usd('100.0000001')));
    await settle(rig, alice, pay(alice.address, bob.address, usd('0.0000001')));
    await settle(rig, bob, pay(bob.address, issuer.address, usd('0.00000005')));
    const balances = async (wallet: Wallet) => (await rig.client.getBalances(wallet.address)).filter((b) => b.issuer);
    expect(await balances(alice)).toMatchObject([{ value: '100' }]);
    expect(await balances(bob)).toMatchObject([{ value: '0.00000005' }]);
  });

  test('a partial payment says what was delivered, not what was asked', async () => {
    const [issuer, alice] = await threeWallets(rig);
    const usd = (value: string) => ({ currency: 'USD', issuer: issuer.address, value });
    await settle(rig, alice, { TransactionType: 'TrustSet', Account: alice.address, LimitAmount: usd('10') });
    const whole = await send(rig, issuer, pay(issuer.address, alice.address, usd('99999')));
    expect(whole.result).toBe('tecPATH_PARTIAL');
    const { meta } = await settle(rig, issuer, pay(issuer.address, alice.address, usd('99999'), { Flags: 0x00020000 }));
    expect(meta.delivered_amount).toEqual(usd('10'));
  });

  test('the transfer rate is paid by the sender and limited by SendMax', async () => {
    const [issuer, alice, bob] = await threeWallets(rig);
    const usd = (value: string) => ({ currency: 'USD', issuer: issuer.address, value });
    await settle(rig, issuer, {
      TransactionType: 'AccountSet',
      Account: issuer.address,
      SetFlag: 8,
      TransferRate: 1_010_000_000,
    });
    for (const holder of [alice, bob]) {
      await settle(rig, holder, { TransactionType: 'TrustSet', Account: holder.address, LimitAmount: usd('1000') });
    }
    await settle(rig, issuer, pay(issuer.address, alice.address, usd('500')));
    expect((await send(rig, alice, pay(alice.address, bob.address, usd('100')))).result).toBe('tecPATH_PARTIAL');
    await settle(rig, alice, pay(alice.address, bob.address, usd('100'), { SendMax: usd('102') }));
    const [line] = (await rig.client.request({ command: 'account_lines', account: alice.address })).result.lines;
    expect(line?.balance).toBe('399');
  });

  test('a frozen holder can only go back to the issuer, an unauthorized one gets nothing', async () => {
    const [issuer, alice, bob] = await threeWallets(rig);
    const usd = (value: string) => ({ currency: 'USD', issuer: issuer.address, value });
    await settle(rig, issuer, { TransactionType: 'AccountSet', Account: issuer.address, SetFlag: 8 });
    await settle(rig, issuer, { TransactionType: 'AccountSet', Account: issuer.address, SetFlag: 2 });
    for (const holder of [alice, bob]) {
      await settle(rig, holder, { TransactionType: 'TrustSet', Account: holder.address, LimitAmount: usd('1000') });
    }
    expect((await send(rig, issuer, pay(issuer.address, alice.address, usd('5')))).result).toBe('tecPATH_DRY');
    for (const holder of [alice, bob]) {
      await settle(rig, issuer, {
        TransactionType: 'TrustSet',
        Account: issuer.address,
        LimitAmount: { currency: 'USD', issuer: holder.address, value: '0' },
        Flags: 0x00010000,
      });
    }
    await settle(rig, issuer, pay(issuer.address, alice.address, usd('5')));
    await settle(rig, issuer, {
      TransactionType: 'TrustSet',
      Account: issuer.address,
      LimitAmount: { currency: 'USD', issuer: alice.address, value: '0' },
      Flags: 0x00100000,
    });
    expect((await send(rig, alice, pay(alice.address, bob.address, usd('1')))).result).toBe('tecPATH_DRY');
    expect((await send(rig, alice, pay(alice.address, issuer.address, usd('1')))).result).toBe('tesSUCCESS');
  });
});
