import type { RedisReply } from './reply.ts';

/** One command, name first, every argument a string. */
export type RedisCommand = readonly [name: string, ...args: string[]];

/** What became of one command of a pipeline or a transaction. */
export type RedisOutcome = { reply: RedisReply } | { error: string };

/** Where the data is: ioredis-mock in this process, or a real Redis. */
export interface RedisStore {
  /** @throws RedisCommandError when Redis refuses */
  run(command: RedisCommand): Promise<RedisReply>;
  /** Runs all with nothing in between. @throws RedisCommandError when the transaction as a whole is refused */
  transaction(commands: readonly RedisCommand[]): Promise<RedisOutcome[]>;
  close(): Promise<void>;
}
