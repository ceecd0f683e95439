import { beforeAll, describe, expect, test } from 'vitest';
import { CONTRACTS } from '#lib/api/contracts.ts';
import type { Contract } from '#lib/base/contract.ts';
import { call, createApiKey, credentialFor, expectProblem, fillPath, prepareMember } from '#tests/support/http.ts';

const named = (contracts: readonly Contract[]) => contracts.map((one) => [`${one.method} ${one.path}`, one] as const);
const takesCredential = ({ access }: Contract) =>
  access.some(({ kind }) => kind === 'api_key' || kind === 'administrator' || kind === 'member');
const keeping = CONTRACTS.filter(({ idempotent }) => idempotent === true);
const otherPosts = CONTRACTS.filter(
  (one) => one.method === 'POST' && one.idempotent !== true && one.access.every(({ kind }) => kind !== 'queue'),
);

interface Parameter {
  in: string;
  name: string;
}
let apiKey: string;
let openapi: { paths: Record<string, Record<string, { parameters?: Parameter[] }>> };
beforeAll(async () => {
  apiKey = await createApiKey();
  await prepareMember();
  openapi = (await call('/api/openapi.json')).json as typeof openapi;
});

test('every POST with a credential of a person keeps its answer under an Idempotency-Key, and nothing else does', () => {
  const expected = CONTRACTS.filter((one) => one.method === 'POST' && takesCredential(one)).map(({ id }) => id);
  expect(keeping.map(({ id }) => id)).toEqual(expected);
  expect(keeping.filter(({ mediaTypes }) => mediaTypes !== undefined)).toEqual([]);
});

describe('an Idempotency-Key', () => {
  test.each(named(CONTRACTS))('stands in the document of %s where it is taken', (_, contract) => {
    const parameters = openapi.paths[contract.path]?.[contract.method.toLowerCase()]?.parameters ?? [];
    const isShown = parameters.some((one) => one.in === 'header' && one.name === 'Idempotency-Key');
    expect(isShown).toBe(contract.idempotent === true);
  });

  test.each(named(keeping))('of no use is refused by %s', async (_, contract) => {
    const token = credentialFor(contract, apiKey) ?? apiKey;
    const headers = { 'idempotency-key': 'a b' };
    const answer = await call(fillPath(contract.path), { method: 'POST', token, json: {}, headers });
    const problem = expectProblem(answer, 400, 'invalid_request');
    expect(problem.errors?.map(({ field }) => field)).toEqual(['Idempotency-Key']);
  });

  test.each(named(otherPosts))('is refused by %s, which would not look at it', async (_, contract) => {
    const answer = await call(fillPath(contract.path), { json: {}, headers: { 'idempotency-key': 'k' } });
    const problem = expectProblem(answer, 400, 'invalid_request');
    expect(problem.errors?.map(({ field }) => field)).toEqual(['Idempotency-Key']);
  });

  test('brings the first answer again through both path forms', async () => {
    const request = {
      token: apiKey,
      json: { url: 'https://receiver.example/hook' },
      headers: { 'idempotency-key': crypto.randomUUID() },
    };
    const first = await call('/webhooks', request);
    const again = await call('/api/webhooks', request);
    expect(first.status).toBe(201);
    expect({ status: again.status, text: again.text }).toEqual({ status: 201, text: first.text });
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    const list = (await call('/webhooks', { token: apiKey })).json as { webhooks: unknown[] };
    expect(list.webhooks).toHaveLength(1);
    const other = await call('/webhooks', { ...request, json: { url: 'https://receiver.example/other' } });
    expectProblem(other, 422, 'idempotency_key_reused');
  });
});
