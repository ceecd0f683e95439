import type { Contract } from '#lib/base/contract.ts';
import { env } from '#lib/base/env.ts';
import { etagOf, isNamed } from './etag.ts';

export const NO_STORE = 'no-store';

/** A JSON answer as it is sent, but for what belongs to one request. */
export interface Encoded {
  status: number;
  headers: Record<string, string>;
  /** Null for 204. */
  body: Uint8Array<ArrayBuffer> | null;
  /** Null where nobody may keep it. */
  etag: string | null;
}

/** Serialises a verb's result once. Throws where it is not what the contract declares. */
export function encode(
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

/** The Response to one request; 304 to whoever has these bytes already. `given` headers are the request's own. */
export function answerEncoded(
  { status, headers, body, etag }: Encoded,
  request: Request,
  given: Record<string, string>,
): Response {
  const tagged: Record<string, string> = { ...headers, ...given, ...(etag === null ? {} : { etag }) };
  if (etag !== null && isNamed(request.headers.get('if-none-match'), etag)) {
    const { 'content-type': _type, ...rest } = tagged;
    return new Response(null, { status: 304, headers: rest });
  }
  return new Response(request.method === 'HEAD' ? null : body, { status, headers: tagged });
}
