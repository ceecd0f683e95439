import type { Redis } from '@upstash/redis';
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

/** No retries, because a retried INCR counts twice (and `retry: false` would still try a second time). */
const client = memoize(
  () => [env().KV_REST_API_URL, env().KV_REST_API_TOKEN],
  async () => {
    const loaded = await import('@upstash/redis');
    return new loaded.Redis({
      url: env().KV_REST_API_URL,
      token: env().KV_REST_API_TOKEN,
      retry: { retries: 0 },
      enableTelemetry: false,
      signal: withinASecond,
    });
  },
);

type Step = readonly [command: PropertyKey, given: unknown[]];

/** Commands that begin a chain; its `exec` sends it. */
const CHAINS: ReadonlySet<PropertyKey> = new Set(['pipeline', 'multi']);

const take = (on: object, [command, given]: Step): object => Reflect.apply(Reflect.get(on, command), on, given);

const send = async (steps: readonly Step[]): Promise<unknown> =>
  steps.reduce<object>((on, step) => take(on, step), await client.get());

/** An object with every command. It is no promise, and what looks at it by a symbol finds nothing. */
const withCommands = (perform: (step: Step) => unknown): object =>
  new Proxy(
    {},
    {
      get: (_, command) =>
        command === 'then' || typeof command === 'symbol'
          ? undefined
          : (...given: unknown[]) => perform([command, given]),
    },
  );

function chain(begun: Step): object {
  const steps = [begun];
  const commands = withCommands((step) => {
    steps.push(step);
    return step[0] === 'exec' ? send(steps) : commands;
  });
  return commands;
}

const lazy = withCommands((step) => (CHAINS.has(step[0]) ? chain(step) : send([step]))) as Redis;

/**
 * The Upstash Redis client over REST, loaded by its first command: most requests send none. Each call ends within a second.
 */
export const redis = (): Redis => lazy;
