import { Redis } from '@upstash/redis';
import { env } from './env.ts';

export type { Redis };

let client: Redis | undefined;

/**
 * The Upstash Redis client over REST, made on first use. `retry: false`, because a retried INCR counts twice
 * (wire facts, "Upstash Redis REST"); each call ends within a second.
 */
export function redis(): Redis {
  client ??= new Redis({
    url: env().KV_REST_API_URL,
    token: env().KV_REST_API_TOKEN,
    retry: false,
    enableTelemetry: false,
    signal: () => AbortSignal.timeout(1000),
  });
  return client;
}
