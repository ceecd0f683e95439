import { Redis } from '@upstash/redis';
import { env } from './env.ts';
import { memoize } from './memoize.ts';

export type { Redis };

/**
 * The Upstash Redis client over REST, made on first use. No retries, because a retried INCR counts twice (and `retry:
 * false` would still try a second time); each call ends within a second.
 */
export const redis = (): Redis => client.get();

const client = memoize(
  () => [env().KV_REST_API_URL, env().KV_REST_API_TOKEN],
  () =>
    new Redis({
      url: env().KV_REST_API_URL,
      token: env().KV_REST_API_TOKEN,
      retry: { retries: 0 },
      enableTelemetry: false,
      signal: () => AbortSignal.timeout(1000),
    }),
);
