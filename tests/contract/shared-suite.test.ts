import { beforeAll, describe, expect, inject, test } from 'vitest';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { problemCodesOf } from '#lib/api/openapi-operation.ts';
import { MAX_BODY_BYTES } from '#lib/api/parse-request.ts';
import type { Contract } from '#lib/base/contract.ts';
import { call, createApiKey, credentialFor, expectProblem, fillPath, prepareMember } from '#tests/support/http.ts';

/** Operations that are documented and not available yet, each with a proper body. An operation leaves the list when its work comes. */

const has = (contract: Contract, kind: string) => contract.access.some((access) => access.kind === kind);
const isPublic = (contract: Contract) => has(contract, 'public');
const isInternal = (contract: Contract) => has(contract, 'scheduler') || has(contract, 'administrator');
const pathsOf = (contract: Contract) => [contract.path, ...(contract.alias === undefined ? [] : [contract.alias])];

const named = (contracts: readonly Contract[]) => contracts.map((one) => [`${one.method} ${one.path}`, one] as const);
const guarded = CONTRACTS.filter((one) => !isPublic(one));
const callable = CONTRACTS.filter((one) => !has(one, 'queue'));
const withBody = callable.filter((one) => one.body !== undefined);

let apiKey: string;
interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean; example?: unknown }[];
}
let openapi: { paths: Record<string, Record<string, Operation>> };
beforeAll(async () => {
  apiKey = await createApiKey();
  await prepareMember();
  openapi = (await call('/api/openapi.json')).json as typeof openapi;
});

/** Calls an operation as its contract wants it, but for what the test changes. */
const callAs = (contract: Contract, path: string, options: Parameters<typeof call>[1] = {}) => {
  const token = credentialFor(contract, apiKey);
  return call(fillPath(path), { method: contract.method, ...(token === undefined ? {} : { token }), ...options });
};

// Refusals change nothing, so that many can be asked for at once.
describe.concurrent('a guarded operation', () => {
  test.each(named(guarded))('%s refuses a caller without a credential', async (_, contract) => {
    for (const path of pathsOf(contract)) {
      expectProblem(await call(fillPath(path), { method: contract.method }), 401, 'unauthorized');
    }
  });

  test.each(named(guarded))('%s refuses a credential that nobody has', async (_, contract) => {
    const wrong = [apiKey.replace(/.$/, (last) => (last === '0' ? '1' : '0')), 'x', 'undefined', 'null'];
    for (const token of wrong) {
      const headers = { 'upstash-signature': token };
      expectProblem(
        await call(fillPath(contract.path), { method: contract.method, token, headers }),
        401,
        'unauthorized',
      );
    }
  });

  test.each(named(guarded))('%s takes the credential as a bearer token only', async (_, contract) => {
    const token = credentialFor(contract, apiKey) ?? apiKey;
    for (const authorization of [token, `Basic ${btoa(`x:${token}`)}`, 'Bearer', 'Bearer ']) {
      expectProblem(
        await call(fillPath(contract.path), { method: contract.method, headers: { authorization } }),
        401,
        'unauthorized',
      );
    }
  });

  test.each(named(CONTRACTS.filter((one) => isInternal(one) && !has(one, 'api_key'))))(
    '%s refuses an API key, however valid',
    async (_, contract) => {
      expectProblem(await callAs(contract, contract.path, { token: apiKey }), 403, 'forbidden');
    },
  );

  test.each(named(guarded.filter((one) => !has(one, 'scheduler') && !has(one, 'queue'))))(
    '%s refuses the scheduler',
    async (_, contract) => {
      const { cron_secret } = inject('sandbox').manifest;
      expectProblem(await callAs(contract, contract.path, { token: cron_secret }), 403, 'forbidden');
    },
  );

  test.each(named(guarded.filter((one) => !has(one, 'administrator') && !has(one, 'queue'))))(
    '%s refuses an administrator whom it is not for',
    async (_, contract) => {
      const { admin_token } = inject('sandbox').manifest;
      expectProblem(await callAs(contract, contract.path, { token: admin_token }), 403, 'forbidden');
    },
  );
});

describe.concurrent('every path', () => {
  const methodsByPath = Map.groupBy(
    CONTRACTS.flatMap((contract) => pathsOf(contract).map((path) => ({ path, method: contract.method }))),
    ({ path }) => path.replaceAll(/\{\w+\}/g, '{}'),
  );
  test.each([...methodsByPath.values()].map((entries) => [entries[0]!.path, entries] as const))(
    '%s answers 405 with Allow to every other method',
    async (path, entries) => {
      const allowed = entries.map(({ method }) => String(method));
      for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].filter((one) => !allowed.includes(one))) {
        const answer = await call(fillPath(path), { method });
        expectProblem(answer, 405, 'method_not_allowed');
        const allow = (answer.headers.get('allow') ?? '').split(', ');
        expect(allow).toEqual(expect.arrayContaining(allowed));
        expect(allow).not.toContain(method);
      }
      const options = await fetch(new URL(fillPath(path), inject('sandbox').manifest.base_url), { method: 'OPTIONS' });
      expect(options.status).toBe(204);
      const offered = (options.headers.get('allow') ?? '')
        .split(', ')
        .filter((one) => one !== 'HEAD' && one !== 'OPTIONS');
      expect(offered.sort()).toEqual([...allowed].sort());
    },
  );
});

describe.concurrent('input', () => {
  test.each(named(callable))('%s refuses a query field that it does not know', async (_, contract) => {
    for (const path of pathsOf(contract)) {
      const problem = expectProblem(await callAs(contract, `${path}?unknown_field=1`), 400, 'invalid_request');
      expect(problem.errors?.map(({ field }) => field)).toContain('unknown_field');
    }
  });

  test.each(named(withBody))('%s refuses a body that is not declared as JSON', async (_, contract) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      const options = { text: '{}', headers: { 'content-type': type } };
      expectProblem(await callAs(contract, contract.path, options), 415, 'unsupported_media_type');
    }
  });

  test.each(named(withBody))('%s refuses a body that is no JSON', async (_, contract) => {
    for (const text of ['', '{"a":', 'undefined', '{} {}']) {
      const options = { text, headers: { 'content-type': 'application/json; charset=utf-8' } };
      expectProblem(await callAs(contract, contract.path, options), 400, 'malformed_json');
    }
  });

  test.each(named(withBody))('%s refuses JSON that is no object', async (_, contract) => {
    for (const json of [null, [], 'text', 1]) {
      expectProblem(await callAs(contract, contract.path, { text: JSON.stringify(json) }), 400, 'invalid_request');
    }
  });

  test.each(named(withBody))('%s names a body field that it does not know', async (_, contract) => {
    const options = { text: '{"unknown_field":1,"__proto__":{"x":1}}' };
    const problem = expectProblem(await callAs(contract, contract.path, options), 400, 'invalid_request');
    expect(problem.errors?.map(({ field }) => field)).toContain('unknown_field');
  });

  test.each(named(withBody))('%s refuses U+0000 anywhere in a body', async (_, contract) => {
    for (const text of ['{"unknown_field":"a\\u0000b"}', '{"a\\u0000b":1}', '{"unknown_field":[{"x":"\\u0000"}]}']) {
      expectProblem(await callAs(contract, contract.path, { text }), 400, 'invalid_request');
    }
  });

  test.each(named(callable))('%s refuses U+0000 in a query, its cursor included', async (_, contract) => {
    const cursor = Buffer.from(JSON.stringify(['2026-01-01T00:00:00.000Z', 'wh_\0'])).toString('base64url');
    for (const query of ['a%00b=1', 'limit=%00', `cursor=${cursor}`]) {
      const body = contract.body === undefined ? {} : { json: {} };
      expectProblem(await callAs(contract, `${contract.path}?${query}`, body), 400, 'invalid_request');
    }
  });

  test.each(named(callable))('%s does not repeat the name of a field that looks like a secret', async (_, contract) => {
    const secret = 'sEdTM1uX8pu2do5XvTnutH6HsouMaM2';
    const answers = [
      await callAs(contract, `${contract.path}?${secret}=1&${secret}=2`),
      await callAs(contract, `${contract.path}?${secret}=1`),
      ...(contract.body === undefined ? [] : [await callAs(contract, contract.path, { json: { [secret]: 1 } })]),
    ];
    for (const answer of answers) {
      expectProblem(answer, 400, 'invalid_request');
      expect(answer.text).not.toContain(secret);
    }
  });

  test.each(named(CONTRACTS.filter((one) => one.method !== 'GET')))(
    '%s refuses a body beyond 64 KiB, or beyond what it takes by its contract',
    async (_, contract) => {
      const text = JSON.stringify({ description: 'x'.repeat(contract.maxBodyBytes ?? MAX_BODY_BYTES) });
      expectProblem(await callAs(contract, contract.path, { text }), 413, 'payload_too_large');
    },
  );
});

describe('an operation', () => {
  test.each(named(CONTRACTS))(
    '%s stands in the OpenAPI document under its method and every path form',
    (_, contract) => {
      const ids = pathsOf(contract).map((path) => openapi.paths[path]?.[contract.method.toLowerCase()]?.operationId);
      expect(ids[0]).toBe(contract.id);
      expect(ids.every((id) => id?.startsWith(contract.id))).toBe(true);
    },
  );

  test.each(named(CONTRACTS.filter((one) => one.alias !== undefined && one.method === 'GET')))(
    '%s answers alike under both path forms',
    async (_, contract) => {
      const [first, second] = await Promise.all(pathsOf(contract).map((path) => callAs(contract, path)));
      expect(second?.status).toBe(first?.status);
      const withoutRequestId = (json: unknown) => ({ ...Object(json), request_id: '' });
      expect(withoutRequestId(second?.json)).toEqual(withoutRequestId(first?.json));
    },
  );

  test.each(named(callable.filter((one) => one.method === 'GET' && one.id !== 'processPayments')))(
    '%s answers a proper call with a status that it declares',
    async (_, contract) => {
      const { parameters = [] } = openapi.paths[contract.path]?.get ?? {};
      const required = parameters.filter((one) => one.in === 'query' && one.required === true);
      const query = new URLSearchParams(required.map(({ name, example }) => [name, String(example)]));
      const answer = await callAs(contract, `${contract.path}?${query}`);
      const code = (answer.json as { code?: string } | null)?.code;
      if (answer.status in contract.responses) {
        const [type] = (answer.headers.get('content-type') ?? '').split(';');
        expect(contract.mediaTypes ?? [contract.textType ?? 'application/json']).toContain(type);
      } else expect(problemCodesOf(contract).filter((each) => each !== 'invalid_request')).toContain(code);
    },
  );

  test('that does its work tells what remains of its rate limit', async () => {
    const told: [id: string, remains: boolean][] = [];
    for (const contract of callable.filter((one) => one.rateLimit !== 'internal' && isPublic(one))) {
      const answer = await callAs(contract, contract.path, contract.body === undefined ? {} : { json: {} });
      // Refusals do not tell: of the samples' ids nothing exists.
      if (answer.status >= 300) continue;
      told.push([contract.id, /^"\w+";r=\d+;t=\d+$/.test(answer.headers.get('ratelimit') ?? '')]);
    }
    expect(told.filter(([, remains]) => !remains)).toEqual([]);
    expect(told.length).toBeGreaterThan(3);
  });
});
