import { Redis } from '@upstash/redis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApiKeyContract, revokeApiKeyContract } from '#lib/accounts/api-keys/contracts.ts';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { LIMITS_PER_MINUTE, takeKeyRateLimit, takeRateLimit } from '#lib/api/rate-limit.ts';
import { chatWithAssistantContract } from '#lib/assistant/contracts.ts';
import type { Contract } from '#lib/base/contract.ts';
import { applyEnv } from '#lib/base/env.ts';
import { redis } from '#lib/base/redis.ts';
import { getSystemStatusContract } from '#lib/ops/status/contracts.ts';
import { listWebhooksContract, registerWebhookContract } from '#lib/webhooks/contracts.ts';
import { type RunningRedisRest, startRedisRest } from '#sandbox/redis/index.ts';
import { testEnv } from '#tests/support/env.ts';

let standIn: RunningRedisRest;
let caller = 0;

beforeAll(async () => {
  const settings = testEnv();
  standIn = await startRedisRest({ token: settings.KV_REST_API_TOKEN ?? '' });
  applyEnv({ ...settings, KV_REST_API_URL: standIn.url });
});
afterAll(() => standIn.close());
beforeEach(() => {
  caller += 1;
  // Time stands still, or else a minute that begins in the middle of a test gives back a part of what was taken.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});
afterEach(() => {
  vi.useRealTimers();
  standIn.faults.clear();
});

const take = (contract: Contract) => takeRateLimit(contract, `caller-${caller}`, redis, Date.now());
const writeLimit = LIMITS_PER_MINUTE.write ?? 0;
/** Longer than a call may take, and than the limiter's usual patience of five seconds. */
const SLOW = { kind: 'slow', milliseconds: 8_000 } as const;

describe('the shared rate limit', () => {
  test('lets a caller make twenty keys a minute and refuses the next', async () => {
    const limit = LIMITS_PER_MINUTE.create_key ?? 0;
    for (let n = 1; n <= limit; n += 1) await take(createApiKeyContract);
    await expect(take(createApiKeyContract)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  test('lets a caller open thirty exports a minute, whichever they are, and says so in its headers', async () => {
    const [first, second] = CONTRACTS.filter(({ mediaTypes }) => mediaTypes !== undefined);
    if (first === undefined || second === undefined) throw new Error('There are exports');
    expect(await take(first)).toEqual({
      'ratelimit-policy': '"export";q=30;w=60',
      ratelimit: expect.stringMatching(/^"export";r=29;t=\d+$/),
    });
    for (let n = 2; n <= 30; n += 1) await take(n % 2 === 0 ? second : first);
    await expect(take(second)).rejects.toMatchObject({ code: 'rate_limited' });
  });
});

describe('a refusal', () => {
  test('says the limit, what is left, and when to come back', async () => {
    const limit = LIMITS_PER_MINUTE.chat ?? 0;
    const headers = await take(chatWithAssistantContract);
    expect(headers).toEqual({
      'ratelimit-policy': `"chat";q=${limit};w=60`,
      ratelimit: expect.stringMatching(new RegExp(`^"chat";r=${limit - 1};t=\\d+$`)),
    });
    for (let n = 2; n <= limit; n += 1) await take(chatWithAssistantContract);
    const refused = await take(chatWithAssistantContract).catch((error) => error);
    expect(refused).toMatchObject({
      code: 'rate_limited',
      status: 429,
      headers: {
        ratelimit: expect.stringContaining('"chat";r=0;t='),
        'retry-after': expect.stringMatching(/^[1-9]\d?$/),
      },
    });
  });

  test('of one class leaves the others alone, and of one caller every other one', async () => {
    const limit = LIMITS_PER_MINUTE.chat ?? 0;
    for (let n = 1; n <= limit; n += 1) await take(chatWithAssistantContract);
    await expect(take(chatWithAssistantContract)).rejects.toMatchObject({ code: 'rate_limited' });
    await take(registerWebhookContract);
    await take(getSystemStatusContract);
    await takeRateLimit(chatWithAssistantContract, `other-${caller}`, redis, Date.now());
  });
});

describe('an API key', () => {
  /** The application's own client, but without its time-out: how busy the machine is must not decide who counts. */
  const patient = () =>
    new Redis({
      url: standIn.url,
      token: testEnv().KV_REST_API_TOKEN ?? '',
      retry: { retries: 0 },
      enableTelemetry: false,
    });
  const by = (keyId: string, contract: Contract) =>
    takeKeyRateLimit(
      contract,
      { kind: 'api_key', keyId, tenantId: 'ten_1', walletAddress: 'r', walletVerified: false, scopes: [] },
      patient,
      Date.now(),
      { ratelimit: '"x";r=1;t=1', 'ratelimit-policy': '"x";q=1;w=60' },
    );

  test.each([
    ['writes', registerWebhookContract, LIMITS_PER_MINUTE.write ?? 0, 'write_key'],
    ['reads', listWebhooksContract, LIMITS_PER_MINUTE.read ?? 0, 'read_key'],
  ])('is counted for its %s from wherever it comes, beside the address', async (_, contract, limit, policy) => {
    const key = `key_${caller}`;
    expect(await by(key, contract)).toEqual({
      'ratelimit-policy': `"x";q=1;w=60, "${policy}";q=${limit};w=60`,
      ratelimit: expect.stringMatching(new RegExp(`^"x";r=1;t=1, "${policy}";r=${limit - 1};t=\\d+$`)),
    });
    await Promise.all(Array.from({ length: limit - 1 }, () => by(key, contract)));
    await expect(by(key, contract)).rejects.toMatchObject({ code: 'rate_limited' });
    await by(`other_${caller}`, contract);
  });

  test('is the only one who is: an administrator holds a secret', async () => {
    const actor = { kind: 'administrator', name: 'alice', role: 'operator' } as const;
    expect(await takeKeyRateLimit(registerWebhookContract, actor, redis, Date.now(), { a: '1' })).toEqual({ a: '1' });
  });
});

describe.each([
  ['answers slowly', SLOW],
  ['is away', { kind: 'down', how: 'reset' } as const],
])('while Redis %s', (_, fault) => {
  test('no key is made: 503 with Retry-After', async () => {
    standIn.faults.inject(fault);
    await expect(take(createApiKeyContract)).rejects.toMatchObject({
      code: 'service_unavailable',
      headers: { 'retry-after': '60' },
    });
  });

  test('the assistant stops: 503 with Retry-After', async () => {
    standIn.faults.inject(fault);
    await expect(take(chatWithAssistantContract)).rejects.toMatchObject({
      code: 'service_unavailable',
      headers: { 'retry-after': '60' },
    });
  });

  test('reads go on, and do not ask it', async () => {
    standIn.faults.inject(fault);
    const startedAt = performance.now();
    for (let n = 0; n < 50; n += 1) await take(getSystemStatusContract);
    expect(performance.now() - startedAt).toBeLessThan(500);
    expect(standIn.faults.list()).toMatchObject([{ struck: 0 }]);
  });

  test('exports are counted in the process, up to the same limit', async () => {
    standIn.faults.inject(fault);
    const [first] = CONTRACTS.filter(({ rateLimit }) => rateLimit === 'export');
    if (first === undefined) throw new Error('There are exports');
    const taken = await Promise.allSettled(Array.from({ length: 31 }, () => take(first)));
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(30);
  });

  test('writes are counted in the process, up to the same limit', async () => {
    standIn.faults.inject(fault);
    const taken = await Promise.allSettled(Array.from({ length: writeLimit + 1 }, () => take(revokeApiKeyContract)));
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(writeLimit);
    expect(taken.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'rate_limited' } });
  });
});
