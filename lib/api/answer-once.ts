import { PlatformError } from '#lib/base/errors.ts';
import {
  claimKey,
  type IdempotencyScope,
  KEPT_HOURS,
  type KeyedRequest,
  releaseKey,
  storeAnswer,
} from '#lib/base/idempotency-rows.ts';
import { seal, unseal } from '#lib/base/secretbox.ts';
import type { Ctx } from '#lib/ctx.ts';

/** Most requests end within it. */
const RETRY_AFTER_SECONDS = 1;

/** What is kept of an answer beside its status. */
interface KeptAnswer {
  contentType: string | null;
  body: string;
}

const contextOf = ({ scope, key }: IdempotencyScope): string => JSON.stringify(['idempotency', scope, key]);

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
