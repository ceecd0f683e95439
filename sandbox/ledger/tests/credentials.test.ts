import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DepositAuthorizedRequest, Wallet } from 'xrpl';
import { pay, type Rig, send, settle, startRig, threeWallets } from './support.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const TYPE = '4B5943';

/** Issues a credential to the subject, who accepts it; answers its key. */
async function attest(issuer: Wallet, subject: Wallet, Expiration?: number): Promise<string> {
  const { meta } = await settle(rig, issuer, {
    TransactionType: 'CredentialCreate',
    Account: issuer.address,
    Subject: subject.address,
    CredentialType: TYPE,
    ...(Expiration === undefined ? {} : { Expiration }),
  });
  await settle(rig, subject, {
    TransactionType: 'CredentialAccept',
    Account: subject.address,
    Issuer: issuer.address,
    CredentialType: TYPE,
  });
  const created = meta.AffectedNodes.flatMap((node) => ('CreatedNode' in node ? [node.CreatedNode] : []));
  return created.find(({ LedgerEntryType: type }) => type === 'Credential')?.LedgerIndex ?? '';
}

/** Lets everybody with that issuer's credential pay a receiver that otherwise takes nothing. */
async function guard(receiver: Wallet, issuer: Wallet): Promise<void> {
  await settle(rig, receiver, { TransactionType: 'AccountSet', Account: receiver.address, SetFlag: 9 });
  await settle(rig, receiver, {
    TransactionType: 'DepositPreauth',
    Account: receiver.address,
    AuthorizeCredentials: [{ Credential: { Issuer: issuer.address, CredentialType: TYPE } }],
  });
}

async function ownerCount(wallet: Wallet): Promise<number> {
  return (await rig.client.request({ command: 'account_info', account: wallet.address })).result.account_data
    .OwnerCount;
}

async function closeTime(): Promise<number> {
  const { ledger } = (await rig.client.request({ command: 'ledger', ledger_index: 'validated' })).result;
  return ledger.close_time;
}

test('whom a receiver authorized by a credential pays it with that credential, and nobody without', async () => {
  const [issuer, payer, receiver] = await threeWallets(rig);
  const id = await attest(issuer, payer);
  await guard(receiver, issuer);
  const payment = pay(payer.address, receiver.address, '5000000');
  expect((await send(rig, payer, payment)).result).toBe('tecNO_PERMISSION');
  rig.ledger.accept();
  const { meta } = await settle(rig, payer, { ...payment, CredentialIDs: [id] });
  expect(meta).toMatchObject({ TransactionResult: 'tesSUCCESS', delivered_amount: '5000000' });
  const ask = async (more: Partial<DepositAuthorizedRequest>) => {
    const { address: source } = payer;
    const request = { source_account: source, destination_account: receiver.address, ...more };
    return (await rig.client.request({ command: 'deposit_authorized', ...request })).result;
  };
  expect(await ask({})).toMatchObject({ deposit_authorized: false });
  expect(await ask({ credentials: [id] })).toMatchObject({ deposit_authorized: true, credentials: [id] });
});

test('a credential that expired pays for nothing, and the payment that shows it removes it', async () => {
  const [issuer, payer, receiver] = await threeWallets(rig);
  const id = await attest(issuer, payer, (await closeTime()) + 12);
  await guard(receiver, issuer);
  expect(await ownerCount(payer)).toBe(1);
  for (let i = 0; i < 15; i++) rig.ledger.accept();
  const payment = pay(payer.address, receiver.address, '5000000', { CredentialIDs: [id] });
  const { meta } = await settle(rig, payer, payment);
  expect(meta.TransactionResult).toBe('tecEXPIRED');
  expect(await ownerCount(payer)).toBe(0);
  await expect(rig.client.request({ command: 'ledger_entry', index: id })).rejects.toThrow('Entry not found');
  expect((await send(rig, payer, payment)).result).toBe('tecBAD_CREDENTIALS');
});

test('the reserve for a credential passes from issuer to subject, and back to whoever holds it at the end', async () => {
  const [issuer, subject] = await threeWallets(rig);
  const party = { Subject: subject.address, CredentialType: TYPE };
  await settle(rig, issuer, { TransactionType: 'CredentialCreate', Account: issuer.address, ...party });
  expect([await ownerCount(issuer), await ownerCount(subject)]).toEqual([1, 0]);
  await settle(rig, subject, {
    TransactionType: 'CredentialAccept',
    Account: subject.address,
    Issuer: issuer.address,
    CredentialType: TYPE,
  });
  expect([await ownerCount(issuer), await ownerCount(subject)]).toEqual([0, 1]);
  await settle(rig, issuer, { TransactionType: 'CredentialDelete', Account: issuer.address, ...party });
  expect([await ownerCount(issuer), await ownerCount(subject)]).toEqual([0, 0]);
  for (const { address } of [issuer, subject]) {
    const { account_objects: objects } = (await rig.client.request({ command: 'account_objects', account: address }))
      .result;
    expect(objects).toEqual([]);
  }
});
