import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApiKeyContract, revokeApiKeyContract } from '#lib/access/contracts.ts';
import { CONTRACTS } from '#lib/http/contracts.ts';
import { LIMITS_PER_MINUTE, takeRateLimit } from '#lib/http/rate-limit.ts';
import type { Contract } from '#lib/platform/contract.ts';
import { putInForce } from '#lib/platform/env.ts';
import { redis } from '#lib/platform/redis.ts';
import { type RunningRedisRest, startRedisRest } from '#sandbox/redis/index.ts';
import { testEnv } from '#tests/support/env.ts';

let standIn: RunningRedisRest;
let caller = 0;

beforeAll(async () => {
  const settings = testEnv();
  standIn = await startRedisRest({ token: settings.KV_REST_API_TOKEN ?? '' });
  putInForce({ ...settings, KV_REST_API_URL: standIn.url });
});
afterAll(() => standIn.close());
beforeEach(() => {
  caller += 1;
});
afterEach(() => standIn.faults.clear());

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

  test('lets a caller open ten exports a minute, whichever they are, and says so in its headers', async () => {
    const [first, second] = CONTRACTS.filter(({ mediaTypes }) => mediaTypes !== undefined);
    if (first === undefined || second === undefined) throw new Error('There are exports');
    expect(await take(first)).toEqual({
      'ratelimit-policy': '"export";q=10;w=60',
      ratelimit: expect.stringMatching(/^"export";r=9;t=\d+$/),
    });
    for (let n = 2; n <= 10; n += 1) await take(n % 2 === 0 ? second : first);
    await expect(take(second)).rejects.toMatchObject({ code: 'rate_limited' });
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

  test('writes are counted in the process, up to the same limit', async () => {
    standIn.faults.inject(fault);
    const taken = await Promise.allSettled(Array.from({ length: writeLimit + 1 }, () => take(revokeApiKeyContract)));
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(writeLimit);
    expect(taken.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'rate_limited' } });
  });
});
