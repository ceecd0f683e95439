import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AccountSetAsfFlags, type Wallet } from 'xrpl';
import { newId } from '#lib/base/ids.ts';
import { ask } from '#tests/integration/operations/ask.ts';
import { TEST_ADMIN_TOKEN } from '#tests/support/env.ts';
import { addRows, changeRows } from '#tests/support/rows.ts';
import { addDepositAccount, addProject, DISTRIBUTOR } from '#tests/support/sale.ts';
import { type Owners, openOwners, type SignedIn } from './stage.ts';

let owners: Owners;
let owner: SignedIn;
/** For owners, and signed for by the platform. */
let deposit: Wallet;
let other: Wallet;
let issuer: Wallet;
let destinationTag = 4_000_000_000;
beforeAll(async () => {
  owners = await openOwners();
  const { desk } = owners.stage;
  [deposit, other, issuer] = (await desk.accounts(3)) as [Wallet, Wallet, Wallet];
  const SetFlag = AccountSetAsfFlags.asfDefaultRipple;
  await desk.write([issuer, { TransactionType: 'AccountSet', Account: issuer.address, SetFlag }]);
  owners.stage.set({
    SIGNING_KEYS: [deposit, other, issuer].map(({ address, seed }) => `${address}=ed25519:${seed}`).join(),
    OWNER_DEPOSIT_ACCOUNTS: deposit.address,
  });
  await addDepositAccount(owners.stage.database.db, deposit.address);
  owner = await owners.signIn();
});
afterAll(() => owners.stage.end());

const create = (over: Record<string, unknown> = {}) =>
  ask('createOwnProject', {
    token: owner.token,
    body: {
      name: 'Their sale',
      token: { kind: 'iou', currency: 'DMO', issuer: issuer.address },
      distributor: issuer.address,
      deposit_address: deposit.address,
      treasury: issuer.address,
      tiers: [{ price_per_token: '0.10', total_tokens: '1000' }],
      ...over,
    },
  });
const addSale = (over: Parameters<typeof addProject>[1]) =>
  addProject(owners.stage.database.db, {
    depositAddress: deposit.address,
    destinationTag: destinationTag++,
    ...over,
  });
const fieldsOf = ({ body }: { body: Record<string, unknown> }) =>
  (body.errors as { field: string }[] | undefined)?.map(({ field }) => field) ?? [];

describe('the distributor of an owner’s sale', () => {
  const launch = (id: string) =>
    ask('actOnProject', { token: TEST_ADMIN_TOKEN, params: { id, action: 'launch' }, body: { reason: 'as agreed' } });

  test.each([
    ['another’s sale that was launched since', { status: 'active', tenantId: null }],
    ['a draft of the administrators', { status: 'draft', tenantId: null }],
  ] as const)('is not that of %s: its launch is refused', async (_, sale) => {
    const made = await create({ distributor: other.address });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const id = String(made.body.id);
    const isNamed = async () => {
      const { status, body } = await launch(id);
      expect(status).toBe(409);
      return (body.errors as { field: string; message: string }[]).some(
        ({ field, message }) =>
          field === 'distributor' &&
          message === 'is an account of another sale: use one of your own, or ask an administrator',
      );
    };
    expect(await isNamed()).toBe(false);
    for (const account of ['distributor', 'issuer']) {
      const theirs = await addSale({ ...sale, [account]: other.address });
      expect(await isNamed()).toBe(true);
      await changeRows(owners.stage.database.db, 'projects', { id: theirs }, { [account]: DISTRIBUTOR });
      expect(await isNamed()).toBe(false);
    }
  });

  test('is no deposit account, of owners or of a launched sale', async () => {
    const { db } = owners.stage.database;
    const [second] = (await owners.stage.desk.accounts(1)) as [Wallet];
    await addDepositAccount(db, second.address);
    await addSale({ tenantId: null, depositAddress: second.address, distributor: issuer.address, status: 'draft' });
    owners.stage.set({ OWNER_DEPOSIT_ACCOUNTS: `${deposit.address},${other.address}` });
    const foreign = await create({ distributor: other.address });
    owners.stage.set({ OWNER_DEPOSIT_ACCOUNTS: deposit.address });
    expect({ status: foreign.status, fields: fieldsOf(foreign) }).toEqual({ status: 400, fields: ['distributor'] });
    const theirs = await addSale({ tenantId: null, depositAddress: second.address, distributor: deposit.address });
    const launched = await create({ distributor: second.address });
    expect({ status: launched.status, fields: fieldsOf(launched) }).toEqual({ status: 400, fields: ['distributor'] });
    await changeRows(db, 'projects', { id: theirs }, { tenantId: owner.tenantId });
    expect((await create({ distributor: second.address })).status).toBe(400);
  });
});

test.each(['resume', 'end'])('a sale that an administrator paused is not the owner’s to %s', async (action) => {
  const { db } = owners.stage.database;
  const id = await addSale({ tenantId: owner.tenantId, status: 'paused' });
  const paused = (actor: string) =>
    addRows(db, 'auditEntries', [
      {
        id: newId('aud', randomBytes),
        actor,
        action: 'project.pause',
        subject: id,
        reason: 'under review',
        requestId: 'req_1',
        tenantId: owner.tenantId,
      },
    ]);
  const act = async () => {
    const asked = { token: owner.token, params: { id, action }, body: { reason: 'go on' } };
    const { status, body } = await ask('actOnOwnProject', asked);
    return { status, code: body.code };
  };
  await paused('administrator:test');
  expect(await act()).toEqual({ status: 403, code: 'forbidden' });
  await paused(`member:${owner.wallet.address}`);
  expect((await act()).status).toBe(202);
});

test('the audit of a tenant names no administrator who asked for an approval', async () => {
  const { db } = owners.stage.database;
  const projectId = await addSale({ tenantId: owner.tenantId });
  await addRows(db, 'approvals', [
    {
      id: `apr_${'4'.repeat(22)}`,
      projectId,
      action: 'release',
      requesterKind: 'administrator',
      requesterName: 'alice',
      reason: 'the sale is over',
      destination: issuer.address,
      amountDrops: 1n,
      expiresAt: new Date(Date.now() + 3_600_000),
    },
  ]);
  const params = { id: `apr_${'4'.repeat(22)}`, decision: 'refuse' };
  const refused = await ask('decideApproval', { token: TEST_ADMIN_TOKEN, params, body: { reason: 'too early' } });
  expect(refused.status, JSON.stringify(refused.body)).toBe(200);
  const { body } = await ask('listOwnAudit', { token: owner.token });
  expect((body.entries as unknown[])[0]).toMatchObject({
    actor: 'administrator',
    action: 'approval.refuse',
    before: { requested_by: 'administrator', reason: 'the sale is over' },
  });
  expect(JSON.stringify(body)).not.toContain('alice');
  const all = await ask('listAudit', { token: TEST_ADMIN_TOKEN });
  expect(JSON.stringify(all.body)).toContain('administrator:alice');
});
