import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { AccountSetAsfFlags, type Wallet } from 'xrpl';
import { members } from '#drizzle/schema/members.ts';
import { projects } from '#drizzle/schema/sale.ts';
import { MOST_DRAFTS } from '#lib/sales/projects/owned-project.ts';
import { ask } from '#tests/integration/operations/ask.ts';
import { TEST_ADMIN_TOKEN } from '#tests/support/env.ts';
import { changeRows } from '#tests/support/rows.ts';
import { addProject } from '#tests/support/sale.ts';
import { type Owners, openOwners, type SignedIn } from './stage.ts';

let owners: Owners;
let owner: SignedIn;
/** For owners, and signed for by the platform. */
let deposit: Wallet;
let other: Wallet;
let issuer: Wallet;
let treasury: Wallet;
beforeAll(async () => {
  owners = await openOwners();
  const { desk } = owners.stage;
  [deposit, other, issuer, treasury] = (await desk.accounts(4)) as [Wallet, Wallet, Wallet, Wallet];
  const SetFlag = AccountSetAsfFlags.asfDefaultRipple;
  await desk.write([issuer, { TransactionType: 'AccountSet', Account: issuer.address, SetFlag }]);
  owners.stage.set({
    SIGNING_KEYS: [deposit, other, issuer].map(({ address, seed }) => `${address}=ed25519:${seed}`).join(),
    OWNER_DEPOSIT_ACCOUNTS: deposit.address,
  });
  owner = await owners.signIn();
});
afterAll(() => owners.stage.end());

const draftBody = (over: Record<string, unknown> = {}) => ({
  name: 'Their sale',
  token: { kind: 'iou', currency: 'DMO', issuer: issuer.address },
  distributor: issuer.address,
  deposit_address: deposit.address,
  treasury: treasury.address,
  tiers: [{ price_per_token: '0.10', total_tokens: '1000' }],
  ...over,
});
const create = (who: SignedIn, over: Record<string, unknown> = {}) =>
  ask('createOwnProject', { token: who.token, body: draftBody(over) });
async function draft(who: SignedIn): Promise<string> {
  const made = await create(who);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return String(made.body.id);
}
const ids = async (who: SignedIn) =>
  ((await ask('listOwnProjects', { token: who.token })).body.projects as { id: string }[]).map(({ id }) => id);
const fieldsOf = ({ body }: { body: Record<string, unknown> }) =>
  (body.errors as { field: string }[] | undefined)?.map(({ field }) => field);

describe('a draft of an owner', () => {
  test('is the tenant’s, is changed by its editors, and is shown to administrators', async () => {
    const editor = await owners.invited(owner, 'editor');
    const id = await draft(owner);
    expect(await ids(owner)).toContain(id);
    const patched = await ask('patchOwnProject', { token: editor.token, params: { id }, body: { name: 'New name' } });
    expect(patched).toMatchObject({ status: 200, body: { name: 'New name', status: 'draft' } });
    const read = await ask('getOwnProject', { token: editor.token, params: { id } });
    expect(read.body).toEqual(patched.body);
    expect((await ask('adminGetProject', { token: TEST_ADMIN_TOKEN, params: { id } })).status).toBe(200);
    const { entries } = (await ask('listOwnAudit', { token: owner.token })).body as { entries: { subject: string }[] };
    expect(entries.filter(({ subject }) => subject === id)).toMatchObject([
      { action: 'project.patch', actor: `member:${editor.wallet.address}` },
      { action: 'project.create', actor: `member:${owner.wallet.address}` },
    ]);
  });

  test('is drafted on the deposit accounts for owners alone; without any nobody drafts', async () => {
    const refused = await create(owner, { deposit_address: other.address });
    expect({ status: refused.status, fields: fieldsOf(refused) }).toEqual({ status: 400, fields: ['deposit_address'] });
    expect((await ask('getMe', { token: owner.token })).body.deposit_accounts).toEqual([deposit.address]);
    owners.stage.set({ OWNER_DEPOSIT_ACCOUNTS: '' });
    expect((await create(owner)).status).toBe(400);
    owners.stage.set({ OWNER_DEPOSIT_ACCOUNTS: deposit.address });
  });

  test('cannot name its slug, neither at first nor later', async () => {
    const created = await create(owner, { slug: 'taken' });
    expect({ status: created.status, fields: fieldsOf(created) }).toEqual({ status: 400, fields: ['slug'] });
    const id = await draft(owner);
    const patched = await ask('patchOwnProject', { token: owner.token, params: { id }, body: { slug: 'taken' } });
    expect({ status: patched.status, fields: fieldsOf(patched) }).toEqual({ status: 400, fields: ['slug'] });
  });

  test('cannot pay from the distributor of another’s launched sale, neither at first nor later', async () => {
    const id = await draft(owner);
    const theirs = await addProject(owners.stage.database.db, {
      tenantId: null,
      depositAddress: deposit.address,
      destinationTag: 4_000_000_001,
      distributor: other.address,
    });
    for (const refused of [
      await create(owner, { distributor: other.address }),
      await ask('patchOwnProject', { token: owner.token, params: { id }, body: { distributor: other.address } }),
    ]) {
      expect({ status: refused.status, fields: fieldsOf(refused) }).toEqual({ status: 400, fields: ['distributor'] });
    }
    await changeRows(owners.stage.database.db, 'projects', { id: theirs }, { status: 'draft' });
    expect((await create(owner, { distributor: other.address })).status).toBe(201);
  });

  test('is one of at most twenty', async () => {
    const many = await owners.signIn();
    for (let made = 0; made < MOST_DRAFTS - 1; made++) {
      await addProject(owners.stage.database.db, {
        tenantId: many.tenantId,
        status: 'draft',
        depositAddress: deposit.address,
        destinationTag: 1_000 + made,
      });
    }
    const answers = await Promise.all([create(many), create(many)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'limit_reached' });
  });
});

describe('a deleted draft', () => {
  test('is gone for everybody, and keeps its tag to itself', async () => {
    const id = await draft(owner);
    const list = await ask('createOwnAllowlist', { token: owner.token, params: { id }, body: {} });
    expect(list.status).toBe(201);
    expect((await ask('deleteOwnDraft', { token: owner.token, params: { id } })).status).toBe(204);
    const reads = [
      ask('getOwnProject', { token: owner.token, params: { id } }),
      ask('deleteOwnDraft', { token: owner.token, params: { id } }),
      ask('getProject', { params: { id } }),
      ask('adminGetProject', { token: TEST_ADMIN_TOKEN, params: { id } }),
      ask('createAllowlist', { token: TEST_ADMIN_TOKEN, params: { id }, body: { reason: 'why not' } }),
      ask('actOnProject', { token: TEST_ADMIN_TOKEN, params: { id, action: 'launch' }, body: { reason: 'why not' } }),
    ];
    for (const { status, body } of await Promise.all(reads)) {
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'project_not_found' });
    }
    expect(await ids(owner)).not.toContain(id);
    const all = await ask('adminListProjects', { token: TEST_ADMIN_TOKEN, query: '?limit=200' });
    expect(JSON.stringify(all.body)).not.toContain(id);
    const [row] = await owners.stage.database.db.select().from(projects).where(eq(projects.id, id));
    expect(row).toMatchObject({ status: 'draft', terms: null, destinationTag: expect.any(Number) });
  });
});

describe('a launched sale of an owner', () => {
  test('cannot be deleted', async () => {
    const id = await draft(owner);
    await changeRows(owners.stage.database.db, 'projects', { id }, { status: 'active' });
    const refused = await ask('deleteOwnDraft', { token: owner.token, params: { id } });
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  test('has texts that its owners change, and its editors no more', async () => {
    const editor = await owners.invited(owner, 'editor');
    const id = await draft(owner);
    await changeRows(owners.stage.database.db, 'projects', { id }, { status: 'active' });
    const website = 'https://example.com/elsewhere';
    const change = (who: SignedIn) => ask('patchOwnProject', { token: who.token, params: { id }, body: { website } });
    expect(await change(editor)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await ask('getOwnProject', { token: owner.token, params: { id } })).body.website).toBeNull();
    expect(await change(owner)).toMatchObject({ status: 200, body: { website } });
  });
});

describe('the allowlist of an owner’s sale', () => {
  test('is made by its editors in all steps but the last, which needs a launched sale, and all is audited', async () => {
    const id = await draft(owner);
    const editor = await owners.invited(owner, 'editor');
    const asked = { token: editor.token, params: { id } };
    const made = await ask('createOwnAllowlist', { ...asked, body: {} });
    const params = { id, list_id: String(made.body.id) };
    const entries = [{ wallet_address: owner.wallet.address, cap_xrp: '5' }];
    const added = await ask('addOwnAllowlistEntries', { token: editor.token, params, body: { entries } });
    expect(added).toMatchObject({ status: 200, body: { added: 1 } });
    expect((await ask('listOwnAllowlists', asked)).body.lists).toMatchObject([{ id: params.list_id, entries: 1 }]);
    expect((await ask('discardOwnAllowlist', { token: editor.token, params })).status).toBe(204);
    const { entries: log } = (await ask('listOwnAudit', { token: owner.token })).body as {
      entries: { subject: string; action: string }[];
    };
    expect(log.filter(({ subject }) => subject === params.list_id).map(({ action }) => action)).toEqual([
      'list.discard',
      'list.add_entries',
      'list.create',
    ]);
  });
});

test('what administrators do to a tenant’s sale stands in its audit, without their names', async () => {
  const id = await draft(owner);
  const reason = 'the owner asked by telephone';
  await ask('patchProject', { token: TEST_ADMIN_TOKEN, params: { id }, body: { description: 'New', reason } });
  await ask('createAllowlist', { token: TEST_ADMIN_TOKEN, params: { id }, body: { reason } });
  const { entries } = (await ask('listOwnAudit', { token: owner.token })).body as {
    entries: { actor: string; action: string; reason: string }[];
  };
  expect(entries.slice(0, 2)).toMatchObject([
    { actor: 'administrator', action: 'list.create', reason },
    { actor: 'administrator', action: 'project.patch', reason },
  ]);
  const stranger = await owners.signIn();
  expect(JSON.stringify((await ask('listOwnAudit', { token: stranger.token })).body)).not.toContain(id);
});

describe('a request for approval', () => {
  const asked = (who: SignedIn, id: string) =>
    ask('askForOwnApproval', { token: who.token, params: { id }, body: { action: 'launch', reason: 'it is ready' } });

  test('is the owner’s to make, to see and to withdraw; nobody of the tenant decides it', async () => {
    const id = await draft(owner);
    const second = await owners.invited(owner, 'owner');
    const editor = await owners.invited(owner, 'editor');
    expect((await asked(editor, id)).status).toBe(403);
    const made = await asked(owner, id);
    expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201, body: { status: 'open', project_id: id } });
    expect((await asked(second, id)).status).toBe(409);
    const approval = String(made.body.id);
    const decide = { token: owner.token, params: { id: approval, decision: 'approve' }, body: { reason: 'mine' } };
    expect((await ask('decideApproval', decide)).status).toBe(403);
    const listed = await ask('listOwnApprovals', { token: editor.token, params: { id } });
    expect(listed.body.approvals).toMatchObject([{ id: approval, status: 'open' }]);
    // Of another sale of the tenant it is none.
    const elsewhere = { id: await draft(owner), approval_id: approval };
    const body = { reason: 'not yet' };
    expect((await ask('withdrawOwnApproval', { token: owner.token, params: elsewhere, body })).status).toBe(404);
    const withdrawn = await ask('withdrawOwnApproval', {
      token: second.token,
      params: { id, approval_id: approval },
      body,
    });
    expect(withdrawn).toMatchObject({ status: 200, body: { status: 'withdrawn' } });
  });

  test('lapses when its draft is changed, and when it is deleted', async () => {
    const id = await draft(owner);
    const first = await asked(owner, id);
    await ask('patchOwnProject', { token: owner.token, params: { id }, body: { name: 'Another name' } });
    const shown = async (approval: unknown) =>
      (await ask('getApproval', { token: TEST_ADMIN_TOKEN, params: { id: String(approval) } })).body.status;
    expect(await shown(first.body.id)).toBe('lapsed');
    const second = await asked(owner, id);
    expect(second.status).toBe(201);
    await ask('deleteOwnDraft', { token: owner.token, params: { id } });
    expect(await shown(second.body.id)).toBe('lapsed');
    const decide = {
      token: TEST_ADMIN_TOKEN,
      params: { id: String(second.body.id), decision: 'approve' },
      body: { reason: 'checked' },
    };
    expect((await ask('decideApproval', decide)).status).toBe(409);
  });

  test('lapses when who asked is an owner no more; another owner asks anew', async () => {
    const second = await owners.invited(owner, 'owner');
    const decide = (approval: unknown) =>
      ask('decideApproval', {
        token: TEST_ADMIN_TOKEN,
        params: { id: String(approval), decision: 'approve' },
        body: { reason: 'checked' },
      });
    const params = { member_id: second.memberId };
    const ends = [
      () => ask('changeMember', { token: owner.token, params, body: { role: 'editor' } }),
      () => ask('removeMember', { token: owner.token, params }),
    ];
    for (const end of ends) {
      const id = await draft(owner);
      await ask('changeMember', { token: owner.token, params, body: { role: 'owner' } });
      const first = await asked(second, id);
      expect(first.status, JSON.stringify(first.body)).toBe(201);
      await end();
      const { approvals } = (await ask('listOwnApprovals', { token: owner.token, params: { id } })).body;
      expect(approvals).toMatchObject([
        { id: first.body.id, status: 'lapsed', closed_reason: expect.stringContaining('no longer an owner') },
      ]);
      expect((await decide(first.body.id)).status).toBe(409);
      expect((await asked(owner, id)).status).toBe(201);
    }
  });

  test('is not approved while its asker’s membership ends', async () => {
    const second = await owners.invited(owner, 'owner');
    const id = await draft(owner);
    const made = await asked(second, id);
    const { db } = owners.stage.database;
    const { promise: deleted, resolve: hasDeleted } = Promise.withResolvers<void>();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const removal = db.transaction(async (tx) => {
      await tx.delete(members).where(eq(members.id, second.memberId));
      hasDeleted();
      await ended;
    });
    await Promise.race([deleted, removal]);
    const decided = ask('decideApproval', {
      token: TEST_ADMIN_TOKEN,
      params: { id: String(made.body.id), decision: 'approve' },
      body: { reason: 'checked' },
    });
    await vi
      .waitFor(
        async () => {
          const { rows } = await db.execute(sql`select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`);
          expect(rows).toHaveLength(1);
        },
        { timeout: 10_000, interval: 10 },
      )
      .finally(end);
    await removal;
    expect(await decided).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('no longer an owner') },
    });
    const shown = await ask('getOwnProject', { token: owner.token, params: { id } });
    expect(shown.body).toMatchObject({ status: 'draft', pending_action: null });
  });

  test('that an administrator made of the tenant’s sale is shown without their name, and is not the owner’s to withdraw', async () => {
    const id = await draft(owner);
    const body = { project_id: id, action: 'launch', reason: 'the owner asked by telephone' };
    const made = await ask('askForApproval', { token: TEST_ADMIN_TOKEN, body });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const listed = await ask('listOwnApprovals', { token: owner.token, params: { id } });
    expect(listed.body.approvals).toMatchObject([
      { requested_by: { kind: 'administrator', name: 'An administrator' } },
    ]);
    const params = { id, approval_id: String(made.body.id) };
    const refused = await ask('withdrawOwnApproval', { token: owner.token, params, body: { reason: 'not yet' } });
    expect(refused.status).toBe(403);
    const again = await asked(owner, id);
    expect(again.status).toBe(409);
    for (const { detail } of [refused.body, again.body]) {
      expect(detail).toMatch(/^An administrator /);
      expect(detail).not.toMatch(/operator /);
    }
  });
});
