import { createHash } from 'node:crypto';
import { RedisCommandError, type RedisReply } from './reply.ts';

const NO_SCRIPT = 'NOSCRIPT No matching script. Please use EVAL.';

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

/** Upstash's own flags (`allow-key-locking`) are unknown to Redis, which refuses the script for them. */
function withoutFlagLine(script: string): string {
  return script.startsWith('#!') ? script.slice(script.indexOf('\n') + 1 || script.length) : script;
}

/** A script to run, as Redis accepts it, with its keys and arguments split. */
export interface ScriptCall {
  script: string;
  keys: string[];
  args: string[];
}

function splitArguments(script: string, [count, ...rest]: readonly string[]): ScriptCall {
  const keyCount = Number(count);
  if (!Number.isInteger(keyCount)) throw new RedisCommandError('ERR value is not an integer or out of range');
  if (keyCount < 0) throw new RedisCommandError("ERR Number of keys can't be negative");
  if (keyCount > rest.length) {
    throw new RedisCommandError("ERR Number of keys can't be greater than number of args");
  }
  return { script: withoutFlagLine(script), keys: rest.slice(0, keyCount), args: rest.slice(keyCount) };
}

/** Remembers scripts under the SHA1 of the text the client sent, so that EVALSHA hits after the flag line is gone. */
export class ScriptCache {
  readonly #scriptBySha = new Map<string, string>();

  /** EVAL's arguments (script, number of keys, keys and arguments) as a call. */
  evaluate([script, ...rest]: readonly string[]): ScriptCall {
    if (script === undefined) throw new RedisCommandError("ERR wrong number of arguments for 'eval' command");
    const call = splitArguments(script, rest);
    this.#scriptBySha.set(sha1(script), script);
    return call;
  }

  /** EVALSHA's arguments as a call. @throws RedisCommandError NOSCRIPT */
  evaluateBySha([sha, ...rest]: readonly string[]): ScriptCall {
    const script = this.#scriptBySha.get((sha ?? '').toLowerCase());
    if (script === undefined) throw new RedisCommandError(NO_SCRIPT);
    return splitArguments(script, rest);
  }

  /** SCRIPT LOAD, EXISTS and FLUSH. */
  administer([subcommand, ...rest]: readonly string[]): RedisReply {
    switch (subcommand?.toUpperCase()) {
      case 'LOAD': {
        const script = rest[0];
        if (script === undefined)
          throw new RedisCommandError("ERR wrong number of arguments for 'script|load' command");
        this.#scriptBySha.set(sha1(script), script);
        return sha1(script);
      }
      case 'EXISTS':
        return rest.map((sha) => (this.#scriptBySha.has(sha.toLowerCase()) ? 1 : 0));
      case 'FLUSH':
        this.#scriptBySha.clear();
        return 'OK';
      default:
        throw new RedisCommandError(`ERR unknown subcommand '${subcommand ?? ''}'. Try SCRIPT HELP.`);
    }
  }
}
