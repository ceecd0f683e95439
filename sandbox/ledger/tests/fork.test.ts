import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client, type Wallet } from 'xrpl';
import { ForkError, type SandboxLedger, startLedger } from '../index.ts';
import { fundedWallets, pay, type Rig, settle, startRig } from './support.ts';

/** Another sandbox ledger as the live server: an issuer, a trader with everything that comes over, and a holder. */
let live: Rig;
let issuer: Wallet;
let trader: Wallet;
let holder: Wallet;
let issuance: string;
let fork: SandboxLedger;
let client: Client;

const usd = (value: string) => ({ currency: 'USD', issuer: issuer.address, value });

beforeAll(async () => {
  live = await startRig();
  [issuer, trader, holder] = (await fundedWallets(live, 3)) as [Wallet, Wallet, Wallet];
  await settle(live, issuer, {
    TransactionType: 'AccountSet',
    Account: issuer.address,
    SetFlag: 8,
    TransferRate: 1_010_000_000,
  });
  for (const wallet of [trader, holder]) {
    await settle(live, wallet, { TransactionType: 'TrustSet', Account: wallet.address, LimitAmount: usd('1000') });
    await settle(live, issuer, pay(issuer.address, wallet.address, usd('250')));
  }
  const { meta } = await settle(live, issuer, {
    TransactionType: 'MPTokenIssuanceCreate',
    Account: issuer.address,
    Flags: 0x20,
  });
  issuance = (meta as unknown as { mpt_issuance_id: string }).mpt_issuance_id;
  await settle(live, trader, {
    TransactionType: 'MPTokenAuthorize',
    Account: trader.address,
    MPTokenIssuanceID: issuance,
  });
  await settle(live, issuer, pay(issuer.address, trader.address, { mpt_issuance_id: issuance, value: '70' }));
  await settle(live, trader, { TransactionType: 'TicketCreate', Account: trader.address, TicketCount: 3 });
  await settle(live, trader, {
    TransactionType: 'SignerListSet',
    Account: trader.address,
    SignerQuorum: 1,
    SignerEntries: [{ SignerEntry: { Account: holder.address, SignerWeight: 1 } }],
  });
  for (const drops of ['10000000', '20000000']) {
    await settle(live, trader, {
      TransactionType: 'OfferCreate',
      Account: trader.address,
      TakerGets: drops,
      TakerPays: usd('10'),
    });
  }
  await settle(live, trader, {
    TransactionType: 'CheckCreate',
    Account: trader.address,
    Destination: holder.address,
    SendMax: '5',
  });
  fork = await startLedger({ intervalMs: 0, fork: { from: live.ledger.wsUrl, accounts: [trader.address] } });
  client = new Client(fork.wsUrl);
  await client.connect();
});
afterAll(async () => {
  await client.disconnect();
  await fork.close();
  await live.stop();
});

const forkRig = (): Rig => ({ ...live, client, ledger: fork });

async function everything(from: Client, address: string) {
  const { result } = await from.request({ command: 'account_objects', account: address });
  const strip = ({ PreviousTxnID: _id, PreviousTxnLgrSeq: _seq, ...entry }: Record<string, unknown>) => entry;
  return result.account_objects
    .map((entry) => strip(entry as never))
    .filter((entry) => entry.LedgerEntryType !== 'Check');
}

async function root(from: Client, address: string) {
  return (await from.request({ command: 'account_info', account: address })).result.account_data;
}

describe('a forked account', () => {
  test('has what it has on the live server, except what is told', async () => {
    const here = await root(client, trader.address);
    const there = await root(live.client, trader.address);
    // The check is left out, and does not count.
    expect(here.OwnerCount).toBe(there.OwnerCount - 1);
    expect({ ...here, OwnerCount: 0, PreviousTxnID: '', PreviousTxnLgrSeq: 0 }).toEqual({
      ...there,
      OwnerCount: 0,
      PreviousTxnID: '',
      PreviousTxnLgrSeq: 0,
    });
    const byIndex = (entries: Record<string, unknown>[]) =>
      entries.toSorted((a, b) => String(a.index).localeCompare(String(b.index)));
    expect(byIndex(await everything(client, trader.address))).toEqual(
      byIndex(await everything(live.client, trader.address)),
    );
    expect(fork.forked).toMatchObject({
      accounts: [trader.address],
      otherEnds: [issuer.address],
      leftOut: { Check: 1 },
    });
  });

  test('brings its issuer, and no other account', async () => {
    expect(await root(client, issuer.address)).toMatchObject({ TransferRate: 1_010_000_000, OwnerCount: 1 });
    await expect(root(client, holder.address)).rejects.toThrow('Account not found');
  });

  test('leaves as much XRP in the ledger as before', async () => {
    const { result } = await client.request({ command: 'ledger_data', ledger_index: 'validated' });
    const balances = result.state.map((entry) =>
      'Account' in entry && 'Balance' in entry ? BigInt(String(entry.Balance)) : 0n,
    );
    const header = await client.request({ command: 'ledger', ledger_index: 'validated' });
    expect(String(balances.reduce((sum, each) => sum + each, 0n))).toBe(header.result.ledger.total_coins);
  });

  test('acts with its own keys: it pays, uses its tickets, sells by its offers and lets its signers act', async () => {
    const here = forkRig();
    await settle(here, trader, pay(trader.address, issuer.address, usd('50')));
    await settle(here, trader, pay(trader.address, issuer.address, { mpt_issuance_id: issuance, value: '30' }));
    const [ticket] = (await client.request({ command: 'account_objects', account: trader.address, type: 'ticket' }))
      .result.account_objects as { TicketSequence: number }[];
    await settle(here, trader, {
      TransactionType: 'AccountSet',
      Account: trader.address,
      Sequence: 0,
      TicketSequence: ticket?.TicketSequence ?? 0,
    });
    const [buyer] = (await fundedWallets(here, 1)) as [Wallet];
    await settle(here, buyer, { TransactionType: 'TrustSet', Account: buyer.address, LimitAmount: usd('100') });
    await settle(here, issuer, pay(issuer.address, buyer.address, usd('40')));
    await settle(here, buyer, {
      TransactionType: 'OfferCreate',
      Account: buyer.address,
      TakerGets: usd('10'),
      TakerPays: '20000000',
    });
    const { result } = await client.request({
      command: 'book_offers',
      taker_gets: { currency: 'XRP' },
      taker_pays: { currency: 'USD', issuer: issuer.address },
    });
    expect(result.offers.map(({ TakerGets }) => TakerGets)).toEqual(['10000000']);
    const filled = await client.autofill(pay(trader.address, issuer.address, '1000'), 1);
    const { tx_blob } = holder.sign(filled, true);
    expect((await client.request({ command: 'submit', tx_blob })).result.engine_result).toBe('tesSUCCESS');
  });
});

test('what cannot be taken over starts no ledger', async () => {
  const refusal = (fork: { from: string; accounts: string[] }) =>
    startLedger({ fork }).then(
      () => 'started',
      (error: Error) => (error instanceof ForkError ? error.message : String(error)),
    );
  const from = live.ledger.wsUrl;
  const unknown = 'rrrrrrrrrrrrrrrrrrrrBZbvji';
  expect(await refusal({ from, accounts: [unknown] })).toMatch(/account_objects|is not in ledger/);
  expect(await refusal({ from, accounts: ['nobody'] })).toBe('nobody is no address');
  expect(await refusal({ from: 'ws://127.0.0.1:1', accounts: [trader.address] })).toMatch(/does not answer/);
  expect(await refusal({ from, accounts: [live.genesis.address] })).toBe('the genesis account is here already');
});
