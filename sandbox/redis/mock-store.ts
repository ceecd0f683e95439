import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import RedisMock from 'ioredis-mock';
import { checkArgumentCount, commandName, isRedisInteger, requiredType } from './command-rules.ts';
import { LuaScripts } from './lua.ts';
import { mockCommand } from './mock-arguments.ts';
import { errorText, RedisCommandError, type RedisReply, toReply } from './reply.ts';
import { ScriptCache, type ScriptCall } from './script-cache.ts';
import type { RedisCommand, RedisOutcome, RedisStore } from './store.ts';

const NOT_AN_INTEGER = 'ERR value is not an integer or out of range';

// The mock's object has methods that are no Redis commands (`duplicate`, `emit`); ioredis knows which ones are.
const knownCommands = new Set(new Redis({ lazyConnect: true }).getBuiltinCommands());

/** Commands that a script cannot call. */
const SCRIPTING = /^(EVAL|EVALSHA|FCALL)(_RO)?$|^(SCRIPT|FUNCTION)$/;

function outcomeOf(execution: Promise<RedisReply>): Promise<RedisOutcome> {
  return execution.then(
    (reply) => ({ reply }),
    (error: unknown) => ({ error: errorText(error) }),
  );
}

/** Redis's data in this process, one data set per store. */
export class MockStore implements RedisStore {
  // ioredis-mock shares data between clients of the same host and port.
  readonly #mock = new RedisMock({ host: `store-${randomUUID()}` });
  readonly #scripts = new ScriptCache();
  readonly #lua = new LuaScripts();
  #lastWork: Promise<unknown> = Promise.resolve();

  run(command: RedisCommand): Promise<RedisReply> {
    return this.#alone(() => this.#execute(command));
  }

  transaction(commands: readonly RedisCommand[]): Promise<RedisOutcome[]> {
    return this.#alone(async () => {
      try {
        for (const command of commands) this.#checkQueueable(command);
      } catch {
        throw new RedisCommandError('EXECABORT Transaction discarded because of previous errors.');
      }
      const outcomes: RedisOutcome[] = [];
      for (const command of commands) {
        outcomes.push(await outcomeOf(this.#execute(command)));
      }
      return outcomes;
    });
  }

  async close(): Promise<void> {
    await this.#lastWork;
    await this.#mock.flushall();
    this.#mock.disconnect();
  }

  /** One at a time, as Redis does: a command here takes several steps, and a transaction several commands. */
  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#lastWork.then(work);
    this.#lastWork = result.catch(() => undefined);
    return result;
  }

  #checkQueueable(command: RedisCommand): void {
    const name = commandName(command);
    if (!knownCommands.has(name.toLowerCase())) {
      const args = command.slice(1).map((argument) => `'${argument}'`);
      throw new RedisCommandError(`ERR unknown command '${command[0]}', with args beginning with: ${args.join(' ')}`);
    }
    checkArgumentCount(command);
  }

  async #execute(command: RedisCommand): Promise<RedisReply> {
    this.#checkQueueable(command);
    const args = command.slice(1);
    switch (commandName(command)) {
      case 'EVAL':
      case 'EVAL_RO':
        return this.#runScript(this.#scripts.evaluate(args));
      case 'EVALSHA':
      case 'EVALSHA_RO':
        return this.#runScript(this.#scripts.evaluateBySha(args));
      case 'SCRIPT':
        return this.#scripts.administer(args);
      default:
        await this.#checkOperand(command);
        return toReply(await this.#call(mockCommand(command, await this.#ttlBefore(command))));
    }
  }

  #runScript(call: ScriptCall): Promise<RedisReply> {
    return this.#lua.run(call, ([name = '', ...args]) => this.#scriptCommand([name, ...args]));
  }

  async #scriptCommand(command: RedisCommand): Promise<RedisOutcome> {
    const name = commandName(command);
    if (!knownCommands.has(name.toLowerCase())) return { error: 'ERR Unknown Redis command called from script' };
    if (SCRIPTING.test(name)) return { error: 'ERR This Redis command is not allowed from script' };
    return outcomeOf(this.#execute(command));
  }

  async #checkOperand(command: RedisCommand): Promise<void> {
    const [, key = '', amount] = command;
    const type = requiredType(command);
    if (type === undefined) return;
    const held = await this.#mock.type(key);
    if (held !== 'none' && held !== type) {
      throw new RedisCommandError('WRONGTYPE Operation against a key holding the wrong kind of value');
    }
    if (!/^(INCR|DECR)(BY)?$/.test(commandName(command))) return;
    const current = (await this.#mock.get(key)) ?? '0';
    if (!isRedisInteger(current) || !isRedisInteger(amount ?? '1')) throw new RedisCommandError(NOT_AN_INTEGER);
  }

  /** What is left to a key that SET is going to write, in milliseconds; the other commands do not need it. */
  async #ttlBefore(command: RedisCommand): Promise<number> {
    return commandName(command) === 'SET' ? this.#mock.pttl(command[1] ?? '') : -1;
  }

  async #call([name, ...args]: RedisCommand): Promise<unknown> {
    const method: unknown = Reflect.get(this.#mock, name.toLowerCase());
    if (typeof method !== 'function') throw new RedisCommandError(`ERR unknown command '${name}'`);
    return Reflect.apply(method, this.#mock, args);
  }
}
