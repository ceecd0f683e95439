import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { CONTRACTS } from '#lib/api/contracts.ts';
import type { Access, Contract } from '#lib/base/contract.ts';
import { openDatabase } from '#lib/base/db.ts';
import { call, createApiKey, expectProblem, fillPath } from '#tests/support/http.ts';

const named = (contracts: readonly Contract[]) => contracts.map((one) => [`${one.method} ${one.path}`, one] as const);
const keyAccess = (contract: Contract) =>
  contract.access.find((access): access is Extract<Access, { kind: 'api_key' }> => access.kind === 'api_key');
/** Operations that an API key opens, were it beside others. */
const forKeys = CONTRACTS.filter((one) => keyAccess(one) !== undefined);
const scoped = forKeys.filter((one) => keyAccess(one)?.scope !== null);
const ofOneWebhook = scoped.filter(({ path }) => /^\/api\/webhooks\/\{(?:webhook_)?id\}/.test(path));

const SCOPES = [...new Set(scoped.map((one) => keyAccess(one)?.scope ?? ''))];

interface Key {
  id: string;
  api_key: string;
}

async function newKey(body: Record<string, unknown> = {}): Promise<Key> {
  const json = { wallet_address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', ...body };
  const answer = await call('/api/api-keys/create', { json, headers: { 'x-forwarded-for': '10.9.8.7' } });
  expect(answer.status).toBe(201);
  return answer.json as Key;
}

let revoked: string;
let expired: string;
let stranger: string;
let webhookId: string;
const withoutScope = new Map<string, string>();
beforeAll(async () => {
  revoked = (await newKey()).api_key;
  expect((await call('/api/api-keys/revoke', { json: { api_key: revoked } })).status).toBe(200);
  for (const scope of SCOPES) {
    withoutScope.set(scope, (await newKey({ scopes: SCOPES.filter((other) => other !== scope) })).api_key);
  }
  const short = await newKey({ expires_in_days: 1 });
  expired = short.api_key;
  const { db, close } = await openDatabase(inject('sandbox').manifest.postgres_url, 1);
  await db.execute(sql`update api_keys set expires_at = now() - interval '1 second' where id = ${short.id}`);
  await close();
  stranger = (await newKey()).api_key;
  const owner = await createApiKey();
  const webhook = await call('/api/webhooks', { token: owner, json: { url: 'http://127.0.0.1:9/' } });
  expect(webhook.status).toBe(201);
  webhookId = (webhook.json as { id: string }).id;
});

const callWith = (contract: Contract, token: string, path = fillPath(contract.path)) =>
  call(path, { method: contract.method, token, ...(contract.body === undefined ? {} : { json: {} }) });

describe('an operation for API keys', () => {
  test.each(named(forKeys))('%s refuses a key that was revoked', async (_, contract) => {
    expectProblem(await callWith(contract, revoked), 401, 'unauthorized');
  });

  test.each(named(forKeys))('%s refuses a key that has expired', async (_, contract) => {
    expectProblem(await callWith(contract, expired), 401, 'unauthorized');
  });

  test.each(named(scoped))('%s refuses a key that has every scope but its own', async (_, contract) => {
    const key = withoutScope.get(keyAccess(contract)?.scope ?? '') ?? '';
    expectProblem(await callWith(contract, key), 403, 'forbidden');
  });

  test.each(named(ofOneWebhook.filter((one) => one.body === undefined)))(
    '%s shows a stranger’s webhook as one that is not there',
    async (_, contract) => {
      for (const form of [contract.path, contract.alias ?? contract.path]) {
        const path = fillPath(form, { id: webhookId, webhook_id: webhookId });
        expectProblem(await callWith(contract, stranger, path), 404, 'webhook_not_found');
      }
    },
  );
});
