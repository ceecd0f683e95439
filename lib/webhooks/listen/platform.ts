import { setTimeout as wait } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { idPattern } from '#lib/base/ids.ts';

/** The deployment that is asked, and as whom. */
export interface Platform {
  baseUrl: string;
  apiKey: string;
}

/** Asking again changes nothing: the message says what to do. */
export class Refusal extends Error {}

/** It passes by itself, at the earliest after `retryAfterSeconds`. */
class Interruption extends Error {
  readonly retryAfterSeconds: number;
  constructor(message: string, retryAfterSeconds = 0) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Longer than the pause between two comments of a silent stream: then the connection is dead. */
const SILENCE_MS = 30_000;
const MAX_PROBLEM_BYTES = 64 * 1024;
const PASSES = [408, 425, 429];

const event = z.object({
  event_type: z.string().regex(/^[a-z_]+\.[a-z_]+$/),
  event_id: z.string().regex(idPattern('evt')),
});

/** An event, with the very bytes that a webhook receives. */
export interface Received {
  id: string;
  type: string;
  body: string;
}

/** Throws Refusal: it would come again. */
function received(body: string): Received {
  try {
    const { event_id: id, event_type: type } = event.parse(JSON.parse(body));
    return { id, type, body };
  } catch (cause) {
    throw new Refusal('What the platform sent is no event', { cause });
  }
}

/** Of what a server says of itself, nothing may act on a terminal. */
const printable = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 500);

const problem = z.object({ detail: z.string(), code: z.string() });

async function readProblem(body: Dispatcher.ResponseData['body']): Promise<z.infer<typeof problem> | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) {
    chunks.push(Buffer.from(chunk));
    if (chunks.reduce((sum, { length }) => sum + length, 0) > MAX_PROBLEM_BYTES) return null;
  }
  try {
    return problem.parse(JSON.parse(Buffer.concat(chunks).toString()));
  } catch {
    return null;
  }
}

const notTheAddress = (detail: string): Refusal =>
  new Refusal(`${detail}: it is not the address of a Tranche deployment. Check --base-url`);

/** What an answer other than 200 means: a Refusal, or an Interruption. */
async function failureOf(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { baseUrl }: Platform,
): Promise<Error> {
  const told = await readProblem(body);
  const detail = told === null ? `${baseUrl} answered ${statusCode}` : printable(told.detail);
  if (PASSES.includes(statusCode) || statusCode >= 500) {
    const retryAfter = [headers['retry-after']].flat()[0] ?? '';
    return new Interruption(detail, /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : 0);
  }
  if (statusCode === 401) {
    return new Refusal(
      `${detail} Check TRANCHE_API_KEY: it must be a key of ${baseUrl}, neither revoked nor expired. Make one: docs/access.md`,
    );
  }
  if (statusCode === 403) return new Refusal(`${detail} Use a key that has the scope (docs/access.md#scopes)`);
  if (told === null) return notTheAddress(detail);
  return new Refusal(detail);
}

/** Whatever breaks a connection passes; an answer of the platform says so itself. */
const interruptionOf = (error: unknown): Error => {
  if (error instanceof Refusal || error instanceof Interruption) return error;
  const { code, message } = error as Error & { code?: string };
  return new Interruption(message === '' ? (code ?? 'The connection failed') : message);
};

async function ask(
  platform: Platform,
  path: string,
  options: { headers?: Record<string, string>; signal?: AbortSignal; body?: unknown } = {},
) {
  const { signal, body } = options;
  const response = await request(new URL(path, platform.baseUrl), {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${platform.apiKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
    ...(signal === undefined ? {} : { signal }),
  });
  if (response.statusCode !== 200) throw await failureOf(response, platform);
  return response;
}

/** The text of one answer. Throws Refusal, and an error that says why for what may pass. */
export async function askOnce(platform: Platform, path: string, body?: unknown): Promise<string> {
  try {
    const response = await ask(platform, path, { body });
    return await response.body.text();
  } catch (error) {
    throw interruptionOf(error);
  }
}

/** One event. Throws as `askOnce`. */
export const readEvent = async (platform: Platform, id: string): Promise<Received> =>
  received(await askOnce(platform, `/api/events/${id}`));

const PAGE = 200;
const page = z.object({
  events: z.array(event),
  next_cursor: z.string(),
  has_more: z.boolean(),
});
/** An event is listed when it is recorded, which is not before its own time by more than clocks differ. */
const EARLIER_MS = 3_600_000;

/** The cursor of what the list has after an event. Throws as `askOnce`, and Refusal when it is not listed. */
export async function cursorAfter(platform: Platform, id: string): Promise<string> {
  const { body } = await readEvent(platform, id);
  const { timestamp } = z.object({ timestamp: z.iso.datetime() }).parse(JSON.parse(body));
  const since = new Date(Date.parse(timestamp) - EARLIER_MS).toISOString();
  const read = async (cursor: string | undefined, limit: number) => {
    const query = new URLSearchParams({ since, limit: String(limit), ...(cursor === undefined ? {} : { cursor }) });
    return page.parse(JSON.parse(await askOnce(platform, `/api/events?${query}`)));
  };
  for (let cursor: string | undefined; ; ) {
    const { events, next_cursor: next, has_more: hasMore } = await read(cursor, PAGE);
    const index = events.findIndex(({ event_id }) => event_id === id);
    if (index === events.length - 1 && index !== -1) return next;
    if (index !== -1) return (await read(cursor, index + 1)).next_cursor;
    if (!hasMore) throw new Refusal(`${id} is not in the list of events: give a time with --since`);
    cursor = next;
  }
}

interface Sent {
  id: string | undefined;
  name: string | undefined;
  data: string;
}

/** One connection to the stream, until it ends. */
async function* connection(
  platform: Platform,
  query: string,
  lastId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Sent> {
  const headers = { accept: 'text/event-stream', ...(lastId === undefined ? {} : { 'last-event-id': lastId }) };
  const { headers: answered, body } = await ask(platform, `/api/events/stream${query}`, { headers, signal });
  if (answered['content-type']?.toString().startsWith('text/event-stream') !== true) {
    await body.dump();
    throw notTheAddress(`${platform.baseUrl} answered with no stream`);
  }
  const sent: Sent[] = [];
  const parser = createParser({ onEvent: ({ id, event: name, data }) => sent.push({ id, name, data }) });
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* sent.splice(0);
  }
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** The pause before a connection after `failures` without an event: doubled each time, and never the same for two clients. */
const pauseMs = (failures: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (0.5 + Math.random() / 2);

/** What `follow` tells beside events. */
export interface Telling {
  /** The first connection stands: what is reported from now on comes. */
  connected(): void;
  interrupted(reason: string, pauseMs: number): void;
}

/**
 * The platform's events in their order, from `start` (a cursor) or from now on, without an end: a connection that breaks, or that the
 * platform ends, is made again where it stopped, which is after the last event that was taken. Ends when `signal` is aborted. Throws Refusal.
 */
export async function* follow(
  platform: Platform,
  filters: Record<string, string>,
  start: string | undefined,
  telling: Telling,
  signal: AbortSignal,
): AsyncGenerator<Received> {
  const query = new URLSearchParams(filters).toString();
  let lastId = start;
  let isConnected = false;
  for (let failures = 0; !signal.aborted; failures += 1) {
    let failure: Error | undefined;
    let hasEvent = false;
    try {
      for await (const { id, name, data } of connection(platform, query === '' ? '' : `?${query}`, lastId, signal)) {
        if (name === 'error') throw new Interruption(printable(problem.parse(JSON.parse(data)).detail));
        if (!isConnected) telling.connected();
        isConnected = true;
        hasEvent = true;
        failures = 0;
        if (name !== 'cursor') yield received(data);
        lastId = id ?? lastId;
      }
      if (!hasEvent) throw new Interruption('it ended before its first event');
    } catch (error) {
      if (signal.aborted) return;
      failure = interruptionOf(error);
      if (failure instanceof Refusal) throw failure;
    }
    const retryAfterMs = failure instanceof Interruption ? failure.retryAfterSeconds * 1_000 : 0;
    const ms = retryAfterMs + pauseMs(failures);
    // The platform ends each connection after a time: that is no failure.
    if (failure !== undefined) telling.interrupted(failure.message, ms);
    await wait(ms, undefined, { signal }).catch(() => undefined);
  }
}
