import { commandName } from './command-rules.ts';
import { RedisCommandError } from './reply.ts';
import type { RedisCommand } from './store.ts';

const FLAGS = new Set(['NX', 'XX', 'GET', 'KEEPTTL']);

/** ioredis-mock reads SET's options in upper case only, misreads flags before EX, and forgets KEEPTTL. */
function setArguments([key = '', value = '', ...options]: string[], ttlMs: number): string[] {
  const upper = options.map((option) => option.toUpperCase());
  const flags = upper.filter((option) => FLAGS.has(option) && option !== 'KEEPTTL');
  const expiry = upper.filter((option) => !FLAGS.has(option));
  if (upper.includes('KEEPTTL') && ttlMs > 0) expiry.push('PX', String(ttlMs));
  const [unit, amount] = expiry;
  const isValid = expiry.length === 0 || (expiry.length === 2 && /^(EX|PX|EXAT|PXAT)$/.test(unit ?? ''));
  if (!isValid) throw new RedisCommandError('ERR syntax error');
  if (expiry.length === 2 && !/^[1-9]\d*$/.test(amount ?? '')) {
    throw new RedisCommandError("ERR invalid expire time in 'set' command");
  }
  return [key, value, ...expiry, ...flags];
}

function zaddArguments([key = '', ...rest]: string[]): string[] {
  const firstScore = rest.findIndex((argument) => !/^(nx|xx|gt|lt|ch|incr)$/i.test(argument));
  const flags = rest.slice(0, firstScore).map((flag) => flag.toUpperCase());
  if (flags.some((flag) => flag === 'GT' || flag === 'LT' || flag === 'INCR')) {
    throw new RedisCommandError('ERR ZADD with GT, LT or INCR is not available without a real Redis');
  }
  return [key, ...flags, ...rest.slice(firstScore)];
}

/**
 * The command in the form that ioredis-mock understands as Redis would; `ttlMs` is what the key has left, if any.
 *
 * @throws RedisCommandError for options that ioredis-mock would silently ignore
 */
export function mockCommand(command: RedisCommand, ttlMs: number): RedisCommand {
  const [name, ...args] = command;
  switch (commandName(command)) {
    case 'SET':
      return [name, ...setArguments(args, ttlMs)];
    case 'ZADD':
      return [name, ...zaddArguments(args)];
    case 'EXPIRE':
    case 'PEXPIRE':
    case 'EXPIREAT':
    case 'PEXPIREAT':
      if (args.length <= 2) return command;
      throw new RedisCommandError(`ERR ${name} with options is not available without a real Redis`);
    case 'SCAN':
      return [name, ...args.map((argument, index) => (index % 2 === 1 ? argument.toUpperCase() : argument))];
    case 'HSCAN':
    case 'SSCAN':
    case 'ZSCAN':
      return [
        name,
        ...args.map((argument, index) => (index > 0 && index % 2 === 0 ? argument.toUpperCase() : argument)),
      ];
    default:
      return command;
  }
}
