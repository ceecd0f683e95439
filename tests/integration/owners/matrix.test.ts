import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Wallet } from 'xrpl';
import { CONTRACTS } from '#lib/api/contracts.ts';
import recordings from '#lib/api/examples/recorded.json' with { type: 'json' };
import { OWN_PROJECT, OWNER_PATHS } from '#lib/api/member-scope.ts';
import { problemCodesOf } from '#lib/api/openapi-operation.ts';
import type { Contract } from '#lib/base/contract.ts';
import { newId } from '#lib/base/ids.ts';
import { signCallback } from '#sandbox/qstash/signature.ts';
import { callRoute } from '#tests/integration/api/routes.ts';
import type { Created } from '#tests/integration/api-keys/stage.ts';
import { ask } from '#tests/integration/operations/ask.ts';
import { TEST_ADMIN_TOKEN, TEST_CRON_SECRET, TEST_READ_ONLY_TOKEN } from '#tests/support/env.ts';
import { fillPath } from '#tests/support/http.ts';
import { addRows } from '#tests/support/rows.ts';
import { addDepositAccount, addProject, DEPOSIT } from '#tests/support/sale.ts';
import { registerSecrets } from '#tests/support/secrets.ts';
import { type Owners, openOwners, type SignedIn } from './stage.ts';
import { ROLES, type Role, WHO_MAY } from './who-may.ts';

let owners: Owners;
const tokens = new Map<Role, string>();
/** The tenant whose members ask, and somebody else. */
let owner: SignedIn;
let stranger: SignedIn;
let ownProject: string;
/** By what makes it no sale of the tenant. */
const notOwn: Record<string, string> = {};
/** By the parameter that takes it: one of the stranger's, and one that nobody has. */
const foreign: Record<string, [theirs: string, nobodys: string]> = {};

async function portalSession(apiKey: string, read_only: boolean): Promise<string> {
  const link = await ask('createPortalLink', { token: apiKey, body: { read_only } });
  const link_token = new URL(String(link.body.url)).hash.slice(1);
  return String((await ask('openPortalLink', { body: { link_token } })).body.session_token);
}

beforeAll(async () => {
  owners = await openOwners();
  const { db } = owners.stage.database;
  const unproven = async (scopes?: string[]) => {
    const made = await owners.stage.ask<Created>('create', { wallet_address: Wallet.generate().address, scopes });
    return made.body.api_key;
  };
  owner = await owners.signIn();
  stranger = await owners.signIn();
  const former = await owners.invited(owner, 'owner');
  const apiKey = await unproven();
  tokens.set('unknown token', `tr_member_${'0'.repeat(43)}`);
  tokens.set('scheduler', TEST_CRON_SECRET);
  tokens.set('read-only administrator', TEST_READ_ONLY_TOKEN);
  tokens.set('operator', TEST_ADMIN_TOKEN);
  tokens.set('API key', apiKey);
  tokens.set('API key that reads', await unproven(['webhooks:read']));
  tokens.set('portal', await portalSession(apiKey, false));
  tokens.set('portal that reads', await portalSession(apiKey, true));
  tokens.set('viewer', (await owners.invited(owner, 'viewer')).token);
  tokens.set('editor', (await owners.invited(owner, 'editor')).token);
  tokens.set('owner', owner.token);
  tokens.set('former member', former.token);
  expect((await ask('leaveTenant', { token: former.token })).status).toBe(204);
  registerSecrets(...tokens.values());

  await addDepositAccount(db, DEPOSIT);
  let destinationTag = 1;
  const project = (tenantId: string | null, status: 'active' | 'draft', deletedAt: Date | null = null) =>
    addProject(db, { tenantId, status, deletedAt, destinationTag: destinationTag++ });
  ownProject = await project(owner.tenantId, 'active');
  Object.assign(notOwn, {
    'a stranger’s sale': await project(stranger.tenantId, 'active'),
    'a stranger’s draft': await project(stranger.tenantId, 'draft'),
    'an administrators’ sale': await project(null, 'active'),
    'an administrators’ draft': await project(null, 'draft'),
    'a deleted draft': await project(owner.tenantId, 'draft', new Date()),
    nothing: newId('proj', randomBytes),
  });

  const provenKey = await owners.stage.provenKey(stranger.wallet);
  const webhook = await ask('registerWebhook', {
    token: provenKey.api_key,
    body: { url: 'https://hook.example.com/' },
  });
  expect(webhook.status).toBe(201);
  const [theirSale = ''] = Object.values(notOwn);
  const listId = newId('list', randomBytes);
  await addRows(db, 'lists', [{ id: listId, projectId: theirSale, version: 1 }]);
  const approvalId = newId('apr', randomBytes);
  await addRows(db, 'approvals', [
    {
      id: approvalId,
      projectId: theirSale,
      action: 'release',
      requesterKind: 'member',
      requesterName: stranger.wallet.address,
      tenantId: stranger.tenantId,
      reason: 'it is over',
      destination: stranger.wallet.address,
      amountDrops: 1n,
      expiresAt: new Date(Date.now() + 3_600_000),
    },
  ]);
  const invitation = await ask('inviteMember', {
    token: stranger.token,
    body: { wallet_address: Wallet.generate().address, role: 'viewer' },
  });
  Object.assign(foreign, {
    webhook_id: [String(webhook.body.id), newId('wh', randomBytes)],
    approval_id: [approvalId, newId('apr', randomBytes)],
    list_id: [listId, newId('list', randomBytes)],
    member_id: [stranger.memberId, newId('mem', randomBytes)],
    session_id: [stranger.sessionId, newId('ses', randomBytes)],
    invitation_id: [String(invitation.body.id), newId('invite', randomBytes)],
  });
});
afterAll(() => owners.stage.end());

const named = (contracts: readonly Contract[]) => contracts.map((contract) => [contract.id, contract] as const);
const paramsOf = ({ path }: Contract) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
const forMembers = CONTRACTS.filter(({ access }) => access.some(({ kind }) => kind === 'member'));
const ofOneSale = forMembers.filter(({ path }) => path.startsWith(OWN_PROJECT));

/** Asks for something with a mistake in it: whoever is admitted is told of that, and nothing is done. */
async function askMistaken(contract: Contract, role: Role, params: Record<string, string> = {}) {
  const target = fillPath(
    contract.path,
    contract.path.startsWith(OWN_PROJECT) ? { action: 'pause', ...params } : params,
  );
  const token = tokens.get(role);
  const body = contract.method === 'GET' ? null : Buffer.from('{');
  const path = contract.alias?.startsWith('/api/') === true && !target.startsWith('/api/') ? `/api${target}` : target;
  const answer = await callRoute(contract, {
    target: `${target}?no_such_field=1`,
    headers: {
      'x-forwarded-for': owners.stage.newIp(),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(role === 'queue'
        ? {
            'upstash-signature': signCallback(
              new URL(path, 'https://sale.example.org').href,
              body ?? Buffer.alloc(0),
              'sig_current',
            ),
          }
        : {}),
    },
    body,
  });
  const { code, detail } = JSON.parse(answer.text) as { code: string; detail: string };
  return { status: answer.status, code, detail };
}

test('every operation says whom it admits, and none that there is not', () => {
  expect(CONTRACTS.map(({ id }) => id).filter((id) => !(id in WHO_MAY))).toEqual([]);
  expect(Object.keys(WHO_MAY).filter((id) => !CONTRACTS.some((one) => one.id === id))).toEqual([]);
});

describe('an operation admits those whom it is for, and nobody else, and declares what it tells the others', () => {
  test.each(named(CONTRACTS))('%s', async (id, contract) => {
    const admitted = WHO_MAY[id] ?? [];
    const params = ofOneSale.includes(contract) ? { id: ownProject } : {};
    const unknown: readonly Role[] = ['anonymous', 'queue', 'unknown token', 'former member'];
    const isForQueue = contract.access.some(({ kind }) => kind === 'queue');
    for (const role of ROLES) {
      const { status, code } = await askMistaken(contract, role, params);
      if (admitted.includes(role)) expect({ role, status }).toEqual({ role, status: 400 });
      else if (isForQueue || unknown.includes(role)) {
        expect({ role, status, code }).toEqual({ role, status: 401, code: 'unauthorized' });
      } else expect({ role, status, code }).toEqual({ role, status: 403, code: 'forbidden' });
      expect(problemCodesOf(contract)).toContain(code);
    }
  });
});

describe('an operation for members', () => {
  test.each(named(forMembers))('%s stands beneath its own path, for nobody else, and is counted', (_, contract) => {
    expect(contract.path.startsWith(OWNER_PATHS)).toBe(true);
    expect(contract.access.map(({ kind }) => kind)).toEqual(['member']);
    expect(contract.rateLimit).not.toBe('internal');
    expect(contract.cacheControl).toBeUndefined();
    expect(paramsOf(contract).includes('id')).toBe(ofOneSale.includes(contract));
  });

  test.each(named(ofOneSale))('%s knows no sale but the tenant’s own', async (id, contract) => {
    const answers = [];
    for (const role of ['viewer', 'editor', 'owner'] as const) {
      for (const [what, project] of Object.entries(notOwn)) {
        const answer = await askMistaken(contract, role, { id: project });
        if (WHO_MAY[id]?.includes(role) === true) {
          expect({ role, what, ...answer }).toMatchObject({ status: 404, code: 'project_not_found' });
          answers.push(answer.detail);
        } else expect({ role, what, ...answer }).toMatchObject({ status: 403, code: 'forbidden' });
      }
    }
    expect(new Set(answers).size).toBe(1);
  });

  const ofOneThing = forMembers.filter((contract) =>
    paramsOf(contract).some((name) => name !== 'id' && name !== 'action'),
  );

  test.each(named(ofOneThing))(
    '%s knows no other thing of a stranger’s, under the tenant’s own sale either',
    async (id, contract) => {
      const body = (recordings as Record<string, { body?: unknown }>)[id]?.body;
      const names = paramsOf(contract).filter((name) => name !== 'id' && name !== 'action');
      expect(Object.keys(foreign)).toEqual(expect.arrayContaining(names));
      const answers = [];
      for (const index of [0, 1]) {
        const params = Object.fromEntries(names.map((name) => [name, foreign[name]?.[index] ?? '']));
        const answer = await ask(id, {
          token: owner.token,
          params: { ...(ofOneSale.includes(contract) ? { id: ownProject } : {}), ...params },
          ...(body === undefined ? {} : { body }),
        });
        answers.push({ status: answer.status, code: answer.body.code, detail: answer.body.detail });
      }
      expect(answers[0]).toMatchObject({ status: 404, code: expect.stringMatching(/not_found$/) });
      expect(answers[1]).toEqual(answers[0]);
    },
  );

  test('lists the sales of the tenant alone, whoever’s sale a cursor names', async () => {
    const listed = await ask('listOwnProjects', { token: owner.token });
    expect((listed.body.projects as { id: string }[]).map(({ id }) => id)).toEqual([ownProject]);
    const cursor = Buffer.from(JSON.stringify([new Date().toISOString(), notOwn['a stranger’s draft']])).toString(
      'base64url',
    );
    const after = await ask('listOwnProjects', { token: owner.token, query: `?cursor=${cursor}` });
    const unknown = Buffer.from(JSON.stringify([new Date().toISOString(), notOwn.nothing])).toString('base64url');
    const afterUnknown = await ask('listOwnProjects', { token: owner.token, query: `?cursor=${unknown}` });
    expect(after.body).toEqual(afterUnknown.body);
  });
});
