import { Redis } from '@upstash/redis';
import { env } from './env.ts';
import { memoize } from './memoize.ts';

export type { Redis };

const LONGEST_CALL_MS = 1_000;

/**
 * Ends a call that has no answer after a second. A process that was busy for so long reads first what came meanwhile: by itself
 * the timer would go before it.
 */
function withinASecond(): AbortSignal {
  const controller = new AbortController();
  const end = () => controller.abort(new DOMException('No answer within the timeout', 'TimeoutError'));
  setTimeout(() => setImmediate(end), LONGEST_CALL_MS).unref();
  return controller.signal;
}

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
      signal: withinASecond,
    }),
);
