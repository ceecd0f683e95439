import { encode } from 'ripple-binary-codec';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccountSetAsfFlags, type DepositAuthorizedRequest, hashes, type LedgerEntry, type Wallet } from 'xrpl';
import { pay, type Rig, send, settle, startRig, testOnFreshLedger, threeWallets } from './support.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const TYPE = '4B5943';

/** Issues a credential to the subject, who accepts it; answers its key. */
async function attest(issuer: Wallet, subject: Wallet, Expiration?: number, type = TYPE): Promise<string> {
  const { meta } = await settle(rig, issuer, {
    TransactionType: 'CredentialCreate',
    Account: issuer.address,
    Subject: subject.address,
    CredentialType: type,
    ...(Expiration === undefined ? {} : { Expiration }),
  });
  await settle(rig, subject, {
    TransactionType: 'CredentialAccept',
    Account: subject.address,
    Issuer: issuer.address,
    CredentialType: type,
  });
  const created = meta.AffectedNodes.flatMap((node) => ('CreatedNode' in node ? [node.CreatedNode] : []));
  return created.find(({ LedgerEntryType: each }) => each === 'Credential')?.LedgerIndex ?? '';
}

/** Lets everybody with that issuer's credential pay a receiver that otherwise takes nothing. */
async function guard(receiver: Wallet, issuer: Wallet): Promise<void> {
  await settle(rig, receiver, {
    TransactionType: 'AccountSet',
    Account: receiver.address,
    SetFlag: AccountSetAsfFlags.asfDepositAuth,
  });
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

testOnFreshLedger(
  'credentials, preauthorizations and domains are written and hashed as xrpl.js writes and hashes them',
  async () => {
    const [issuer, subject, receiver] = await threeWallets(rig);
    await attest(issuer, subject, (await closeTime()) + 1000);
    await guard(receiver, issuer);
    await settle(rig, receiver, {
      TransactionType: 'PermissionedDomainSet',
      Account: receiver.address,
      AcceptedCredentials: [{ Credential: { Issuer: issuer.address, CredentialType: TYPE } }],
    });
    const index = rig.ledger.accept();
    const stateIn = async (binary: boolean) =>
      (await rig.client.request({ command: 'ledger_data', ledger_index: index, binary })).result.state;
    const state = (await stateIn(false)) as (LedgerEntry.LedgerEntry & { index: string })[];
    expect(state.map((entry) => ({ data: encode(entry), index: entry.index }))).toEqual(await stateIn(true));
    const types = new Set(state.map(({ LedgerEntryType: type }) => type));
    for (const type of ['Credential', 'DepositPreauth', 'PermissionedDomain'] as const) expect(types).toContain(type);
    const { ledger } = (await rig.client.request({ command: 'ledger', ledger_index: index })).result;
    expect(hashes.hashStateTree(state)).toBe(ledger.account_hash);
  },
);

test('an account may be deleted with its credentials, and whoever kept a reserve for one gets it back', async () => {
  const [issuer, subject, other] = await threeWallets(rig);
  await attest(issuer, subject);
  const offered = { Subject: subject.address, CredentialType: 'AB' };
  await settle(rig, other, { TransactionType: 'CredentialCreate', Account: other.address, ...offered });
  expect(await ownerCount(other)).toBe(1);
  for (let i = 0; i < 256; i++) rig.ledger.accept();
  await settle(rig, subject, {
    TransactionType: 'AccountDelete',
    Account: subject.address,
    Destination: issuer.address,
  });
  expect([await ownerCount(issuer), await ownerCount(other)]).toEqual([0, 0]);
  for (const { address: account } of [issuer, other]) {
    const { account_objects: objects } = (await rig.client.request({ command: 'account_objects', account })).result;
    expect(objects).toEqual([]);
  }
});

test('an account is deleted into a receiver that authorized it by a credential, and not by one that expired', async () => {
  const [issuer, leaver, receiver] = await threeWallets(rig);
  const id = await attest(issuer, leaver);
  const expiring = await attest(issuer, leaver, (await closeTime()) + 20, 'AB');
  await guard(receiver, issuer);
  for (let i = 0; i < 256; i++) rig.ledger.accept();
  const leave = (CredentialIDs?: string[]) =>
    ({
      TransactionType: 'AccountDelete',
      Account: leaver.address,
      Destination: receiver.address,
      ...(CredentialIDs && { CredentialIDs }),
    }) as const;
  expect((await settle(rig, leaver, leave())).meta.TransactionResult).toBe('tecNO_PERMISSION');
  expect((await settle(rig, leaver, leave([expiring]))).meta.TransactionResult).toBe('tecEXPIRED');
  expect((await send(rig, leaver, leave([expiring]))).result).toBe('tecBAD_CREDENTIALS');
  rig.ledger.accept();
  expect((await settle(rig, leaver, leave([id]))).meta.TransactionResult).toBe('tesSUCCESS');
  expect(await ownerCount(issuer)).toBe(0);
});
