import { nameOf } from '#lib/audit.ts';
import { type Contract, KEY_FORM } from '#lib/base/contract.ts';
import { fieldError, PlatformError } from '#lib/base/errors.ts';
import {
  claimKey,
  type IdempotencyScope,
  KEPT_HOURS,
  type KeyedRequest,
  releaseKey,
  storeAnswer,
} from '#lib/base/idempotency-rows.ts';
import { seal, sha256Hex, unseal } from '#lib/base/secretbox.ts';
import type { Actor, Ctx } from '#lib/ctx.ts';

const fault = (message: string) => fieldError('Idempotency-Key', message);

/**
 * The key that a request carries, within the credential that it belongs to; null where the header is missing. Throws
 * `invalid_request` where nobody would look at it, because a client that sends one relies on it: a POST that keeps no
 * answers, and a caller without a credential. GET, PUT, PATCH and DELETE do nothing more when they come again.
 */
export function idempotencyKeyOf(contract: Contract, headers: Headers, actor: Actor): IdempotencyScope | null {
  const key = headers.get('idempotency-key');
  if (key === null || contract.method !== 'POST' || actor.kind === 'queue') return null;
  if (contract.idempotent !== true) throw fault('is not accepted by this operation; omit it');
  if (actor.kind === 'anonymous') throw fault('requires a credential; send one, or omit the header');
  if (!KEY_FORM.test(key)) throw fault('must be 1 to 255 visible ASCII characters, given once');
  return { scope: actor.kind === 'member' ? `member:${actor.memberId}` : nameOf(actor), key };
}

/** Most requests end within it. */
const RETRY_AFTER_SECONDS = 1;

/** What is kept of an answer beside its status. */
interface KeptAnswer {
  contentType: string | null;
  body: string;
}

const contextOf = ({ scope, key }: IdempotencyScope): string => JSON.stringify(['idempotency', scope, key]);

/** SHA-256, hex, of what a request asks: the two path forms of one operation are the same. */
export const requestHashOf = (method: string, url: URL, rawBody: string): string =>
  sha256Hex(JSON.stringify([method, url.pathname.replace(/^\/api(?=\/)/, ''), url.search, rawBody]));

/**
 * Final is what will not turn out otherwise when the same is asked again: done, or refused for a reason of the request's
 * own. What is our fault, or says when to come again, frees the key.
 */
const isFinal = (response: Response): boolean => response.status < 500 && !response.headers.has('retry-after');

/**
 * Does the work once for all requests with this key and content: the first runs `perform`, whose answer, a refusal
 * included, is kept sealed for a day and given again byte for byte under `headers`. Throws `idempotency_key_reused` where
 * the key stands for another content, and `idempotency_key_in_use` while the first has not ended.
 */
export async function once(
  ctx: Ctx,
  position: IdempotencyScope,
  requestHash: string,
  headers: Record<string, string>,
  perform: () => Promise<Response>,
): Promise<Response> {
  const keyed: KeyedRequest = { ...position, requestHash, requestId: ctx.requestId };
  const claim = await claimKey(ctx.db, keyed);
  switch (claim.kind) {
    case 'mine':
      return performAndKeep(ctx, keyed, perform);
    case 'answered':
      return replay(claim.status, JSON.parse(unseal(claim.sealedResponse, contextOf(position))) as KeptAnswer, headers);
    case 'in_flight':
      throw new PlatformError('idempotency_key_in_use', 'A request with this Idempotency-Key is still in progress.', {
        headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
      });
    case 'reused':
      throw new PlatformError(
        'idempotency_key_reused',
        `This Idempotency-Key was used for another request in the last ${KEPT_HOURS} hours; choose a new one.`,
      );
  }
}

async function performAndKeep(ctx: Ctx, keyed: KeyedRequest, perform: () => Promise<Response>): Promise<Response> {
  const response = await perform();
  try {
    if (isFinal(response)) {
      const kept: KeptAnswer = {
        contentType: response.headers.get('content-type'),
        body: await response.clone().text(),
      };
      const sealedResponse = seal(JSON.stringify(kept), contextOf(keyed), ctx.random);
      await storeAnswer(ctx.db, keyed, { status: response.status, sealedResponse });
    } else await releaseKey(ctx.db, keyed);
  } catch (err) {
    // The work is done, and its answer is worth more than a second one.
    ctx.log.error({ err }, 'the answer could not be kept under its idempotency key');
  }
  return response;
}

function replay(status: number, { contentType, body }: KeptAnswer, headers: Record<string, string>): Response {
  return new Response(body === '' ? null : body, {
    status,
    headers: {
      'cache-control': 'no-store',
      ...(contentType === null ? {} : { 'content-type': contentType }),
      ...headers,
      'idempotency-replayed': 'true',
    },
  });
}
