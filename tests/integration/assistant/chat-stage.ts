import { createParser } from 'eventsource-parser';
import { afterAll, beforeAll } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { startRedisRest } from '#sandbox/redis/index.ts';
import { freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { gather } from '#tests/support/gather.ts';
import { type ModelServer, startModelServer } from '#tests/support/model-server.ts';
import { seedSale } from '#tests/support/sale.ts';
import { POST } from '../../../app/api/ai-agent/chat/route.ts';

export const MODEL_KEY = 'sk-scripted-0123456789abcdef';
export const MODEL = 'scripted-1';
export const BASE_URL = 'https://tranche.test';

export interface Asked {
  conversation_id?: string;
  wallet_address?: string;
  project_id?: string;
  /** The caller's address; a new one unless given. */
  from?: string;
  signal?: AbortSignal;
}

export interface Answered {
  status: number;
  headers: Headers;
  text: string;
  // The tests' assertions say what it must be.
  body: {
    conversation_id: string;
    reply: string;
    sources: { title: string; url: string }[];
    suggestions: { title: string; prompt: string }[];
    model: string;
    code: string;
    detail: string;
  };
}

export interface Heard {
  event: string;
  data: Record<string, unknown>;
}

let callers = 0;
const newCaller = (): string => `10.${(callers >> 16) & 255}.${(callers >> 8) & 255}.${callers++ & 255}`;

const NOWHERE = { params: Promise.resolve({}) };

function requestOf(message: string, { from = newCaller(), signal, ...fields }: Asked, accept: string): Request {
  return new Request(`${BASE_URL}/api/ai-agent/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, 'x-forwarded-for': from },
    body: JSON.stringify({ message, ...fields }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Asks for the answer as JSON, through the route's own handler. */
export async function ask(message: string, asked: Asked = {}): Promise<Answered> {
  const response = await POST(requestOf(message, asked, 'application/json'), NOWHERE);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

/** Asks for the answer as server-sent events. */
export const open = (message: string, asked: Asked = {}): Promise<Response> =>
  POST(requestOf(message, asked, 'text/event-stream'), NOWHERE);

/** The events of a stream as they arrive. */
export async function* heard(response: Response): AsyncGenerator<Heard> {
  const waiting: Heard[] = [];
  const parser = createParser({
    onEvent: ({ event = '', data }) => waiting.push({ event, data: JSON.parse(data) }),
  });
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    yield* waiting.splice(0);
  }
}

export const listen = async (message: string, asked: Asked = {}): Promise<Heard[]> =>
  gather(heard(await open(message, asked)));

export interface ChatStage {
  model: ModelServer;
  redisUrl: string;
  projectId: string;
  /** Puts settings in force beside those of the stage. */
  set(settings?: Record<string, string | undefined>): void;
  closeRedis(): Promise<void>;
}

/** A database with a live sale, a Redis and a scripted model server for the tests of one file. Read it inside tests only. */
export function withChat(overrides: Record<string, string | undefined> = {}): ChatStage {
  const stage = {} as ChatStage;
  const closers: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const redis = await startRedisRest({ token: testEnv().KV_REST_API_TOKEN ?? '' });
    let closing: Promise<void> | undefined;
    stage.closeRedis = async () => {
      closing ??= Promise.resolve(redis.close());
      await closing;
    };
    stage.redisUrl = redis.url;
    stage.model = await startModelServer(MODEL_KEY);
    const database = await freshDatabase({ maxConnections: 1 });
    closers.push(
      () => database.close(),
      () => stage.model.close(),
      stage.closeRedis,
    );
    ({ projectId: stage.projectId } = await seedSale(database.db));
    stage.set = (settings = {}) =>
      applyEnv(
        testEnv({
          BASE_URL,
          POSTGRES_URL: database.url,
          KV_REST_API_URL: redis.url,
          OPENAI_API_KEY: MODEL_KEY,
          OPENAI_BASE_URL: stage.model.url,
          OPENAI_MODEL: MODEL,
          ...overrides,
          ...settings,
        }),
      );
    stage.set();
  });
  afterAll(async () => {
    for (const close of closers) await close();
  });
  return stage;
}
