import { afterAll, beforeAll } from 'vitest';
// The linter takes any `use…` inside a function for a React hook.
import { applyEnv } from '#lib/base/env.ts';
import { startQStash } from '#sandbox/qstash/index.ts';
import { startRedisRest } from '#sandbox/redis/index.ts';
import { testEnv } from './env.ts';

export interface StandIns {
  redisUrl: string;
  qstashUrl: string;
}

/**
 * Starts a Redis and a QStash of the test file's own before its tests, puts settings that name them in force, and closes
 * them after. Call it at the top of a file or `describe`; read the answer inside tests only.
 */
export function withStandIns(overrides: Record<string, string | undefined> = {}): StandIns {
  const addresses: StandIns = { redisUrl: '', qstashUrl: '' };
  const open: { close(): Promise<void> | void }[] = [];
  beforeAll(async () => {
    const settings = testEnv();
    const redis = await startRedisRest({ token: settings.KV_REST_API_TOKEN ?? '' });
    open.push(redis);
    const qstash = await startQStash({
      token: settings.QSTASH_TOKEN ?? '',
      currentSigningKey: settings.QSTASH_CURRENT_SIGNING_KEY ?? '',
      nextSigningKey: settings.QSTASH_NEXT_SIGNING_KEY ?? '',
    });
    open.push(qstash);
    addresses.redisUrl = redis.url;
    addresses.qstashUrl = qstash.url;
    applyEnv(testEnv({ KV_REST_API_URL: redis.url, QSTASH_URL: qstash.url, ...overrides }));
  });
  afterAll(async () => {
    for (const server of open.reverse()) await server.close();
  });
  return addresses;
}
