import { randomUUID } from 'node:crypto';
import { Redis } from '@upstash/redis';
import { defineCheck, fault, ok, reasonOf, warning } from '../finding.ts';

const check = 'redis';
/** Every write is counted here before it is answered. */
const SLOW_MS = 150;
const READS = 3;

/** The cache: writes, reads, deletes, and how fast. */
export const redisCheck = defineCheck({
  name: check,
  needs: ['KV_REST_API_URL', 'KV_REST_API_TOKEN'],
  timeoutMs: 10_000,
  run: async ({ KV_REST_API_URL, KV_REST_API_TOKEN }, { stopwatchMs }) => {
    const redis = new Redis({
      url: KV_REST_API_URL,
      token: KV_REST_API_TOKEN,
      retry: { retries: 0 },
      enableTelemetry: false,
      signal: () => AbortSignal.timeout(5_000),
    });
    const key = `doctor:${randomUUID()}`;
    try {
      await redis.set(key, 'written', { ex: 60 });
      let read: unknown;
      let latencyMs = Number.POSITIVE_INFINITY;
      // The best of several: the first one opens the connection.
      for (let tries = 0; tries < READS; tries++) {
        const startedAt = stopwatchMs();
        read = await redis.get(key);
        latencyMs = Math.min(latencyMs, Math.round(stopwatchMs() - startedAt));
      }
      await redis.del(key);
      if (read !== 'written') {
        return [fault(check, 'does not give back what was written', 'Use an Upstash Redis database of its own.')];
      }
      const found = `write, read, delete; a read takes ${latencyMs} ms`;
      return [
        latencyMs > SLOW_MS
          ? warning(check, found, 'Put the database into the region of the functions.')
          : ok(check, found),
      ];
    } catch (error) {
      const reason = reasonOf(error);
      const advice = /unauthorized|WRONGPASS|401/i.test(reason)
        ? 'Correct KV_REST_API_TOKEN: it must be the one that may write.'
        : 'Check KV_REST_API_URL, and that the database is awake.';
      return [fault(check, reason, advice)];
    }
  },
});
