import { createHash } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { Client, Wallet } from 'xrpl';
import { accountsOf } from '../accounts.ts';
import { type LedgerOptions, type SandboxLedger, startLedger } from '../index.ts';
import { pay } from './support.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(options?: LedgerOptions): Promise<{ ledger: SandboxLedger; client: Client }> {
  const ledger = await startLedger(options);
  ends.push(ledger.close);
  const client = new Client(ledger.wsUrl);
  ends.push(() => client.disconnect());
  await client.connect();
  return { ledger, client };
}

async function submitBlob(client: Client, wallet: Wallet, to: string) {
  const { tx_blob, hash } = wallet.sign(await client.autofill(pay(wallet.address, to, '20000000')));
  return { hash, answer: (await client.request({ command: 'submit', tx_blob })).result };
}

test('a ledger without options needs nothing but transactions: each is validated once it is answered', async () => {
  const { ledger, client } = await open({ accounts: 2 });
  const [from, to] = ledger.accounts;
  const wallet = Wallet.fromSeed(from?.seed ?? '');
  const before = await client.getLedgerIndex();
  const { hash, answer } = await submitBlob(client, wallet, to?.address ?? '');
  expect(answer).toMatchObject({ engine_result: 'tesSUCCESS', validated_ledger_index: before });
  const { result } = await client.request({ command: 'tx', transaction: hash });
  expect(result).toMatchObject({ validated: true, ledger_index: before + 1 });
});

test('startLedger() alone serves a client', async () => {
  const { ledger, client } = await open();
  const funded = await fetch(ledger.faucetUrl, { method: 'POST', body: '{"xrpAmount": 50}' });
  const { account } = (await funded.json()) as { account: { address: string } };
  expect(await client.getXrpBalance(account.address)).toBe(50);
});

test('a refused transaction closes no ledger, and with an interval of 0 an applied one closes none either', async () => {
  const { ledger, client } = await open({ accounts: 1 });
  const wallet = Wallet.fromSeed(ledger.accounts[0]?.seed ?? '');
  const before = await client.getLedgerIndex();
  const { answer } = await submitBlob(client, wallet, wallet.address);
  expect(answer.engine_result).toBe('temREDUNDANT');
  expect(await client.getLedgerIndex()).toBe(before);

  const byHand = await open({ accounts: 1, intervalMs: 0 });
  const index = await byHand.client.getLedgerIndex();
  const sent = await submitBlob(byHand.client, wallet, Wallet.generate().address);
  expect(sent.answer.engine_result).toBe('tesSUCCESS');
  expect(await byHand.client.getLedgerIndex()).toBe(index);
});

test('a transaction that waited for another is validated with it', async () => {
  const { ledger, client } = await open({ accounts: 1 });
  const wallet = Wallet.fromSeed(ledger.accounts[0]?.seed ?? '');
  const filled = await client.autofill(pay(wallet.address, Wallet.generate().address, '20000000'));
  const second = wallet.sign({ ...filled, Sequence: (filled.Sequence ?? 0) + 1 });
  const first = wallet.sign(filled);
  for (const { tx_blob } of [second, first]) await client.request({ command: 'submit', tx_blob });
  for (const { hash } of [first, second]) {
    expect((await client.request({ command: 'tx', transaction: hash })).result.validated).toBe(true);
  }
});

test('the same phrase gives the same funded accounts, whose seeds any library reads', async () => {
  const { ledger, client } = await open({ accounts: 3, seedPhrase: 'a team of ours', accountXrp: 123 });
  expect(ledger.accounts).toEqual(accountsOf('a team of ours', 3));
  const entropy = createHash('sha512').update('xrpl-sandbox 1').digest().subarray(0, 16);
  expect(accountsOf('xrpl-sandbox', 1)[0]?.address).toBe(Wallet.fromEntropy(entropy).address);
  for (const { address, seed } of ledger.accounts) {
    expect(Wallet.fromSeed(seed).address).toBe(address);
    expect(await client.getXrpBalance(address)).toBe(123);
  }
});
