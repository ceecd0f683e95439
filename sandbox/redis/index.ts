import { setTimeout } from 'node:timers/promises';
import { answerFaultRequest } from '../fault-requests.ts';
import { type HttpAnswer, HttpError, type HttpRequest, type RunningHttpServer, serveJson } from '../http-server.ts';
import { refuseConnectionCommands } from './command-rules.ts';
import { concernsOneOf, createRedisFaults, type RedisFaults } from './faults.ts';
import { MockStore } from './mock-store.ts';
import { RealStore } from './real-store.ts';
import { encodeReply, errorText, RedisCommandError, type WireOutcome } from './reply.ts';
import { carriesToken, parseRestRequest, type RestRequest } from './rest-request.ts';
import type { RedisCommand, RedisOutcome, RedisStore } from './store.ts';

const MAX_BODY_BYTES = 10 * 1024 * 1024;

export interface RedisRestOptions {
  /** 0 or absent takes a free port. */
  port?: number | undefined;
  host?: string | undefined;
  /** What clients send as `Authorization: Bearer`. */
  token: string;
  /** A real Redis to stand in front of; without it the data live in this process. */
  redisUrl?: string | undefined;
}

export interface RunningRedisRest extends RunningHttpServer {
  faults: RedisFaults;
}

/** What commands run on, and what may keep them from it. */
interface Engine {
  store: RedisStore;
  faults: RedisFaults;
  /** Set off when the server closes. */
  closing: AbortSignal;
}

function toWire(outcome: RedisOutcome, base64: boolean): WireOutcome {
  return 'error' in outcome ? outcome : { result: encodeReply(outcome.reply, base64) };
}

/** @throws RedisCommandError */
function refuse({ faults }: Engine, command: RedisCommand): void {
  refuseConnectionCommands(command);
  const refusal = faults.strike('refuse', concernsOneOf([command]));
  if (refusal !== undefined) throw new RedisCommandError(refusal.error);
}

async function outcomeOf(engine: Engine, command: RedisCommand): Promise<RedisOutcome> {
  try {
    refuse(engine, command);
    return { reply: await engine.store.run(command) };
  } catch (error) {
    return { error: errorText(error) };
  }
}

async function perform(engine: Engine, asked: RestRequest, base64: boolean): Promise<HttpAnswer> {
  if (asked.kind === 'command') {
    const outcome = await outcomeOf(engine, asked.command);
    return { status: 'error' in outcome ? 400 : 200, json: toWire(outcome, base64) };
  }
  if (asked.kind === 'pipeline') {
    // Started in order; both stores keep that order.
    const outcomes = await Promise.all(asked.commands.map((command) => outcomeOf(engine, command)));
    return { status: 200, json: outcomes.map((outcome) => toWire(outcome, base64)) };
  }
  try {
    for (const command of asked.commands) refuse(engine, command);
    const outcomes = await engine.store.transaction(asked.commands);
    return { status: 200, json: outcomes.map((outcome) => toWire(outcome, base64)) };
  } catch (error) {
    if (!(error instanceof RedisCommandError)) throw error;
    return { status: 400, json: { error: error.message } };
  }
}

async function answer(engine: Engine, request: HttpRequest): Promise<HttpAnswer> {
  const { faults, closing } = engine;
  const down = faults.strike('down');
  if (down?.how === 'unavailable') throw new HttpError(503, 'ERR service unavailable');
  if (down?.how === 'reset') return { status: 503, hangsUp: true };
  const asked = parseRestRequest(request);
  const done = await perform(engine, asked, request.headers['upstash-encoding'] === 'base64');
  const slow = faults.strike('slow', concernsOneOf(asked.kind === 'command' ? [asked.command] : asked.commands));
  // Cut short, it has nobody left to answer.
  if (slow !== undefined) await setTimeout(slow.milliseconds, undefined, { signal: closing }).catch(() => undefined);
  return down?.how === 'answer_lost' ? { ...done, hangsUp: true } : done;
}

/**
 * Starts Upstash's Redis REST protocol on a port of its own, in front of ioredis-mock or of the Redis at `redisUrl`.
 * Two servers without `redisUrl` share nothing. `/sandbox/faults` needs no token, and no fault takes it down.
 *
 * @throws when the port is taken
 */
export async function startRedisRest(options: RedisRestOptions): Promise<RunningRedisRest> {
  // An empty REDIS_URL in the environment means none.
  const store = options.redisUrl ? new RealStore(options.redisUrl) : new MockStore();
  const faults = createRedisFaults();
  const closing = new AbortController();
  const http = await serveJson(
    { port: options.port ?? 0, host: options.host ?? '127.0.0.1', maxBodyBytes: MAX_BODY_BYTES },
    async (request) => {
      const onFaults = answerFaultRequest(faults, request);
      if (onFaults !== undefined) return onFaults;
      if (carriesToken(request, options.token)) return answer({ store, faults, closing: closing.signal }, request);
      return { status: 401, json: { error: 'WRONGPASS invalid or missing auth token' } };
    },
  ).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  return {
    url: http.url,
    port: http.port,
    faults,
    close: async () => {
      closing.abort();
      await http.close();
      await store.close();
    },
  };
}
