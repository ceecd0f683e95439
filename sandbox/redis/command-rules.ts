import { RedisCommandError } from './reply.ts';
import type { RedisCommand } from './store.ts';

/** Commands that need a connection of their own (or stop the server): they have no place in a REST request. */
const REFUSED = new Set(
  `AUTH BLMOVE BLMPOP BLPOP BRPOP BRPOPLPUSH BZMPOP BZPOPMAX BZPOPMIN CLIENT DISCARD EXEC HELLO MONITOR MULTI
   PSUBSCRIBE PUNSUBSCRIBE QUIT RESET SELECT SHUTDOWN SSUBSCRIBE SUBSCRIBE SUNSUBSCRIBE SWAPDB UNSUBSCRIBE UNWATCH
   WAIT WATCH`.split(/\s+/),
);

const TYPE_BY_COMMAND = new Map<string, string>();
for (const [type, names] of [
  ['string', 'APPEND DECR DECRBY GET GETDEL GETEX GETRANGE GETSET INCR INCRBY INCRBYFLOAT SETRANGE STRLEN'],
  ['hash', 'HDEL HEXISTS HGET HGETALL HINCRBY HINCRBYFLOAT HKEYS HLEN HMGET HMSET HSCAN HSET HSETNX HSTRLEN HVALS'],
  ['list', 'LINDEX LINSERT LLEN LPOP LPOS LPUSH LPUSHX LRANGE LREM LSET LTRIM RPOP RPUSH RPUSHX'],
  ['set', 'SADD SCARD SISMEMBER SMEMBERS SMISMEMBER SPOP SRANDMEMBER SREM SSCAN'],
  [
    'zset',
    'ZADD ZCARD ZCOUNT ZINCRBY ZPOPMAX ZPOPMIN ZRANGE ZRANGEBYSCORE ZRANK ZREM ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREVRANGE ZREVRANGEBYSCORE ZREVRANK ZSCORE',
  ],
] as const) {
  for (const name of names.split(' ')) TYPE_BY_COMMAND.set(name, type);
}

const MIN_ARGUMENTS: Readonly<Record<string, number>> = {
  DEL: 1,
  EXISTS: 1,
  EXPIRE: 2,
  HDEL: 2,
  HGET: 2,
  HMGET: 2,
  HSET: 3,
  INCRBY: 2,
  LPUSH: 2,
  MGET: 1,
  MSET: 2,
  PEXPIRE: 2,
  PTTL: 1,
  RPUSH: 2,
  SADD: 2,
  SET: 2,
  SETEX: 3,
  SETNX: 2,
  TTL: 1,
  ZADD: 3,
  ZRANGE: 3,
  ZSCORE: 2,
};

/** The command's name as Redis's tables have it. */
export function commandName(command: RedisCommand): string {
  return command[0].toUpperCase();
}

/** @throws RedisCommandError for a command that cannot be served over REST */
export function refuseConnectionCommands(command: RedisCommand): void {
  const name = commandName(command);
  if (REFUSED.has(name)) throw new RedisCommandError(`ERR Command is not available: '${name}'`);
}

/**
 * The type a command's first argument must have, if it exists. ioredis-mock does not check it: it answers NaN, or
 * throws a JavaScript error, where Redis answers WRONGTYPE.
 */
export function requiredType(command: RedisCommand): string | undefined {
  return TYPE_BY_COMMAND.get(commandName(command));
}

/** @throws RedisCommandError where ioredis-mock would store `undefined` for an argument that is missing */
export function checkArgumentCount(command: RedisCommand): void {
  const name = commandName(command);
  const minimum = MIN_ARGUMENTS[name] ?? (TYPE_BY_COMMAND.has(name) ? 1 : 0);
  if (command.length - 1 < minimum) {
    throw new RedisCommandError(`ERR wrong number of arguments for '${name.toLowerCase()}' command`);
  }
}

/** True for a decimal integer within Redis's signed 64 bits. */
export function isRedisInteger(text: string): boolean {
  return /^(0|-?[1-9]\d*)$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}
