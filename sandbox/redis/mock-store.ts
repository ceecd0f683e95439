import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import RedisMock from 'ioredis-mock';
import { checkArgumentCount, commandName, isRedisInteger, requiredType } from './command-rules.ts';
import { mockCommand } from './mock-arguments.ts';
import { readScriptAnswer, wrapScript } from './mock-lua.ts';
import { errorText, RedisCommandError, type RedisReply, toReply } from './reply.ts';
import { ScriptCache, type ScriptCall } from './script-cache.ts';
import type { RedisCommand, RedisOutcome, RedisStore } from './store.ts';

const NOT_AN_INTEGER = 'ERR value is not an integer or out of range';

// The mock's object has methods that are no Redis commands (`duplicate`, `emit`); ioredis knows which ones are.
const knownCommands = new Set(new Redis({ lazyConnect: true }).getBuiltinCommands());

/** Redis's data in this process, one data set per store. */
export class MockStore implements RedisStore {
  // ioredis-mock shares data between clients of the same host and port.
  readonly #mock = new RedisMock({ host: `store-${randomUUID()}` });
  readonly #scripts = new ScriptCache();
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
        outcomes.push(
          await this.#execute(command).then(
            (reply) => ({ reply }),
            (error: unknown) => ({ error: errorText(error) }),
          ),
        );
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
        return toReply(await this.#call(mockCommand(command, await this.#mock.pttl(command[1] ?? ''))));
    }
  }

  async #runScript(call: ScriptCall): Promise<RedisReply> {
    const script = wrapScript(call.script);
    return readScriptAnswer(await this.#call(['eval', script, String(call.keys.length), ...call.keys, ...call.args]));
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

  async #call([name, ...args]: RedisCommand): Promise<unknown> {
    const method: unknown = Reflect.get(this.#mock, name.toLowerCase());
    if (typeof method !== 'function') throw new RedisCommandError(`ERR unknown command '${name}'`);
    return Reflect.apply(method, this.#mock, args);
  }
}
