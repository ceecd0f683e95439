import { createHash } from 'node:crypto';
import type { Contract } from '#lib/base/contract.ts';
import { env } from '#lib/base/env.ts';
import { logger } from '#lib/base/log.ts';
import { clientIp } from './client-ip.ts';
import { areEncodedAnswersHandled, ENCODED_AS } from './encoded-answers.ts';
import { type EventChunksOptions, EventStream, eventChunks } from './event-stream.ts';
import { openBody, Stream } from './stream.ts';

/** 144 bits of the SHA-256: no two bodies of one address will ever share it. */
const TAG_LENGTH = 24;

/** A strong ETag (RFC 9110 section 8.8.3) of what decides every byte of a body: the body itself, or its name. */
export const etagOf = (content: string | Uint8Array): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, TAG_LENGTH)}"`;

/**
 * Whether an If-None-Match names the tag: a list, weak tags included, because proxies that compress a body weaken its
 * tag; or `*`, which any body matches.
 */
export function matchesTag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.match(/"[\x21\x23-\x7e\x80-\xff]*"/g)?.includes(etag) ?? false;
}

/** Whether an Accept-Encoding admits the coding by its name. */
export const takesCoding = (acceptEncoding: string | null, name: string): boolean =>
  (acceptEncoding ?? '').split(',').some((part) => {
    const [coding, ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    return coding === name && !parameters.some((each) => /^q\s*=\s*0(?:\.0*)?$/.test(each));
  });

const NO_STORE = 'no-store';

/** A JSON answer as it is sent, but for what belongs to one request. */
export interface Encoded {
  status: number;
  headers: Record<string, string>;
  /** Null for 204. */
  body: Uint8Array<ArrayBuffer> | null;
  /** Null where it may not be cached. */
  etag: string | null;
  /** The body compressed beforehand, with a tag of its own; without it the host compresses. */
  gzip?: { body: Uint8Array<ArrayBuffer>; etag: string };
}

/** Serialises a verb's result once. Throws where it is not what the contract declares. */
function encode(
  contract: Contract,
  reply: { status: number; body: unknown; headers: Record<string, string> },
): Encoded {
  const schema = contract.responses[reply.status];
  if (schema === undefined) throw new Error(`${contract.id} answered with undeclared status ${reply.status}`);
  if (env().VALIDATE_RESPONSES) {
    const checked = schema.safeParse(reply.body);
    if (!checked.success) throw new Error(`${contract.id} broke its own contract: ${checked.error.message}`);
  }
  const headers = { 'cache-control': contract.cacheControl ?? NO_STORE, ...reply.headers };
  if (reply.status === 204) return { status: 204, headers, body: null, etag: null };
  const body = Buffer.from(JSON.stringify(reply.body));
  const isTagged = contract.method === 'GET' && reply.status === 200 && headers['cache-control'] !== NO_STORE;
  return {
    status: reply.status,
    headers: { 'content-type': 'application/json', ...headers },
    body,
    etag: isTagged ? etagOf(body) : null,
  };
}

/** The Response to one request; 304 to a client that has these bytes already. `given` headers are the request's own. */
export function answerEncoded(
  { status, headers, gzip, ...plain }: Encoded,
  request: Request,
  given: Record<string, string>,
): Response {
  const isTaken = areEncodedAnswersHandled() && takesCoding(request.headers.get('accept-encoding'), 'gzip');
  const compressed = isTaken ? gzip : undefined;
  const { body, etag } = compressed ?? plain;
  const tagged: Record<string, string> = { ...headers, ...given, ...(etag === null ? {} : { etag }) };
  if (etag !== null && matchesTag(request.headers.get('if-none-match'), etag)) {
    const { 'content-type': _type, ...rest } = tagged;
    return new Response(null, { status: 304, headers: rest });
  }
  if (compressed !== undefined) tagged[ENCODED_AS] = 'gzip';
  return new Response(request.method === 'HEAD' ? null : body, { status, headers: tagged });
}

/** A text that is made whole before it is sent, for a contract that declares its media type (`textType`). */
export class Text {
  readonly contentType: string;
  readonly text: string;

  constructor(contentType: string, text: string) {
    this.contentType = contentType;
    this.text = text;
  }
}

/** The Response to a Text. It is short, so it takes no export's place. */
function answerText(contract: Contract, request: Request, result: unknown, headers: Record<string, string>): Response {
  if (!(result instanceof Text) || result.contentType.split(';', 1)[0] !== contract.textType) {
    throw new Error(`${contract.id} answered without the ${contract.textType} that it declares`);
  }
  const { contentType, text } = result;
  return new Response(request.method === 'HEAD' ? null : text, {
    headers: { 'content-type': contentType, ...headers },
  });
}

/** An answer with a status or headers of its own; a verb that returns a plain value answers with the contract's lowest status. */
export class Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;

  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

const usualStatusOf = (contract: Contract): number => Number(Object.keys(contract.responses)[0] ?? 200);

/** The Response to a verb's result: a value, a `Reply` or a `Stream`. What may be cached carries an ETag and answers 304. */
export async function answer(
  contract: Contract,
  request: Request,
  result: unknown,
  given: Record<string, string>,
): Promise<Response> {
  const headers = { 'cache-control': contract.cacheControl ?? NO_STORE, ...given };
  if (result instanceof Stream) return answerStream(contract, request, result, { ...headers, ...result.headers });
  if (result instanceof EventStream) return answerEvents(contract, request, result, headers);
  if (contract.textType !== undefined) return answerText(contract, request, result, headers);
  if (contract.mediaTypes !== undefined) throw new Error(`${contract.id} answered without the stream that it declares`);
  return answerEncoded(encodeResult(contract, result), request, given);
}

/** A verb's result as JSON. Throws where it is not what the contract declares. */
export const encodeResult = (contract: Contract, result: unknown): Encoded =>
  encode(contract, result instanceof Reply ? result : new Reply(usualStatusOf(contract), result));

async function answerStream(
  contract: Contract,
  request: Request,
  { contentType, chunks, etag }: Stream,
  headers: Record<string, string>,
): Promise<Response> {
  const mediaType = contentType.split(';', 1)[0] ?? '';
  if (contract.mediaTypes?.includes(mediaType) !== true) {
    throw new Error(`${contract.id} streamed the undeclared media type ${mediaType}`);
  }
  const tagged = etag === null ? headers : { ...headers, etag };
  if (etag !== null && matchesTag(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers: tagged });
  }
  const named = { request_id: headers['x-request-id'] };
  const caller = clientIp(request.headers);
  const body = await openBody(
    chunks,
    (failure) => logger().error({ err: failure, ...named }, `${contract.id} broke off its stream`),
    {
      caller,
      onBreakOff: (why) => logger().info({ why, caller, ...named }, `${contract.id} broke off a slow client`),
    },
  );
  if (request.method === 'HEAD') await body.cancel();
  return new Response(request.method === 'HEAD' ? null : body, {
    status: usualStatusOf(contract),
    headers: { 'content-type': contentType, ...tagged },
  });
}

async function answerEvents(
  contract: Contract,
  request: Request,
  events: EventStream,
  headers: Record<string, string>,
): Promise<Response> {
  if (contract.events === undefined) throw new Error(`${contract.id} sent events that it does not declare`);
  const options: EventChunksOptions = { schemas: contract.events, requestId: headers['x-request-id'] ?? '' };
  const body = await openBody(
    eventChunks(events, options),
    (failure) => logger().error({ err: failure, request_id: options.requestId }, `${contract.id} broke off its events`),
    // Events hold no rows and no connection to the database between them: their verb bounds them.
    { caller: null },
  );
  if (request.method === 'HEAD') await body.cancel();
  return new Response(request.method === 'HEAD' ? null : body, {
    status: usualStatusOf(contract),
    // Proxies that gather an answer before they pass it on would make one piece of the events.
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no', ...headers },
  });
}
