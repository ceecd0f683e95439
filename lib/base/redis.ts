import type { Redis } from '@upstash/redis';
import { env } from './env.ts';
import { memoize } from './memoize.ts';
import { RedisRequester } from './redis-requester.ts';

export type { Redis };

const settings = () => [env().KV_REST_API_URL, env().KV_REST_API_TOKEN];

const requester = memoize(
  settings,
  () => new RedisRequester({ url: env().KV_REST_API_URL, token: env().KV_REST_API_TOKEN }),
);

const client = memoize(settings, async () => {
  const { Redis: Sdk } = await import('@upstash/redis');
  class Batched extends Sdk {
    /** Sends in one request what one turn asks for. */
    readonly batched = this.autoPipeline();
  }
  return new Batched(requester.get()).batched;
});

/** Without the SDK, which the system status would load for this alone. */
async function ping(): Promise<'PONG'> {
  const { result } = await requester.get().request({ body: ['ping'] });
  if (result !== 'PONG') throw new Error('Redis answered a ping with something else');
  return result;
}

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

const perform = (step: Step): unknown => {
  if (step[0] === 'ping') return ping();
  return CHAINS.has(step[0]) ? chain(step) : send([step]);
};

const lazy = withCommands(perform) as Redis;

/**
 * The Upstash Redis client over REST, loaded by its first command: most requests send none. Each call ends within a second.
 */
export const redis = (): Redis => lazy;
