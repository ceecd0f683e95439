import type { Contract } from '#lib/platform/contract.ts';
import { encodeResult } from './answer.ts';
import { clientIp } from './client-ip.ts';
import { isPublicRead } from './cors.ts';
import { answerEncoded } from './encoded.ts';
import { keptAnswers } from './kept-answers.ts';
import { takeReadLimit } from './rate-limit.ts';
import type { RouteContext } from './resource.ts';

/** What everybody gets alike, may keep, and gets whole. */
export const isKeptRead = (contract: Contract): boolean =>
  contract.cacheControl !== undefined &&
  contract.rateLimit === 'read' &&
  contract.mediaTypes === undefined &&
  isPublicRead(contract);

/** All of a request that its answer may depend on: what is kept is known by it. */
export interface Asked {
  params: Record<string, unknown>;
  query: URLSearchParams;
}

/**
 * Answers a kept read (kept-answers.ts). Each request is counted, and named by its id; it is read only where no answer to
 * the same parameters and query is kept. These it is known by as they came, whole: `answerAsked` is given nothing else of
 * the request, so nothing else can change what others get. It throws at once for a request that is not valid.
 */
export async function respondKept(
  contract: Contract,
  request: Request,
  context: RouteContext,
  requestId: string,
  answerAsked: (asked: Asked) => Promise<unknown>,
): Promise<Response> {
  const nowMs = Date.now();
  const limitHeaders = takeReadLimit(contract, clientIp(request.headers), nowMs);
  const params = (await context.params) ?? {};
  const url = new URL(request.url);
  // Not the path: the parameters decide the answer, and a path may be the same one in several spellings.
  const key = JSON.stringify([contract.id, params, url.search]);
  const encoded = await keptAnswers().get(key, nowMs, () =>
    answerAsked({ params, query: url.searchParams }).then((result) => encodeResult(contract, result)),
  );
  return answerEncoded(encoded, request, { 'x-request-id': requestId, ...limitHeaders });
}
