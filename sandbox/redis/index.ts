import { type HttpAnswer, type HttpRequest, type RunningHttpServer, serveJson } from '../qstash/http-server.ts';
import { refuseConnectionCommands } from './command-rules.ts';
import { MockStore } from './mock-store.ts';
import { RealStore } from './real-store.ts';
import { encodeReply, errorText, RedisCommandError, type WireOutcome } from './reply.ts';
import { carriesToken, parseRestRequest } from './rest-request.ts';
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

function toWire(outcome: RedisOutcome, base64: boolean): WireOutcome {
  return 'error' in outcome ? outcome : { result: encodeReply(outcome.reply, base64) };
}

async function outcomeOf(store: RedisStore, command: RedisCommand): Promise<RedisOutcome> {
  try {
    refuseConnectionCommands(command);
    return { reply: await store.run(command) };
  } catch (error) {
    return { error: errorText(error) };
  }
}

async function answer(store: RedisStore, request: HttpRequest): Promise<HttpAnswer> {
  const base64 = request.headers['upstash-encoding'] === 'base64';
  const asked = parseRestRequest(request);
  if (asked.kind === 'command') {
    const outcome = await outcomeOf(store, asked.command);
    return { status: 'error' in outcome ? 400 : 200, json: toWire(outcome, base64) };
  }
  if (asked.kind === 'pipeline') {
    // Started in order; both stores keep that order.
    const outcomes = await Promise.all(asked.commands.map((command) => outcomeOf(store, command)));
    return { status: 200, json: outcomes.map((outcome) => toWire(outcome, base64)) };
  }
  try {
    for (const command of asked.commands) refuseConnectionCommands(command);
    const outcomes = await store.transaction(asked.commands);
    return { status: 200, json: outcomes.map((outcome) => toWire(outcome, base64)) };
  } catch (error) {
    if (!(error instanceof RedisCommandError)) throw error;
    return { status: 400, json: { error: error.message } };
  }
}

/**
 * Starts Upstash's Redis REST protocol on a port of its own, in front of ioredis-mock or of the Redis at `redisUrl`.
 * Two servers without `redisUrl` share nothing.
 *
 * @throws when the port is taken
 */
export async function startRedisRest(options: RedisRestOptions): Promise<RunningHttpServer> {
  // An empty REDIS_URL in the environment means none.
  const store = options.redisUrl ? new RealStore(options.redisUrl) : new MockStore();
  const http = await serveJson(
    { port: options.port ?? 0, host: options.host ?? '127.0.0.1', maxBodyBytes: MAX_BODY_BYTES },
    async (request) => {
      if (carriesToken(request, options.token)) return answer(store, request);
      return { status: 401, json: { error: 'WRONGPASS invalid or missing auth token' } };
    },
  ).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  return {
    url: http.url,
    port: http.port,
    close: async () => {
      await http.close();
      await store.close();
    },
  };
}
