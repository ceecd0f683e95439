import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { credentialIndex } from 'xrpl-sandbox/keylets.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

const CredentialType = '4B5943';

/** Gives a wallet a credential that it accepts; answers its key. */
async function attest(issuer: Wallet, subject: Wallet, Expiration?: number): Promise<string> {
  await stage.desk.send(issuer, {
    TransactionType: 'CredentialCreate',
    Account: issuer.address,
    Subject: subject.address,
    CredentialType,
    ...(Expiration === undefined ? {} : { Expiration }),
  });
  await stage.desk.send(subject, {
    TransactionType: 'CredentialAccept',
    Account: subject.address,
    Issuer: issuer.address,
    CredentialType,
  });
  stage.desk.close();
  return credentialIndex(subject.address, { Issuer: issuer.address, CredentialType });
}

/** The deposit account takes payments only from wallets with that issuer's credential. */
async function guard({ deposit }: Sale, issuer: Wallet): Promise<void> {
  await stage.setFlag(deposit, 'asfDepositAuth');
  await stage.desk.send(deposit, {
    TransactionType: 'DepositPreauth',
    Account: deposit.address,
    AuthorizeCredentials: [{ Credential: { Issuer: issuer.address, CredentialType } }],
  });
  stage.desk.close();
}

/** Pays with a credential; the result is that of the validated transaction. */
async function payWith(id: string, from: Wallet, { deposit, project }: Sale, xrp: number): Promise<string> {
  return stage.desk.send(from, {
    TransactionType: 'Payment',
    Account: from.address,
    Destination: deposit.address,
    Amount: String(xrp * 1_000_000),
    DestinationTag: project.destination_tag,
    CredentialIDs: [id],
  });
}

const paymentsOf = ({ deposit }: Sale) => rowsOf(stage.database.db, 'payments', { account: deposit.address });

/** What the books and the ledger differ by, as the last run found. */
async function differenceOf({ deposit }: Sale): Promise<bigint | undefined> {
  const [row] = await rowsOf(stage.database.db, 'depositAccounts', { address: deposit.address });
  return row?.differenceDrops;
}

it('a payment by credential to a deposit account with DepositAuth is credited as any other', async () => {
  const sale = await stage.launched();
  const [first, second, attester] = await Promise.all([stage.account(), stage.account(), stage.account()]);
  const plain = await stage.pay(first, sale, 30);
  await stage.settle(sale.deposit);
  const id = await attest(attester, second);
  await guard(sale, attester);
  const byCredential = await payWith(id, second, sale, 30);
  await stage.settle(sale.deposit);

  const rows = new Map((await paymentsOf(sale)).map((row) => [row.txHash, row]));
  const credited = { projectId: sale.project.id, outcome: 'invested', investedDrops: 30_000_000n, heldDrops: 0n };
  expect(rows.get(plain)).toMatchObject({ ...credited, sender: first.address });
  expect(rows.get(byCredential)).toMatchObject({ ...credited, sender: second.address, transactionType: 'Payment' });
  const shares = await rowsOf(stage.database.db, 'allocations', { projectId: sale.project.id });
  expect(shares).toHaveLength(2);
  expect(shares[1]?.units).toBe(shares[0]?.units);
  expect(await differenceOf(sale)).toBe(0n);
});

it('a payment that shows an expired credential is none, though it is validated and removes the credential', async () => {
  const sale = await stage.launched();
  const [payer, attester] = await Promise.all([stage.account(), stage.account()]);
  const { ledger } = (await stage.desk.client.request({ command: 'ledger', ledger_index: 'validated' })).result;
  const id = await attest(attester, payer, ledger.close_time + 20);
  await guard(sale, attester);
  stage.desk.close(25);
  const hash = await payWith(id, payer, sale, 30);
  await stage.settle(sale.deposit);
  const { result } = await stage.desk.client.request({ command: 'tx', transaction: hash });
  expect(result.meta).toMatchObject({ TransactionResult: 'tecEXPIRED' });
  expect(await paymentsOf(sale)).toEqual([]);
  expect(await differenceOf(sale)).toBe(0n);
});

it('credentials that the deposit account issues, takes and asks for cost it fees and leave the books right', async () => {
  const sale = await stage.launched();
  const attester = await stage.account();
  await attest(sale.deposit, attester);
  await attest(attester, sale.deposit);
  await guard(sale, attester);
  await stage.desk.send(sale.deposit, {
    TransactionType: 'CredentialDelete',
    Account: sale.deposit.address,
    Subject: attester.address,
    CredentialType,
  });
  await stage.settle(sale.deposit);
  expect(await paymentsOf(sale)).toEqual([]);
  expect(await differenceOf(sale)).toBe(0n);
});
