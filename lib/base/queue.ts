import { z } from 'zod';
import { type Env, env } from './env.ts';
import { httpAnswer } from './http-answer.ts';
import { memoize } from './memoize.ts';
import { afterRunning } from './patience.ts';

/** One callback to ourselves, held by QStash. */
export interface QueueMessage {
  /** Path of a queue route, for example `/api/queue/deliver`. */
  path: `/api/queue/${string}`;
  body: unknown;
  delaySeconds?: number;
  /** QStash drops a second message with the same id for about ten minutes: make it name the step, not the work. */
  deduplicationId?: string;
  /** Messages of one key are called back at most so many at once; the others wait at QStash. */
  flowControl?: { key: string; parallelism: number };
}

/** A batch of which QStash took some messages, or none: `refused` are those that will not be called back. */
export class MessagesRefused extends Error {
  readonly refused: readonly QueueMessage[];

  constructor(refused: readonly QueueMessage[], published: number, reason: string) {
    super(`QStash refused ${refused.length} of ${published} messages: ${reason}`);
    this.name = 'MessagesRefused';
    this.refused = refused;
  }
}

/** Which of `messages` will not be called back, going by what publishing them threw; any other error may concern them all. */
export const notPublished = (messages: readonly QueueMessage[], error: unknown): readonly QueueMessage[] =>
  error instanceof MessagesRefused ? error.refused : messages;

export interface Queue {
  /**
   * Publishes all messages in one request. Throws when QStash does not take them; `MessagesRefused` when it took the request
   * and refused some of the messages: the others are published.
   */
  publish(messages: readonly QueueMessage[]): Promise<void>;
  /** True when `signature` is QStash's own for this body and this very URL. Never throws. */
  verify(signature: string, body: string, path: string): Promise<boolean>;
  /** Asks QStash something small with our token. Throws when it does not answer or does not know us. */
  ping(): Promise<void>;
}

/** Our routes end within their slice budget; QStash may give up after this. */
const CALLBACK_TIMEOUT_SECONDS = 60;
/** Transport retries of QStash itself; our own schedule lives in Postgres. */
const CALLBACK_RETRIES = 3;

/** The SDK itself waits for minutes, and a slice that waits with it is ended by its host. */
const ANSWER_WITHIN_MS = 5_000;

/** Rejects when QStash is silent for so long. What it takes later all the same is a call more, which does nothing twice. */
function within<T>(milliseconds: number, asked: Promise<T>): Promise<T> {
  const silence = Promise.withResolvers<never>();
  const cancel = afterRunning(milliseconds, () =>
    silence.reject(new Error(`QStash did not answer within ${milliseconds / 1000} s`)),
  );
  return Promise.race([asked, silence.promise]).finally(cancel);
}

/** What QStash says about one message of a batch that it took; the SDK's type leaves out the error. */
const accepted = z.lazy(() => z.object({ messageId: z.string().min(1), error: z.undefined().optional() }));
const withError = z.lazy(() => z.object({ error: z.string() }));
const MAX_REASON_CHARACTERS = 200;

const reasonOf = (answer: unknown, otherwise: string): string =>
  (withError.safeParse(answer).data?.error ?? otherwise).slice(0, MAX_REASON_CHARACTERS);

/** Throws `MessagesRefused` unless each message has an id: one without an answer of its own counts as refused. */
function requireAllAccepted(messages: readonly QueueMessage[], answers: readonly unknown[]): void {
  const refused = messages.flatMap((message, n) => (accepted.safeParse(answers[n]).success ? [] : [{ message, n }]));
  const [first] = refused;
  if (first === undefined) return;
  throw new MessagesRefused(
    refused.map(({ message }) => message),
    messages.length,
    reasonOf(answers[first.n], 'no message id came back'),
  );
}

/**
 * Lists our schedules by node:http: of all that a token may ask, it changes nothing and is short. The SDK and fetch, which it
 * calls, would have to be loaded first in each process that is asked for its health. A connection of its own for each question,
 * so that one that died while the process slept is not taken for an outage.
 */
async function listSchedules({ QSTASH_URL, QSTASH_TOKEN }: Env, signal: AbortSignal): Promise<void> {
  const url = new URL(`${QSTASH_URL.replace(/\/$/, '')}/v2/schedules`);
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const headers = { authorization: `Bearer ${QSTASH_TOKEN}`, accept: 'application/json' };
  const { status, text } = await httpAnswer(request, url, { agent: false, headers, signal });
  let schedules: unknown;
  try {
    schedules = JSON.parse(text);
  } catch {
    throw new Error(`QStash answered ${status} with something that is not JSON`);
  }
  if (status !== 200) throw new Error(`QStash answered ${status}: ${reasonOf(schedules, 'no reason')}`);
  if (!Array.isArray(schedules)) throw new Error('QStash answered with something that is no list of schedules');
}

/** Loads the SDK: most requests neither are called by QStash nor ask it for anything. */
async function openSdk(settings: Env) {
  const { Client, Receiver } = await import('@upstash/qstash');
  // devMode must be off by our own word: QSTASH_DEV=1 would make the receiver accept a public key
  // (docs/wire-facts.md#qstash).
  const client = new Client({
    baseUrl: settings.QSTASH_URL,
    token: settings.QSTASH_TOKEN,
    devMode: false,
    retry: false,
    enableTelemetry: false,
  });
  const receiver = new Receiver({
    currentSigningKey: settings.QSTASH_CURRENT_SIGNING_KEY,
    nextSigningKey: settings.QSTASH_NEXT_SIGNING_KEY,
    devMode: false,
  });
  return { client, receiver };
}

export function createQueue(answerWithinMs = ANSWER_WITHIN_MS): Queue {
  const settings = env();
  let opened: ReturnType<typeof openSdk> | undefined;
  const sdk = () => {
    opened ??= openSdk(settings);
    return opened;
  };
  return {
    async publish(messages) {
      if (messages.length === 0) return;
      const { client } = await sdk();
      const taken = client.batchJSON(
        messages.map((message) => ({
          url: new URL(message.path, settings.BASE_URL).href,
          body: message.body,
          retries: CALLBACK_RETRIES,
          timeout: CALLBACK_TIMEOUT_SECONDS,
          ...(message.delaySeconds === undefined ? {} : { delay: message.delaySeconds }),
          ...(message.deduplicationId === undefined ? {} : { deduplicationId: message.deduplicationId }),
          ...(message.flowControl === undefined ? {} : { flowControl: message.flowControl }),
        })),
      );
      requireAllAccepted(messages, await within(answerWithinMs, taken));
    },
    async verify(signature, body, path) {
      try {
        const { receiver } = await sdk();
        return await receiver.verify({
          signature,
          body,
          url: new URL(path, settings.BASE_URL).href,
          clockTolerance: 5,
        });
      } catch {
        return false;
      }
    },
    async ping() {
      const asking = new AbortController();
      try {
        await within(answerWithinMs, listSchedules(settings, asking.signal));
      } finally {
        asking.abort();
      }
    },
  };
}

const shared = memoize(() => {
  const { QSTASH_URL, QSTASH_TOKEN, QSTASH_CURRENT_SIGNING_KEY, QSTASH_NEXT_SIGNING_KEY, BASE_URL } = env();
  return [QSTASH_URL, QSTASH_TOKEN, QSTASH_CURRENT_SIGNING_KEY, QSTASH_NEXT_SIGNING_KEY, BASE_URL];
}, createQueue);

export const queue = (): Queue => shared.get();
