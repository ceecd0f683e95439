import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { CONTRACTS } from '#lib/api/contracts.ts';
import type { Contract } from '#lib/base/contract.ts';
import { call, createApiKey, credentialFor, fillPath, prepareMember } from '#tests/support/http.ts';

/** Public reads that nobody keeps, and why. */
const NEVER_KEPT: Readonly<Record<string, string>> = {
  getSystemStatus: 'whoever watches must see the present',
  quoteInvestment: 'it is worth something in its own moment only',
};

const isPublicRead = ({ method, access }: Contract) =>
  method === 'GET' && access.every(({ kind }) => kind === 'public');
const named = (contracts: readonly Contract[]) => contracts.map((one) => [`${one.method} ${one.path}`, one] as const);
const callable = CONTRACTS.filter(({ access }) => access.every(({ kind }) => kind !== 'queue'));
const kept = CONTRACTS.filter(({ cacheControl }) => cacheControl !== undefined);

/** A sale that is on: a draft is nobody's to read. */
async function launchedProject(): Promise<string> {
  const { accounts, admin_token: token, cron_secret, ledger_rpc } = inject('sandbox').manifest;
  if (accounts === null) throw new Error('the sandbox made no accounts');
  const json = {
    name: 'In several forms',
    token: { kind: 'iou', currency: 'DMO', issuer: accounts.issuer.address },
    distributor: accounts.distributor.address,
    deposit_address: accounts.deposit.address,
    treasury: accounts.issuer.address,
    tiers: [{ price_per_token: '0.10', total_tokens: '1000' }],
  };
  const created = await call('/api/admin/projects', { token, json });
  expect(created.status, created.text).toBe(201);
  const { id } = created.json as { id: string };
  const launched = await call(`/api/admin/projects/${id}/launch`, { token, json: { reason: 'to be read' } });
  expect(launched.status, launched.text).toBe(202);
  const isActive = async () => {
    await fetch(String(ledger_rpc), {
      method: 'POST',
      body: JSON.stringify({ method: 'ledger_accept', params: [{}] }),
    });
    await call('/api/cron/process-payments', { token: cron_secret });
    return (await call(`/api/projects/${id}`)).status;
  };
  await expect.poll(isActive, { interval: 200 }).toBe(200);
  return id;
}

let apiKey: string;
beforeAll(async () => {
  apiKey = await createApiKey();
  await prepareMember();
});

test('every public read says how long its answer may be kept, or is known not to be', () => {
  const silent = CONTRACTS.filter((one) => isPublicRead(one) && one.cacheControl === undefined).map(({ id }) => id);
  expect(silent.toSorted()).toEqual(Object.keys(NEVER_KEPT).toSorted());
});

test('nothing that looks at a credential, or changes anything, may be kept', () => {
  expect(kept.filter((one) => !isPublicRead(one))).toEqual([]);
});

test('docs/api.md shows the very rules', () => {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../docs/api.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `GET (\S+)`\s+\| `([^`]+)`\s+\|/gm)].map(([, name, rule]) => [name, rule]);
  const rules = CONTRACTS.filter(isPublicRead).map((one) => [one.path, one.cacheControl ?? 'no-store']);
  expect(rows.toSorted()).toEqual(rules.toSorted());
});

describe('an answer that must not be kept', () => {
  test.each(named(callable.filter(({ cacheControl, id }) => cacheControl === undefined && id !== 'processPayments')))(
    'of %s says so and has no ETag',
    async (_, contract) => {
      const token = credentialFor(contract, apiKey) ?? null;
      const query = contract.method === 'GET' ? '' : '?unknown_field=1';
      const headers = { 'if-none-match': '*' };
      const answer = await call(`${fillPath(contract.path)}${query}`, { method: contract.method, token, headers });
      expect(answer.status).not.toBe(304);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('etag')).toBeNull();
    },
  );

  test.each(named(kept))('of %s is its refusal', async (_, contract) => {
    const answer = await call(`${fillPath(contract.path)}?unknown_field=1`, { headers: { 'if-none-match': '*' } });
    expect({ status: answer.status, rule: answer.headers.get('cache-control') }).toEqual({
      status: 400,
      rule: 'no-store',
    });
    expect(answer.headers.get('etag')).toBeNull();
  });
});

describe('what a kept answer depends on', () => {
  const inForms = kept.filter(({ mediaTypes = [] }) => mediaTypes.length > 1);

  test('is the Accept header where there are several forms', async () => {
    const id = await launchedProject();
    const answered: [path: string, accept: string | null, status: number, type: string | null, varies: boolean][] = [];
    for (const { path: template, mediaTypes = [] } of inForms) {
      for (const accept of mediaTypes) {
        const { status, headers } = await call(fillPath(template, { id }), { headers: { accept } });
        const [type = null] = headers.get('content-type')?.split(';') ?? [];
        const varies = (headers.get('vary') ?? '').toLowerCase().split(/, */).includes('accept');
        answered.push([template, accept, status, type, varies]);
      }
    }
    expect(answered.length).toBeGreaterThan(0);
    expect(answered).toEqual(answered.map(([template, accept]) => [template, accept, 200, accept, true]));
  });

  test('is never a cookie, an origin or a credential', async () => {
    const plain = await call('/api/projects');
    expect(plain.status).toBe(200);
    expect(plain.headers.get('etag')).not.toBeNull();
    expect(plain.headers.get('vary')).not.toBeNull();
    const dressed = await call('/api/projects', {
      token: apiKey,
      headers: { cookie: 'session=1', origin: 'https://elsewhere.example' },
    });
    expect(dressed.headers.get('etag')).toBe(plain.headers.get('etag'));
    expect(dressed.headers.get('vary')).toBe(plain.headers.get('vary'));
    expect(plain.headers.get('vary')).not.toMatch(/cookie|origin|authorization|\*/i);
    expect(dressed.headers.get('set-cookie')).toBeNull();
  });
});
