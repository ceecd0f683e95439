import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { newApiKey } from '#lib/accounts/api-keys/authenticate-api-key.ts';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { foldOpenapi } from '#lib/api/openapi.ts';
import { LIMITS_PER_MINUTE, takeRateLimit } from '#lib/api/rate-limit.ts';
import type { Contract } from '#lib/base/contract.ts';
import { applyEnv } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { redis } from '#lib/base/redis.ts';
import { signCallback } from '#sandbox/qstash/signature.ts';
import { Judge } from '#tests/fuzz/api/judge.ts';
import { type Document, operationsOf } from '#tests/fuzz/api/operations.ts';
import type { Answer } from '#tests/fuzz/api/send.ts';
import { TEST_ADMIN_TOKEN, TEST_CRON_SECRET, TEST_READ_ONLY_TOKEN, testEnv } from '#tests/support/env.ts';
import { registerSecrets } from '#tests/support/secrets.ts';
import { type StandIns, withStandIns } from '#tests/support/stand-ins.ts';
import { callRoute, contractOf } from './routes.ts';

const document = JSON.parse(JSON.stringify(foldOpenapi(CONTRACTS, { version: '0', serverUrl: '/' }))) as Document;
const judge = new Judge(document, { mayFail: true });
const operations = operationsOf(document).filter(({ id }) => !id.endsWith('ByAlias'));
const named = (contracts: readonly Contract[]) => contracts.map(({ id }) => [id] as const);

const apiKey = newApiKey('test', randomBytes);
registerSecrets(apiKey);
const TOKENS = {
  api_key: apiKey,
  scheduler: TEST_CRON_SECRET,
  administrator: TEST_ADMIN_TOKEN,
  member: `tr_member_${'0'.repeat(43)}`,
};

interface Who {
  token?: string;
  ip?: string;
}

/** Calls an operation with the examples that the document gives, as whoever it is for, and judges the answer by the document. */
async function ask(id: string, { token, ip = '10.1.1.1' }: Who = {}): Promise<Answer & { code: string }> {
  const operation = operations.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`The document has no operation ${id}`);
  const contract = contractOf(id);
  const exampleOf = (name: string) => String(operation.parameters.find((one) => one.name === name)?.example ?? name);
  const query = operation.parameters
    .filter((one) => one.in === 'query' && one.required === true)
    .map(({ name }) => `${name}=${encodeURIComponent(exampleOf(name))}`);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOf(name));
  const body = operation.body === null ? null : Buffer.from(JSON.stringify(BODIES[id] ?? operation.bodyExample));
  const credential = (): Record<string, string> => {
    if (token !== undefined) return { authorization: `Bearer ${token}` };
    const kind = contract.access.map((access) => access.kind).find((one) => one !== 'public' && one !== 'portal');
    if (kind === undefined) return {};
    if (kind !== 'queue') return { authorization: `Bearer ${TOKENS[kind]}` };
    const signature = signCallback(`http://127.0.0.1:3000${path}`, body ?? Buffer.alloc(0), 'sig_current');
    return { 'upstash-signature': signature };
  };
  const headers = {
    'x-forwarded-for': ip,
    ...credential(),
    ...(body === null ? {} : { 'content-type': 'application/json' }),
  };
  const answer = await callRoute(contract, {
    target: [path, query.join('&')].filter(Boolean).join('?'),
    headers,
    body,
  });
  expect(judge.faultOf(operation, answer), answer.text).toBeNull();
  return { ...answer, code: (JSON.parse(answer.text || '{}') as { code?: string }).code ?? '' };
}

const services: StandIns = withStandIns();
const force = (settings: Record<string, string>) =>
  applyEnv(testEnv({ KV_REST_API_URL: services.redisUrl, QSTASH_URL: services.qstashUrl, ...settings }));

/** What asks neither the database nor any other service. */
const FIXED = ['getOpenapi', 'listEventTypes'];
/** Shows itself what is away. */
const OF_ITS_OWN = ['getSystemStatus', 'getSystemMetrics'];
/** Answers otherwise, whatever becomes of the database. */
const OTHERWISE: Readonly<Record<string, string>> = {
  createProject: 'asks for the signing keys of its accounts first, and there are none of the example’s',
  openTokenHolding: 'asks for the signing key of its account first, and there is none of the example’s',
  processPayments: 'does what can be done, and tells in its answer what failed',
  continueJob: 'does the same',
};
const standing = CONTRACTS.filter(({ id }) => !FIXED.includes(id) && !OF_ITS_OWN.includes(id) && !(id in OTHERWISE));

/** Where the document’s example is known for none before anything is asked. */
const BODIES: Readonly<Record<string, unknown>> = { revokeApiKey: { api_key: apiKey } };

describe('a read-only administrator', () => {
  const forOperators = CONTRACTS.filter(({ access }) =>
    access.every((one) => one.kind === 'administrator' && one.role === 'operator'),
  );

  test.each(named(forOperators))('is refused %s', async (id) => {
    expect(await ask(id, { token: TEST_READ_ONLY_TOKEN })).toMatchObject({ status: 403, code: 'forbidden' });
  });

  test('is refused something', () => expect(forOperators.length).toBeGreaterThan(10));
});

describe('over its limit', () => {
  const IP = '10.9.9.9';
  const exhaust = async (contract: Contract) => {
    for (;;) {
      const outcome = await takeRateLimit(contract, IP, redis, Date.now()).catch((error: unknown) => error);
      if (outcome instanceof PlatformError && outcome.code === 'rate_limited') return;
      if (outcome instanceof Error) throw outcome;
    }
  };
  const limited = CONTRACTS.filter(({ rateLimit }) => LIMITS_PER_MINUTE[rateLimit] !== null);
  beforeAll(async () => {
    // Time stands still, or else a minute that begins meanwhile gives back a part of what was taken.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    // No count is late: on a busy machine some would be, and what is not counted in time is not refused for its number.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
    force({});
    for (const contract of new Map(limited.map((one) => [one.rateLimit, one])).values()) {
      await exhaust(contract);
    }
  });
  afterAll(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  test.each(named(limited))('%s answers 429, and says when to come back', async (id) => {
    const { status, code, headers } = await ask(id, { ip: IP });
    expect({ status, code }).toEqual({ status: 429, code: 'rate_limited' });
    expect(headers['retry-after']).toMatch(/^\d+$/);
    expect(headers.ratelimit).toMatch(/^"\w+";r=0;t=\d+$/);
  });
});

describe('while the database is away', () => {
  beforeAll(() => force({}));

  test.each(named(standing))('%s answers 503, and says when to come back', async (id) => {
    const { status, code, headers } = await ask(id);
    expect({ status, code }).toEqual({ status: 503, code: 'service_unavailable' });
    expect(headers['retry-after']).toMatch(/^\d+$/);
  });

  test.each(FIXED)('%s goes on', async (id) => {
    expect((await ask(id)).status).toBe(200);
  });

  test('the system status is its own answer', async () => {
    const { status, text } = await ask('getSystemStatus');
    expect({ status, shown: JSON.parse(text) }).toMatchObject({ status: 503, shown: { status: 'down' } });
  });
});

describe('on a database without our tables', () => {
  beforeAll(() => force({ POSTGRES_URL: inject('postgresUrl') }));
  afterAll(() => force({}));

  test.each(named(standing))('%s answers 500, and shows nothing of the inside', async (id) => {
    const { status, code, text } = await ask(id);
    expect({ status, code }).toEqual({ status: 500, code: 'internal_error' });
    expect(text).not.toMatch(/relation|select|insert|postgres|\.ts\b|node_modules/i);
  });
});
