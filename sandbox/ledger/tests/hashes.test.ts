import { encode, encodeForSigning } from 'ripple-binary-codec';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashes } from 'xrpl';
import { encodeObject, signingHex } from '../binary/encode.ts';
import type { JsonObject } from '../json.ts';
import { pay, type Rig, send, settle, startRig, testOnFreshLedger, threeWallets } from './support.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

testOnFreshLedger('genesis is the real standalone genesis, hash by hash', async () => {
  const { ledger } = (await rig.client.request({ command: 'ledger', ledger_index: 1 })).result;
  expect(ledger.account_hash).toBe('9AB6C93985A3F33E8F87C761A77DBDC15806814D8EA210A712B520D8C17F8A5B');
  expect(ledger.ledger_hash).toBe('B6C592C3178E5A8A25FF38C3EE8F26E8BB2DDDDE5BC5F623841D727EF2658277');
});

test('transactions, metadata and entries are written as the codec package writes them', async () => {
  const [issuer, holder] = await threeWallets(rig);
  const limit = { currency: 'USD', issuer: issuer.address, value: '1e40' };
  await settle(rig, holder, { TransactionType: 'TrustSet', Account: holder.address, LimitAmount: limit });
  await send(rig, issuer, pay(issuer.address, holder.address, { ...limit, value: '0.000000123456789' }));
  await send(rig, holder, { TransactionType: 'TicketCreate', Account: holder.address, TicketCount: 2 });
  await send(rig, issuer, {
    TransactionType: 'AccountSet',
    Account: issuer.address,
    Domain: '61'.repeat(200),
    Memos: [{ Memo: { MemoData: 'AB' } }],
  });
  const index = rig.ledger.accept();
  const { ledger } = (
    await rig.client.request({ command: 'ledger', ledger_index: index, transactions: true, expand: true })
  ).result;
  expect(ledger.transactions).toHaveLength(3);
  for (const entry of ledger.transactions as unknown as { tx_json: JsonObject; meta: JsonObject }[]) {
    const { delivered_amount: _shown, ...meta } = entry.meta;
    expect(encodeObject(meta)).toBe(encode(meta));
    const { DeliverMax, ...rest } = entry.tx_json;
    const fields = DeliverMax === undefined ? rest : { ...rest, Amount: DeliverMax };
    const blob = encode(fields);
    expect(encodeObject(fields)).toBe(blob);
    expect(signingHex(blob, String(fields.SigningPubKey), String(fields.TxnSignature))).toBe(encodeForSigning(fields));
  }
  const { state } = (await rig.client.request({ command: 'ledger_data', ledger_index: index })).result;
  const binary = (await rig.client.request({ command: 'ledger_data', ledger_index: index, binary: true })).result;
  expect(state.length).toBeGreaterThan(10);
  state.forEach((entry, i) => {
    expect({ data: encode(entry), index: entry.index }).toEqual(binary.state[i]);
  });
});

test('transaction, tree and header hashes are those that xrpl.js computes', async () => {
  const [from, to] = await threeWallets(rig);
  for (let i = 0; i < 20; i++) await send(rig, from, pay(from.address, to.address, String(i + 1)));
  const index = rig.ledger.accept();
  const ask = { command: 'ledger', ledger_index: index, transactions: true, expand: true, api_version: 1 } as const;
  const { ledger } = (await rig.client.request(ask)).result;
  // Its hashing takes fields as they are signed, without what the server shows besides.
  const transactions = (ledger.transactions as unknown as JsonObject[]).map(({ DeliverMax: _shown, ...tx }) => tx);
  const all = await rig.client.requestAll({ command: 'ledger_data', ledger_index: index });
  const accountState = all.flatMap(({ result }) => result.state);
  const whole = { ...ledger, transactions, accountState } as never;
  expect(hashes.hashLedger(whole, { computeTreeHashes: true })).toBe(ledger.ledger_hash);
});
