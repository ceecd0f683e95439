import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Wallet } from 'xrpl';
import { auditEntries } from '#drizzle/schema/access.ts';
import { depositAccounts, payments } from '#drizzle/schema/sale.ts';
import { loadAccountResources } from '#lib/sales/accounts/list-accounts.ts';
import { setCustody } from '#lib/sales/accounts/set-custody.ts';
import { createProject } from '#lib/sales/projects/create-project.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { getTerms } from '#lib/sales/projects/get-terms.ts';
import { inputOf } from '#lib/sales/projects/project-columns.ts';
import { findProject, findTiers } from '#lib/sales/projects/project-resource.ts';
import { changeRows } from '#tests/support/rows.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.end());

const signer = (weight: number) => ({ account: Wallet.generate().address, weight });
const signerSet = (over: object = {}) => ({
  quorum: 4,
  platform: signer(2),
  witnesses: ['North', 'South', 'East'].map((name) => ({ ...signer(1), name, operator: `${name} Ltd` })),
  ledgers_to_live: 20,
  ...over,
});
const set = (address: string, custody: ReturnType<typeof signerSet> | null) =>
  setCustody(stage.ctx, { address, custody, reason: 'for a test' });

/** Gives a set that the ledger shows: the account's own key signs nothing any more. */
async function underCustody(account: Wallet) {
  const given = signerSet();
  const SignerEntries = [given.platform, ...given.witnesses].map(({ account: key, weight }) => ({
    SignerEntry: { Account: key, SignerWeight: weight },
  }));
  const Account = account.address;
  await stage.desk.write([
    account,
    { TransactionType: 'SignerListSet', Account, SignerQuorum: given.quorum, SignerEntries },
  ]);
  await stage.setFlag(account, 'asfDisableMaster');
  return given;
}

test('the custody of an account is that of its drafts, and stands in the terms that their launch anchors', async () => {
  const sale = await stage.draft();
  const { address } = sale.deposit;
  expect((await getProject(stage.ctx, sale.project.id)).custody).toBeNull();
  await expect(set(address, signerSet())).rejects.toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('another signer list'),
  });
  const chosen = await underCustody(sale.deposit);
  const ledger = stage.desk.close();
  const { custody } = await set(address, chosen);
  const [account] = await stage.database.db.select().from(depositAccounts).where(eq(depositAccounts.address, address));
  expect(custody).toEqual({ ...chosen, from_ledger: ledger, refund_min_xrp: '0.001000' });
  expect(account).toMatchObject({ registeredLedger: ledger, confirmedLedger: ledger, recordedBalanceDrops: null });
  await stage.settle(sale.deposit);
  expect((await set(address, chosen)).custody, 'asked for again').toEqual(custody);
  expect((await getProject(stage.ctx, sale.project.id)).custody).toEqual(custody);
  expect(JSON.parse((await getTerms(stage.ctx, sale.project.id)).canonical)).toMatchObject({ custody });

  const row = await findProject(stage.database.db, sale.project.id);
  const { slug: _, ...input } = inputOf(row, await findTiers(stage.database.db, row.id));
  expect((await createProject(stage.ctx, { ...input, name: 'Another' })).custody).toEqual(custody);
  const audited = await stage.database.db.select().from(auditEntries).where(eq(auditEntries.subject, address));
  expect(audited).toMatchObject([{ action: 'account.custody', before: { custody: null }, after: { custody } }]);

  await set(address, null);
  expect((await getProject(stage.ctx, sale.project.id)).custody).toBeNull();
  expect(
    await loadAccountResources(stage.ctx, account === undefined ? [] : [{ ...account, custody: null }]),
  ).toMatchObject([{ custody: null }]);
});

test('a signer set that does not keep what custody promises is refused', async () => {
  const { deposit } = await stage.draft();
  await expect(set(deposit.address, signerSet({ quorum: 3 }))).rejects.toMatchObject({
    code: 'invalid_request',
    errors: expect.arrayContaining([{ field: 'custody', message: expect.stringContaining('without another witness') }]),
  });
  await expect(set(stage.ctx.requestId, signerSet())).rejects.toMatchObject({ code: 'not_found' });
});

test('what one key has refunded before custody can never be signed again: an account with a payment does not enter it', async () => {
  const sale = await stage.draft();
  await stage.pay(await stage.account(), sale, 5);
  await stage.settle(sale.deposit);
  const chosen = await underCustody(sale.deposit);
  await expect(set(sale.deposit.address, chosen)).rejects.toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('Use a new deposit account'),
  });
  const ofAccount = eq(depositAccounts.address, sale.deposit.address);
  expect(await stage.database.db.select().from(depositAccounts).where(ofAccount)).toMatchObject([{ custody: null }]);
});

test('a payment that came just before custody and was not read yet is an investor’s all the same: the account does not enter it', async () => {
  const sale = await stage.draft();
  const hash = await stage.pay(await stage.account(), sale, 5);
  const chosen = await underCustody(sale.deposit);
  await expect(set(sale.deposit.address, chosen)).rejects.toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining(hash),
  });
  await stage.settle(sale.deposit);
  expect(await stage.database.db.$count(payments, eq(payments.txHash, hash))).toBe(1);
});

test('an account that ever had a sale under its own key does not enter custody, not even when all is paid', async () => {
  const sale = await stage.launched();
  await expect(set(sale.deposit.address, null)).resolves.toMatchObject({ custody: null });
  await stage.act(sale, 'end');
  await stage.settle(sale.deposit);
  const chosen = await underCustody(sale.deposit);
  await expect(set(sale.deposit.address, chosen)).rejects.toMatchObject({ code: 'conflict' });
});

test('the custody of a sale that is launched and not finished cannot be changed or removed', async () => {
  const sale = await stage.draft();
  const chosen = await underCustody(sale.deposit);
  await set(sale.deposit.address, chosen);
  await changeRows(stage.database.db, 'projects', { id: sale.project.id }, { status: 'active' });
  await expect(set(sale.deposit.address, null)).rejects.toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('launched with another custody'),
  });
  await expect(set(sale.deposit.address, { ...chosen, ledgers_to_live: 30 })).rejects.toMatchObject({
    code: 'conflict',
  });
});

test('a sale under custody is not launched before its accounts and witnesses are as its terms say', async () => {
  const sale = await stage.draft();
  await set(sale.deposit.address, await underCustody(sale.deposit));
  const failure: unknown = await stage.act(sale, 'launch').catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'launch_not_ready' });
  const { errors } = failure as { errors: { field: string; message: string }[] };
  const field = 'distributor';
  expect(errors).toContainEqual({ field, message: expect.stringContaining('another signer list') });
  expect(errors).toContainEqual({ field, message: expect.stringContaining('master key') });
  expect(errors).toContainEqual({ field: 'custody', message: 'the witness North is not named in WITNESSES' });

  await changeRows(stage.database.db, 'projects', { id: sale.project.id }, { custody: null });
  await expect(stage.act(sale, 'launch')).rejects.toMatchObject({
    errors: expect.arrayContaining([{ field: 'custody', message: 'is another one than that of the deposit account' }]),
  });
});

test('a period that began before one key set the signers begins anew, once what came meanwhile went back', async () => {
  const sale = await stage.draft();
  const { address } = sale.deposit;
  const { db } = stage.database;
  // Given back to its own key, and under other signers again, without the platform being told of the first.
  const before = { ...signerSet(), from_ledger: stage.desk.close(), refund_min_xrp: '0.001000' };
  await changeRows(db, 'depositAccounts', { address }, { custody: before });
  const stray = await stage.pay(await stage.account(), sale, 5, null);
  await stage.settle(sale.deposit);
  const chosen = await underCustody(sale.deposit);
  const setIn = stage.desk.close();
  const early = (await set(address, chosen)).custody;
  expect(early?.from_ledger).toBeLessThan(setIn);
  await expect(stage.act(sale, 'launch')).rejects.toMatchObject({
    errors: expect.arrayContaining([{ field: 'deposit_address', message: expect.stringContaining('once more') }]),
  });
  expect((await set(address, chosen)).custody, 'while something is owed').toEqual(early);
  await changeRows(db, 'payouts', { paymentHash: stray }, { status: 'validated', ledgerIndex: setIn });
  expect((await set(address, chosen)).custody?.from_ledger).toBeGreaterThanOrEqual(setIn);
});

test('a distributor that still owes tokens of a sale under its own key pays for none under custody', async () => {
  const body = { vesting: { immediate_bps: 5_000, cliff_days: 30, period_days: 30, periods: 1 } };
  const earlier = await stage.launched(body);
  await stage.pay(await stage.account(), earlier, 5);
  await stage.settle(earlier.deposit);
  await stage.act(earlier, 'end');
  await stage.settle(earlier.deposit);
  const sale = await stage.draft({}, { issuer: earlier.issuer });
  await set(sale.deposit.address, await underCustody(sale.deposit));
  await expect(stage.act(sale, 'launch')).rejects.toMatchObject({
    errors: expect.arrayContaining([{ field: 'distributor', message: expect.stringContaining('still owes') }]),
  });
});

test('a sale under custody whose tokens or raised XRP could leave otherwise, or never, is not launched', async () => {
  const [distributor, treasury, other] = [await stage.account(), await stage.account(), await stage.issuer()];
  const sale = await stage.draft({ distributor: distributor.address, treasury: treasury.address });
  for (const issuer of [sale.issuer, other]) {
    const LimitAmount = { currency: 'DMO', issuer: issuer.address, value: '1000' };
    await stage.desk.write([distributor, { TransactionType: 'TrustSet', Account: distributor.address, LimitAmount }]);
  }
  // What others open to it is none of its own.
  const stranger = await stage.account();
  const LimitAmount = { currency: 'DMO', issuer: distributor.address, value: '1000' };
  await stage.desk.write([stranger, { TransactionType: 'TrustSet', Account: stranger.address, LimitAmount }]);
  await stage.setFlag(treasury, 'asfRequireDest');
  await stage.setFlag(treasury, 'asfDepositAuth');
  await set(sale.deposit.address, await underCustody(sale.deposit));
  const failure: unknown = await stage.act(sale, 'launch').catch((error: unknown) => error);
  const { errors } = failure as { errors: { field: string; message: string }[] };
  expect(errors.filter(({ message }) => message.includes('trust lines'))).toEqual([
    { field: 'distributor', message: expect.stringContaining('to two issuers') },
  ]);
  expect(errors).toContainEqual({ field: 'treasury', message: expect.stringContaining('destination tag') });
  expect(errors).toContainEqual({ field: 'treasury', message: expect.stringContaining('authorise') });

  await stage.desk.write([
    treasury,
    { TransactionType: 'DepositPreauth', Account: treasury.address, Authorize: sale.deposit.address },
  ]);
  await expect(stage.act(sale, 'launch')).rejects.toMatchObject({
    errors: expect.not.arrayContaining([{ field: 'treasury', message: expect.stringContaining('authorise') }]),
  });
});
