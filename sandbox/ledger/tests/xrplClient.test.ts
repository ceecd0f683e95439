import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decode, hashes, type MPTokenIssuanceCreate, multisign, type SubmittableTransaction, Wallet } from 'xrpl';
import { fundedWallets, pay, type Rig, send, settle, startRig, testOnFreshLedger, threeWallets } from './support.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

describe('sugar', () => {
  test('autofill sets fee, sequence and the last ledger', async () => {
    const [from, to] = await threeWallets(rig);
    const filled = await rig.client.autofill(pay(from.address, to.address, '1'));
    const validated = await rig.client.getLedgerIndex();
    expect(filled).toMatchObject({ Fee: '12', LastLedgerSequence: validated + 20 });
    const { result } = await rig.client.request({ command: 'account_info', account: from.address });
    expect(filled.Sequence).toBe(result.account_data.Sequence);
  });

  test('getBalances and getXrpBalance show XRP and every currency held', async () => {
    const [issuer, holder] = await threeWallets(rig);
    for (const currency of ['USD', 'EUR']) {
      const limit = { currency, issuer: issuer.address, value: '500' };
      await settle(rig, holder, { TransactionType: 'TrustSet', Account: holder.address, LimitAmount: limit });
      await settle(rig, issuer, pay(issuer.address, holder.address, { ...limit, value: '12.5' }));
    }
    expect(await rig.client.getXrpBalance(holder.address)).toBeCloseTo(999.99, 1);
    const held = await rig.client.getBalances(holder.address);
    expect(held).toEqual(
      expect.arrayContaining([
        { currency: 'USD', issuer: issuer.address, value: '12.5' },
        { currency: 'EUR', issuer: issuer.address, value: '12.5' },
      ]),
    );
  });
});

test('requestAll follows markers through every family that pages', async () => {
  const [issuer, holder] = await threeWallets(rig);
  const count = 405;
  for (let i = 0; i < count; i++) {
    const LimitAmount = { currency: `B${i.toString(36).padStart(2, '0')}`, issuer: issuer.address, value: '1' };
    await send(rig, holder, { TransactionType: 'TrustSet', Account: holder.address, LimitAmount });
  }
  const last = rig.ledger.accept();
  const scope = { account: holder.address, ledger_index: last };
  const lines = await rig.client.requestAll({ command: 'account_lines', ...scope });
  expect(lines.map(({ result }) => result.lines.length)).toEqual([400, 5]);
  const objects = await rig.client.requestAll({ command: 'account_objects', ...scope });
  expect(objects.map(({ result }) => result.account_objects.length)).toEqual([400, 5]);
  const history = await rig.client.requestAll({ command: 'account_tx', account: holder.address });
  expect(history.map(({ result }) => (result.transactions as unknown[]).length)).toEqual([400, 6]);
  const state = await rig.client.requestAll({ command: 'ledger_data', ledger_index: last });
  const indexes = state.flatMap(({ result }) => result.state.map(({ index }) => index));
  expect(state.length).toBeGreaterThan(1);
  expect(indexes).toEqual([...new Set(indexes)].sort());
});

test('every request family of a plain client is answered', async () => {
  const [account] = await fundedWallets(rig, 1);
  const scope = { account: account!.address, ledger_index: 'validated' } as const;
  const requests = [
    { command: 'server_info' },
    { command: 'server_state' },
    { command: 'fee' },
    { command: 'feature' },
    { command: 'ledger', ledger_index: 'validated' },
    { command: 'ledger_closed' },
    { command: 'ledger_current' },
    { command: 'ledger_entry', account_root: account!.address, ledger_index: 'validated' },
    { command: 'account_currencies', ...scope },
    { command: 'account_info', ...scope },
    { command: 'account_offers', ...scope },
    { command: 'gateway_balances', ...scope },
    { command: 'noripple_check', role: 'user', ...scope },
    { command: 'server_definitions' },
    { command: 'random' },
  ];
  for (const request of requests) {
    expect(await rig.client.request(request as never)).toMatchObject({ type: 'response' });
  }
});

test('ticketed payments apply in any order, and a used ticket is gone', async () => {
  const [from, to] = await threeWallets(rig);
  const { meta } = await settle(rig, from, { TransactionType: 'TicketCreate', Account: from.address, TicketCount: 3 });
  const tickets = meta.AffectedNodes.flatMap((node) =>
    'CreatedNode' in node && node.CreatedNode.LedgerEntryType === 'Ticket'
      ? [Number(node.CreatedNode.NewFields.TicketSequence)]
      : [],
  );
  const ticketed = (TicketSequence: number) => pay(from.address, to.address, '9', { Sequence: 0, TicketSequence });
  for (const ticket of tickets.reverse()) {
    expect((await send(rig, from, ticketed(ticket))).result).toBe('tesSUCCESS');
  }
  rig.ledger.accept();
  expect((await send(rig, from, ticketed(tickets[0]!))).result).toBe('tefNO_TICKET');
});

test('a multisigned payment is taken once the quorum is met', async () => {
  const [account, to] = await threeWallets(rig);
  const signers = [Wallet.generate(), Wallet.generate()];
  await settle(rig, account, {
    TransactionType: 'SignerListSet',
    Account: account.address,
    SignerQuorum: 2,
    SignerEntries: signers.map(({ address }) => ({ SignerEntry: { Account: address, SignerWeight: 1 } })),
  });
  const filled = await rig.client.autofill(pay(account.address, to.address, '11'), signers.length);
  const submitWith = async (some: Wallet[]) => {
    const tx_blob = multisign(some.map((signer) => signer.sign(filled, true).tx_blob));
    return (await rig.client.request({ command: 'submit', tx_blob })).result.engine_result;
  };
  expect(await submitWith(signers.slice(0, 1))).toBe('tefBAD_QUORUM');
  expect(await submitWith(signers)).toBe('tesSUCCESS');
  const next = await rig.client.autofill(pay(account.address, to.address, '12'), signers.length);
  const signed = multisign(signers.map((signer) => signer.sign(next, true).tx_blob));
  const tx_json = decode(signed) as unknown as SubmittableTransaction;
  const { result } = await rig.client.request({ command: 'submit_multisigned', tx_json });
  expect(Object.keys(result).sort()).toEqual([
    'engine_result',
    'engine_result_code',
    'engine_result_message',
    'hash',
    'tx_blob',
    'tx_json',
  ]);
  rig.ledger.accept();
  const found = await rig.client.request({ command: 'tx', transaction: hashes.hashSignedTx(signed) });
  expect(found.result.validated).toBe(true);
});

testOnFreshLedger('mpt_holders pages through the holders of an issuance', async () => {
  const [issuer, ...holders] = await fundedWallets(rig, 4);
  const create: MPTokenIssuanceCreate = { TransactionType: 'MPTokenIssuanceCreate', Account: issuer!.address };
  const { meta } = await settle(rig, issuer!, create);
  const id = (meta as { mpt_issuance_id?: string }).mpt_issuance_id ?? '';
  for (const holder of holders) {
    const authorize = { TransactionType: 'MPTokenAuthorize', Account: holder.address, MPTokenIssuanceID: id };
    await settle(rig, holder, authorize as SubmittableTransaction);
    await settle(rig, issuer!, pay(issuer!.address, holder.address, { mpt_issuance_id: id, value: '7' }));
  }
  type Page = { result: { marker?: string; mptokens: { account: string; mpt_amount: string }[] } };
  const page = (marker?: string) =>
    rig.client.request({
      command: 'mpt_holders',
      mpt_issuance_id: id,
      limit: 2,
      ...(marker === undefined ? {} : { marker }),
    } as never) as Promise<unknown> as Promise<Page>;
  const first = (await page()).result;
  const second = (await page(first.marker)).result;
  expect(second.marker).toBeUndefined();
  const found = [...first.mptokens, ...second.mptokens];
  expect(found.map(({ account }) => account).sort()).toEqual(holders.map(({ address }) => address).sort());
  expect(new Set(found.map(({ mpt_amount }) => mpt_amount))).toEqual(new Set(['7']));
});
