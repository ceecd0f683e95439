import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Wallet } from 'xrpl';
import { auditEntries } from '#drizzle/schema/access.ts';
import { memberSessions } from '#drizzle/schema/members.ts';
import { MOST_MEMBERS } from '#lib/accounts/members/members.ts';
import { removeExpiredSessions } from '#lib/accounts/members/sessions.ts';
import { ask } from '#tests/integration/operations/ask.ts';
import { TEST_ADMIN_TOKEN } from '#tests/support/env.ts';
import { type Owners, openOwners } from './stage.ts';

let owners: Owners;
beforeAll(async () => {
  owners = await openOwners();
});
afterAll(() => owners.stage.end());

const me = (token: string) => ask('getMe', { token });
const members = async (token: string) =>
  (await ask('listMembers', { token })).body.members as { id: string; wallet_address: string; role: string }[];

describe('signing in', () => {
  test('a new wallet becomes the first owner of its own tenant, and stays that with each sign-in', async () => {
    const first = await owners.signIn();
    const again = await owners.signIn(first.wallet);
    expect(again).toMatchObject({ memberId: first.memberId, tenantId: first.tenantId });
    expect((await me(first.token)).body).toMatchObject({
      tenant: { id: first.tenantId, wallet_address: first.wallet.address },
      member: { role: 'owner', wallet_address: first.wallet.address },
      session: { id: first.sessionId, current: true },
      memberships: [{ role: 'owner' }],
      invitations: [],
    });
  });

  test('the tenant is that of the wallet’s API keys', async () => {
    const wallet = Wallet.generate();
    await owners.stage.provenKey(wallet);
    const { tenantId } = await owners.signIn(wallet);
    await owners.stage.provenKey(wallet);
    const { rows } = await owners.stage.database.db.execute(
      sql`select distinct tenant_id from api_keys where wallet_address = ${wallet.address}`,
    );
    expect(rows).toEqual([{ tenant_id: tenantId }]);
  });

  test.each(['create_key', 'list_keys', 'set_display_name'])(
    'a proof for %s signs nobody in, and is used up by the try',
    async (action) => {
      const wallet = Wallet.generate();
      const proof = await owners.stage.proof(wallet, action);
      const refused = await ask('signIn', { body: { proof } });
      expect(refused).toMatchObject({ status: 403, body: { code: 'invalid_proof' } });
      const body = { wallet_address: wallet.address, proof };
      expect(await ask('createApiKey', { body })).toMatchObject({ status: 403, body: { code: 'invalid_proof' } });
    },
  );

  test('a proof for signing in makes and lists no API key', async () => {
    const wallet = Wallet.generate();
    const body = { wallet_address: wallet.address, proof: await owners.stage.proof(wallet, 'sign_in') };
    expect(await ask('createApiKey', { body })).toMatchObject({ status: 403, body: { code: 'invalid_proof' } });
    const listed = await ask('listProvenApiKeys', {
      params: { wallet_address: wallet.address },
      body: { proof: await owners.stage.proof(wallet, 'sign_in') },
    });
    expect(listed).toMatchObject({ status: 403, body: { code: 'invalid_proof' } });
  });

  test('a proof signs in once', async () => {
    const proof = await owners.stage.proof(Wallet.generate(), 'sign_in');
    expect((await ask('signIn', { body: { proof } })).status).toBe(201);
    expect(await ask('signIn', { body: { proof } })).toMatchObject({ status: 403, body: { code: 'invalid_proof' } });
  });

  test('another’s tenant and one that is not there refuse a wallet alike', async () => {
    const { tenantId } = await owners.signIn();
    const stranger = Wallet.generate();
    const refusals = [];
    for (const tenant_id of [tenantId, `ten_${'0'.repeat(22)}`]) {
      const { status, body } = await owners.askToSignIn(stranger, { tenant_id });
      refusals.push({ status, code: body.code, detail: body.detail });
    }
    expect(refusals[0]).toMatchObject({ status: 404, code: 'not_found' });
    expect(refusals[1]).toEqual(refusals[0]);
  });

  test('the token is stored as a hash alone', async () => {
    const { token, sessionId } = await owners.signIn();
    const [row] = await owners.stage.database.db.select().from(memberSessions).where(eq(memberSessions.id, sessionId));
    expect(row?.tokenHash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(row)).not.toContain(token.slice(10));
  });

  test('a session ends after eight hours, and is swept away', async () => {
    const { token, sessionId } = await owners.signIn();
    const { db } = owners.stage.database;
    const [row] = await db
      .select({ hours: sql<number>`extract(epoch from expires_at - created_at)::integer / 3600` })
      .from(memberSessions)
      .where(eq(memberSessions.id, sessionId));
    expect(row?.hours).toBe(8);
    await db.update(memberSessions).set({ expiresAt: sql`now()` }).where(eq(memberSessions.id, sessionId));
    expect(await me(token)).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    const removed = await removeExpiredSessions(owners.stage.ctx, owners.stage.ctx.clock.nowMs() + 5_000);
    expect(removed).toBeGreaterThan(0);
    expect((await db.select().from(memberSessions).where(eq(memberSessions.id, sessionId))).length).toBe(0);
  });

  test('a member lists and ends their own sessions, and no other’s', async () => {
    const first = await owners.signIn();
    const second = await owners.signIn(first.wallet);
    const stranger = await owners.signIn();
    const listed = (await ask('listSessions', { token: first.token })).body.sessions as { id: string }[];
    expect(listed.map(({ id }) => id).toSorted()).toEqual([first.sessionId, second.sessionId].toSorted());
    const foreign = { token: first.token, params: { session_id: stranger.sessionId } };
    expect(await ask('endSession', foreign)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await me(stranger.token)).status).toBe(200);
    expect((await ask('endSession', { token: first.token, params: { session_id: second.sessionId } })).status).toBe(
      204,
    );
    expect((await me(second.token)).status).toBe(401);
    expect((await ask('endSession', { token: first.token, params: { session_id: first.sessionId } })).status).toBe(204);
    expect((await me(first.token)).status).toBe(401);
  });
});

describe('members', () => {
  test('an invitation makes its wallet a member with its role, once', async () => {
    const owner = await owners.signIn();
    const wallet = Wallet.generate();
    const body = { wallet_address: wallet.address, role: 'editor' };
    const invitation = await ask('inviteMember', { token: owner.token, body });
    expect(invitation).toMatchObject({ status: 201, body: { role: 'editor', invited_by: owner.wallet.address } });
    const own = await owners.signIn(wallet);
    expect((await me(own.token)).body.invitations).toMatchObject([{ tenant: { id: owner.tenantId }, role: 'editor' }]);
    const invitation_id = String(invitation.body.id);
    const joined = await owners.signIn(wallet, { invitation_id });
    expect(joined.tenantId).toBe(owner.tenantId);
    expect(await members(owner.token)).toMatchObject([
      { wallet_address: owner.wallet.address, role: 'owner' },
      { wallet_address: wallet.address, role: 'editor' },
    ]);
    expect(await owners.askToSignIn(wallet, { invitation_id })).toMatchObject({ status: 404 });
    expect((await ask('inviteMember', { token: owner.token, body })).status).toBe(409);
    expect((await owners.signIn(wallet, { tenant_id: owner.tenantId })).memberId).toBe(joined.memberId);
  });

  test('an invitation is nothing to another wallet, nor when it is withdrawn or over', async () => {
    const owner = await owners.signIn();
    const invite = async (wallet: Wallet) =>
      String(
        (await ask('inviteMember', { token: owner.token, body: { wallet_address: wallet.address, role: 'viewer' } }))
          .body.id,
      );
    const [theirs, late] = [Wallet.generate(), Wallet.generate()];
    const invitation_id = await invite(theirs);
    expect(await owners.askToSignIn(Wallet.generate(), { invitation_id })).toMatchObject({ status: 404 });
    const withdrawn = await ask('withdrawInvitation', { token: owner.token, params: { invitation_id } });
    expect(withdrawn.status).toBe(204);
    expect(await owners.askToSignIn(theirs, { invitation_id })).toMatchObject({ status: 404 });
    const second = await invite(late);
    await owners.stage.database.db.execute(sql`update member_invitations set expires_at = now() where id = ${second}`);
    expect(await owners.askToSignIn(late, { invitation_id: second })).toMatchObject({ status: 404 });
    expect((await ask('listInvitations', { token: owner.token })).body).toEqual({ invitations: [] });
    expect(await members(owner.token)).toHaveLength(1);
  });

  test('the end of a membership ends its sessions at once', async () => {
    const owner = await owners.signIn();
    const viewer = await owners.invited(owner, 'viewer');
    const own = await owners.signIn(viewer.wallet);
    const params = { member_id: viewer.memberId };
    expect((await ask('removeMember', { token: owner.token, params })).status).toBe(204);
    expect((await me(viewer.token)).status).toBe(401);
    expect((await me(own.token)).status).toBe(200);
    expect(await owners.askToSignIn(viewer.wallet, { tenant_id: owner.tenantId })).toMatchObject({ status: 404 });
  });

  test('a changed role holds from the next request on', async () => {
    const owner = await owners.signIn();
    const second = await owners.invited(owner, 'owner');
    const body = { wallet_address: Wallet.generate().address, role: 'viewer' };
    expect((await ask('inviteMember', { token: second.token, body })).status).toBe(201);
    const params = { member_id: second.memberId };
    expect(await ask('changeMember', { token: owner.token, params, body: { role: 'editor' } })).toMatchObject({
      status: 200,
      body: { role: 'editor' },
    });
    const refused = await ask('inviteMember', { token: second.token, body });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  test('what an owner offered ends when they are one no more', async () => {
    const owner = await owners.signIn();
    const second = await owners.invited(owner, 'owner');
    const wallet = Wallet.generate();
    const body = { wallet_address: wallet.address, role: 'owner' };
    const { body: invitation } = await ask('inviteMember', { token: second.token, body });
    await ask('removeMember', { token: owner.token, params: { member_id: second.memberId } });
    expect(await owners.askToSignIn(wallet, { invitation_id: invitation.id })).toMatchObject({ status: 404 });
  });

  test('the wallet that the tenant is of stays its owner: a tenant is never without one', async () => {
    const founder = await owners.signIn();
    const second = await owners.invited(founder, 'owner');
    const params = { member_id: founder.memberId };
    for (const token of [founder.token, second.token]) {
      expect(await ask('removeMember', { token, params })).toMatchObject({ status: 409, body: { code: 'conflict' } });
      expect((await ask('changeMember', { token, params, body: { role: 'viewer' } })).status).toBe(409);
    }
    expect((await ask('leaveTenant', { token: founder.token })).status).toBe(409);
    expect((await ask('leaveTenant', { token: second.token })).status).toBe(204);
    expect((await me(second.token)).status).toBe(401);
    expect(await members(founder.token)).toMatchObject([{ id: founder.memberId, role: 'owner' }]);
  });

  test('two owners who remove each other at once leave one of them', async () => {
    const founder = await owners.signIn();
    const [a, b] = [await owners.invited(founder, 'owner'), await owners.invited(founder, 'owner')];
    const statuses = await Promise.all([
      ask('removeMember', { token: a.token, params: { member_id: b.memberId } }),
      ask('removeMember', { token: b.token, params: { member_id: a.memberId } }),
    ]);
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([204, 401]);
    expect(await members(founder.token)).toHaveLength(2);
  });

  test('members of other tenants are neither shown nor changed', async () => {
    const [owner, stranger] = [await owners.signIn(), await owners.signIn()];
    const viewer = await owners.invited(owner, 'viewer');
    const params = { member_id: viewer.memberId };
    expect((await ask('removeMember', { token: stranger.token, params })).status).toBe(404);
    expect((await ask('changeMember', { token: stranger.token, params, body: { role: 'owner' } })).status).toBe(404);
    expect(await members(stranger.token)).toHaveLength(1);
    expect((await me(viewer.token)).body).toMatchObject({ member: { role: 'viewer' } });
  });

  test('a tenant has at most fifty members and open invitations, also when many are invited at once', async () => {
    const owner = await owners.signIn();
    await owners.stage.database.db.execute(sql`
      insert into member_invitations (id, tenant_id, wallet_address, role, invited_by, expires_at)
      select 'invite_of_' || n, ${owner.tenantId}, 'r' || n, 'viewer', ${owner.wallet.address}, now() + interval '1 day'
      from generate_series(1, ${MOST_MEMBERS - 4}::integer) as n`);
    const invite = () =>
      ask('inviteMember', {
        token: owner.token,
        body: { wallet_address: Wallet.generate().address, role: 'viewer' },
      });
    const answers = await Promise.all(Array.from({ length: 6 }, invite));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    for (const { status, body } of answers.filter((one) => one.status !== 201)) {
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'limit_reached' });
    }
  });
});

describe('a member’s session', () => {
  test('opens nothing for administrators, API keys or the scheduler, and passes for nobody elsewhere', async () => {
    const { token, wallet } = await owners.signIn();
    for (const [id, more] of [
      ['adminListProjects', {}],
      ['listAudit', {}],
      ['listWebhooks', {}],
      ['listPortalLinks', {}],
      ['listEvents', {}],
      ['processTransactions', {}],
      ['createApiKey', { body: { wallet_address: wallet.address } }],
    ] as const) {
      expect(await ask(id, { token, ...more }), id).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
  });

  test('is no other credential’s: administrators, API keys and nobody are refused', async () => {
    const { api_key: apiKey } = await owners.stage.provenKey(Wallet.generate());
    for (const token of [TEST_ADMIN_TOKEN, apiKey]) {
      expect(await me(token)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    expect(await ask('getMe', {})).toMatchObject({ status: 401 });
    expect(await me(`tr_member_${'0'.repeat(43)}`)).toMatchObject({ status: 401 });
  });

  test('counts its requests for the member, however many sessions there are', async () => {
    const first = await owners.signIn();
    const second = await owners.signIn(first.wallet);
    const remaining = ({ headers }: { headers: Headers }) =>
      Number(/"read_member";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
    const before = remaining(await me(first.token));
    expect(remaining(await me(second.token))).toBe(before - 1);
  });

  test('keeps answers under an idempotency key for the member of this tenant alone', async () => {
    const owner = await owners.signIn();
    const other = await owners.invited(await owners.signIn(), 'owner', owner.wallet);
    const body = { wallet_address: Wallet.generate().address, role: 'viewer' };
    const headers = { 'idempotency-key': 'same' };
    const first = await ask('inviteMember', { token: owner.token, body, headers });
    const again = await ask('inviteMember', { token: owner.token, body, headers });
    expect(again.body).toEqual(first.body);
    const elsewhere = await ask('inviteMember', { token: other.token, body, headers });
    expect(elsewhere.status).toBe(201);
    expect(elsewhere.body.id).not.toBe(first.body.id);
  });
});

describe('the audit of a tenant', () => {
  test('has all that its members did, by wallet, and nothing of others', async () => {
    const owner = await owners.signIn();
    const editor = await owners.invited(owner, 'editor');
    await owners.signIn();
    await ask('changeMember', { token: owner.token, params: { member_id: editor.memberId }, body: { role: 'viewer' } });
    await ask('removeMember', { token: owner.token, params: { member_id: editor.memberId } });
    const { body } = await ask('listOwnAudit', { token: owner.token });
    const entries = body.entries as { actor: string; action: string }[];
    const [byOwner, byEditor] = [`member:${owner.wallet.address}`, `member:${editor.wallet.address}`];
    expect(entries.map(({ actor, action }) => [actor, action]).toReversed()).toEqual([
      [byOwner, 'member.found'],
      [byOwner, 'member.invite'],
      [byEditor, 'member.join'],
      [byOwner, 'member.change'],
      [byOwner, 'member.remove'],
    ]);
    expect(JSON.stringify(body)).not.toMatch(/tr_member_/);
  });

  test('is paged by its own entries: the cursor of another tenant’s entry gives no place in it', async () => {
    const [owner, stranger] = [await owners.signIn(), await owners.signIn()];
    await owners.signIn(owner.wallet);
    const first = await ask('listOwnAudit', { token: owner.token, query: '?limit=1' });
    const cursor = String(first.body.next_cursor);
    const rest = await ask('listOwnAudit', { token: owner.token, query: `?limit=1&cursor=${cursor}` });
    expect(rest.body).toMatchObject({ entries: [{ action: 'member.found' }], next_cursor: null });
    const foreign = await ask('listOwnAudit', { token: stranger.token, query: `?cursor=${cursor}` });
    expect(foreign.body).toEqual({ entries: [], next_cursor: null });
  });

  test('is in the administrators’ log too', async () => {
    const owner = await owners.signIn();
    const rows = await owners.stage.database.db
      .select({ tenantId: auditEntries.tenantId })
      .from(auditEntries)
      .where(eq(auditEntries.actor, `member:${owner.wallet.address}`));
    expect(rows).toEqual([{ tenantId: owner.tenantId }]);
  });
});
