import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Wallet } from 'xrpl';
import { auditEntries } from '#drizzle/schema/access.ts';
import { depositAccounts } from '#drizzle/schema/sale.ts';
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

test('the custody of an account is that of its drafts, and stands in the terms that their launch anchors', async () => {
  const sale = await stage.draft();
  const { address } = sale.deposit;
  expect((await getProject(stage.ctx, sale.project.id)).custody).toBeNull();
  const chosen = signerSet();
  const { custody } = await set(address, chosen);
  const [account] = await stage.database.db.select().from(depositAccounts).where(eq(depositAccounts.address, address));
  expect(custody).toEqual({ ...chosen, from_ledger: account?.registeredLedger, refund_min_xrp: '0.001000' });
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

test('the custody of a sale that is launched and not finished cannot be changed or removed', async () => {
  const sale = await stage.launched();
  await expect(set(sale.deposit.address, signerSet())).rejects.toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('launched with another custody'),
  });
  await expect(set(sale.deposit.address, null)).resolves.toMatchObject({ custody: null });
  await stage.act(sale, 'end');
  await expect(set(sale.deposit.address, signerSet())).rejects.toMatchObject({ code: 'conflict' });
  await stage.settle(sale.deposit);
  await expect(set(sale.deposit.address, signerSet())).resolves.toMatchObject({ custody: { quorum: 4 } });
});

test('a sale under custody is not launched before its accounts and witnesses are as its terms say', async () => {
  const sale = await stage.draft();
  await set(sale.deposit.address, signerSet());
  const failure: unknown = await stage.act(sale, 'launch').catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'launch_not_ready' });
  const { errors } = failure as { errors: { field: string; message: string }[] };
  for (const field of ['deposit_address', 'distributor']) {
    expect(errors).toContainEqual({ field, message: expect.stringContaining('another signer list') });
    expect(errors).toContainEqual({ field, message: expect.stringContaining('master key') });
  }
  expect(errors).toContainEqual({ field: 'custody', message: 'the witness North is not named in WITNESSES' });

  await changeRows(stage.database.db, 'projects', { id: sale.project.id }, { custody: null });
  await expect(stage.act(sale, 'launch')).rejects.toMatchObject({
    errors: [{ field: 'custody', message: 'is another one than that of the deposit account' }],
  });
});
