import type { Contract } from '#lib/base/contract.ts';
import { logger } from '#lib/base/log.ts';
import { clientIp } from './client-ip.ts';
import { answerEncoded, type Encoded, encode, NO_STORE } from './encoded.ts';
import { isNamed } from './etag.ts';
import { type EventChunksOptions, EventStream, eventChunks } from './event-stream.ts';
import { openBody, Stream } from './stream.ts';
import { answerText } from './text.ts';

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
  if (contract.textType !== undefined) return answerText(contract, request, result, headers);
  if (result instanceof EventStream) return answerEvents(contract, result, headers);
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
  if (etag !== null && isNamed(request.headers.get('if-none-match'), etag)) {
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
  return new Response(body, {
    status: usualStatusOf(contract),
    // Proxies that gather an answer before they pass it on would make one piece of the events.
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no', ...headers },
  });
}
