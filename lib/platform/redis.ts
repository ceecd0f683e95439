import { Redis } from '@upstash/redis';
import { env } from './env.ts';

export type { Redis };

let client: Redis | undefined;

/**
 * The Upstash Redis client over REST, made on first use. No retries, because a retried INCR counts twice (and `retry:
 * false` would still try a second time); each call ends within a second.
 */
export function redis(): Redis {
  client ??= new Redis({
    url: env().KV_REST_API_URL,
    token: env().KV_REST_API_TOKEN,
    retry: { retries: 0 },
    enableTelemetry: false,
    signal: () => AbortSignal.timeout(1000),
  });
  return client;
}
