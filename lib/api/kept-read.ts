import type { Contract } from '#lib/base/contract.ts';
import { encodeResult } from './answer.ts';
import { clientIp } from './client-ip.ts';
import { isPublicRead } from './cors.ts';
import { answerEncoded } from './encoded.ts';
import { allowsKeeping, keptAnswers } from './kept-answers.ts';
import { takeReadLimit } from './rate-limit.ts';
import type { RouteContext } from './resource.ts';

/** What everybody gets alike, may keep, and gets whole. */
export const isKeptRead = (contract: Contract): boolean =>
  allowsKeeping(contract.cacheControl) &&
  contract.rateLimit === 'read' &&
  contract.mediaTypes === undefined &&
  isPublicRead(contract);

/** A caller with a credential may have changed something a moment ago, here or on another instance; any caller may ask for the present. */
const mustBeFresh = ({ headers }: Request): boolean =>
  headers.has('authorization') || /(?:^|[\s,])no-cache(?:$|[\s,])/i.test(headers.get('cache-control') ?? '');

/** All of a request that its answer may depend on: what is kept is known by it. */
export interface Asked {
  params: Record<string, unknown>;
  query: URLSearchParams;
}

/**
 * Answers a kept read (kept-answers.ts). Each request is counted, and named by its id; it is read only where no answer to
 * the same parameters and query is kept, or the caller has to see its own writes. These it is known by as they came, whole: `answerAsked` is given nothing else of
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
  const make = () => answerAsked({ params, query: url.searchParams }).then((result) => encodeResult(contract, result));
  const encoded = await keptAnswers().get(key, nowMs, make, { fresh: mustBeFresh(request) });
  return answerEncoded(encoded, request, { 'x-request-id': requestId, ...limitHeaders });
}
