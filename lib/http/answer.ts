import type { Contract } from '#lib/platform/contract.ts';
import { env } from '#lib/platform/env.ts';
import { logger } from '#lib/platform/log.ts';
import { etagOf, isNamed } from './etag.ts';
import { openBody, Stream } from './stream.ts';

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

const NO_STORE = 'no-store';

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
  if (contract.mediaTypes !== undefined) throw new Error(`${contract.id} answered without the stream that it declares`);
  const reply = result instanceof Reply ? result : new Reply(usualStatusOf(contract), result);
  return answerJson(contract, request, reply, { ...headers, ...reply.headers });
}

function answerJson(
  contract: Contract,
  request: Request,
  reply: Reply,
  headers: Record<string, string> & { 'cache-control': string },
): Response {
  const schema = contract.responses[reply.status];
  if (schema === undefined) throw new Error(`${contract.id} answered with undeclared status ${reply.status}`);
  if (env().VALIDATE_RESPONSES) {
    const checked = schema.safeParse(reply.body);
    if (!checked.success) throw new Error(`${contract.id} broke its own contract: ${checked.error.message}`);
  }
  if (reply.status === 204) return new Response(null, { status: 204, headers });
  const body = JSON.stringify(reply.body);
  const isTagged = contract.method === 'GET' && reply.status === 200 && headers['cache-control'] !== NO_STORE;
  const tag: Record<string, string> = isTagged ? { etag: etagOf(body) } : {};
  if (tag.etag !== undefined && isNamed(request.headers.get('if-none-match'), tag.etag)) {
    return new Response(null, { status: 304, headers: { ...headers, ...tag } });
  }
  return new Response(request.method === 'HEAD' ? null : body, {
    status: reply.status,
    headers: { 'content-type': 'application/json', ...headers, ...tag },
  });
}

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
  const body = await openBody(chunks, (failure) =>
    logger().error({ err: failure, request_id: headers['x-request-id'] }, `${contract.id} broke off its stream`),
  );
  if (request.method === 'HEAD') await body.cancel();
  return new Response(request.method === 'HEAD' ? null : body, {
    status: usualStatusOf(contract),
    headers: { 'content-type': contentType, ...tagged },
  });
}
