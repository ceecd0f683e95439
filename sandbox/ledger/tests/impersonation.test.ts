import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client, encode, type SubmittableTransaction, type Wallet } from 'xrpl';
import { startLedger } from '../index.ts';
import { pay, type Rig, send, settle, startRig, threeWallets } from './support.ts';

let rig: Rig;
let owner: Wallet;
let other: Wallet;
beforeAll(async () => {
  rig = await startRig();
  [owner, other] = await threeWallets(rig);
});
afterAll(() => rig.stop());

const ask = (request: object, client = rig.client) => client.request(request as never) as Promise<{ result: object }>;

async function submitUnsigned(transaction: SubmittableTransaction) {
  const { hash } = ((await ask({ command: 'submit', tx_json: transaction })).result as { tx_json: { hash: string } })
    .tx_json;
  rig.ledger.accept();
  return (await rig.client.request({ command: 'tx', transaction: hash })).result;
}

test('nobody is impersonated unless asked for: an unsigned transaction is refused', async () => {
  const payment = pay(owner.address, other.address, '1000000');
  await expect(ask({ command: 'submit', tx_json: payment })).rejects.toThrow("Missing field 'secret'");
  const unsigned = { ...(await rig.client.autofill(payment)), SigningPubKey: '' };
  await expect(ask({ command: 'submit', tx_blob: encode(unsigned) })).rejects.toThrow();
});

test('an impersonated account sends without its keys, also when its master key is off, and others still sign', async () => {
  await settle(rig, owner, {
    TransactionType: 'SetRegularKey',
    Account: owner.address,
    RegularKey: rig.genesis.address,
  });
  await settle(rig, owner, { TransactionType: 'AccountSet', Account: owner.address, SetFlag: 4 });
  expect((await ask({ command: 'sandbox_impersonate', accounts: [owner.address] })).result).toMatchObject({
    accounts: [owner.address],
  });
  const paid = await submitUnsigned(pay(owner.address, other.address, '1000000'));
  expect(paid).toMatchObject({ validated: true, meta: { TransactionResult: 'tesSUCCESS' } });

  const filled = { ...(await rig.client.autofill(pay(owner.address, other.address, '3000000'))), SigningPubKey: '' };
  expect((await ask({ command: 'submit', tx_blob: encode(filled) })).result).toMatchObject({
    engine_result: 'tesSUCCESS',
  });
  await expect(ask({ command: 'submit', tx_json: pay(other.address, owner.address, '1000000') })).rejects.toThrow(
    "Missing field 'secret'",
  );
  const forged = {
    ...(await rig.client.autofill(pay(owner.address, other.address, '1000000'))),
    TxnSignature: '00',
    SigningPubKey: owner.publicKey,
  };
  await expect(ask({ command: 'submit', tx_blob: encode(forged) })).rejects.toThrow();
  expect((await send(rig, other, pay(other.address, owner.address, '1000000'))).result).toBe('tesSUCCESS');

  rig.ledger.impersonate([]);
  await expect(ask({ command: 'submit', tx_json: pay(owner.address, other.address, '1000000') })).rejects.toThrow(
    "Missing field 'secret'",
  );
});

test('a server that others can reach impersonates nobody, unless that was asked for', async () => {
  const request = { command: 'sandbox_impersonate', accounts: [owner.address] };
  for (const allowImpersonation of [false, true]) {
    const open = await startLedger({ host: '0.0.0.0', ...(allowImpersonation ? { allowImpersonation } : {}) });
    const client = new Client(`ws://127.0.0.1:${open.port}`);
    await client.connect();
    if (allowImpersonation) expect((await ask(request, client)).result).toMatchObject({ accounts: [owner.address] });
    else {
      await expect(ask(request, client)).rejects.toThrow("You don't have permission for this command.");
      expect(() => open.impersonate([owner.address])).toThrow('loopback');
    }
    await client.disconnect();
    await open.close();
  }
});

test('a strict server knows no command that a real one does not know, and has no faucet', async () => {
  const strict = await startRig({ strict: true });
  for (const command of [
    'sandbox_faults',
    'sandbox_snapshot',
    'sandbox_impersonate',
    'sandbox_write_payments',
    'mpt_holders',
  ]) {
    await expect(ask({ command }, strict.client)).rejects.toMatchObject({ data: { error: 'unknownCmd' } });
  }
  const answer = await fetch(strict.ledger.faucetUrl, { method: 'POST', body: '{"xrpAmount":10}' });
  expect(answer.status).toBe(400);
  expect((await ask({ command: 'ledger_accept' }, strict.client)).result).toMatchObject({ ledger_current_index: 4 });
  await strict.stop();
});
