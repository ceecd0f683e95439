import { Redis } from 'ioredis';
import { commandName } from './command-rules.ts';
import { errorText, RedisCommandError, type RedisReply, toReply } from './reply.ts';
import { ScriptCache, type ScriptCall } from './script-cache.ts';
import type { RedisCommand, RedisOutcome, RedisStore } from './store.ts';

function evalCommand(call: ScriptCall): RedisCommand {
  return ['EVAL', call.script, String(call.keys.length), ...call.keys, ...call.args];
}

/** A real Redis, over one connection. */
export class RealStore implements RedisStore {
  readonly #redis: Redis;
  readonly #scripts = new ScriptCache();

  /** `redisUrl` is `redis://…` or `rediss://…`; commands wait until the connection stands. */
  constructor(redisUrl: string) {
    this.#redis = new Redis(redisUrl, { maxRetriesPerRequest: 1 });
    // Without a listener a lost connection would end the process; each waiting command is told by its own error.
    this.#redis.on('error', () => undefined);
  }

  async run(command: RedisCommand): Promise<RedisReply> {
    if (commandName(command) === 'SCRIPT') return this.#scripts.administer(command.slice(1));
    const [name, ...args] = this.#prepare(command);
    try {
      // An upper-case name passes ioredis's reply transformers by (they turn HGETALL into an object).
      return toReply(await this.#redis.callBuffer(name.toUpperCase(), ...args));
    } catch (error) {
      throw new RedisCommandError(errorText(error));
    }
  }

  async transaction(commands: readonly RedisCommand[]): Promise<RedisOutcome[]> {
    const multi = this.#redis.multi();
    for (const command of commands) {
      const [name, ...args] = this.#prepare(command);
      multi.callBuffer(name.toUpperCase(), ...args);
    }
    const outcomes = await multi.exec().catch((error: unknown) => {
      throw new RedisCommandError(errorText(error));
    });
    return (outcomes ?? []).map(([error, result]) =>
      error === null ? { reply: toReply(result) } : { error: errorText(error) },
    );
  }

  async close(): Promise<void> {
    this.#redis.disconnect();
  }

  #prepare(command: RedisCommand): RedisCommand {
    switch (commandName(command)) {
      case 'EVAL':
      case 'EVAL_RO':
        return evalCommand(this.#scripts.evaluate(command.slice(1)));
      case 'EVALSHA':
      case 'EVALSHA_RO':
        return evalCommand(this.#scripts.evaluateBySha(command.slice(1)));
      default:
        return command;
    }
  }
}
