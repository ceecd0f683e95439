import type { Contract } from '#lib/base/contract.ts';
import { env } from '#lib/base/env.ts';
import { memoize } from '#lib/base/memoize.ts';
import { once } from '#lib/base/once.ts';
import { ResponseCache } from '#lib/base/response-cache.ts';
import { answerEncoded, type Encoded, encodeResult } from './answer.ts';
import { clientIp } from './client-ip.ts';
import { parseQuery } from './parse-request.ts';
import { takeReadLimit } from './rate-limit.ts';
import { isPublicRead, type Operation, type RouteContext } from './resource.ts';

/** However long others may keep an answer, a process keeps it no longer: that is enough for any crowd, and a change shows soon. */
export const MAX_AGE_MS = 1_000;
const MAX_ENTRIES = 1_000;
const MAX_BYTES = 32 * 1024 * 1024;

/** Every `max-age` but 0 is as long as this process keeps an answer, or longer. */
const allowsCaching = (cacheControl: string | undefined): boolean => /^public, max-age=[1-9]/.test(cacheControl ?? '');

/** A cache of answers as bytes. */
export const newResponseCache = (): ResponseCache<Encoded> =>
  new ResponseCache({
    maxAgeMs: MAX_AGE_MS,
    maxEntries: MAX_ENTRIES,
    maxBytes: MAX_BYTES,
    keeps: ({ status, headers }) => status === 200 && allowsCaching(headers['cache-control']),
    bytesOf: ({ body }) => body?.byteLength ?? 0,
  });

const shared = memoize(() => [env().POSTGRES_URL, env().XRPL_URLS, env().BASE_URL], newResponseCache);

/** The process-wide cache. */
export const responseCache = (): ResponseCache<Encoded> => shared.get();

/** What everybody gets alike, may keep, and gets whole. */
export const isCachedRead = (contract: Contract): boolean =>
  allowsCaching(contract.cacheControl) &&
  contract.rateLimit === 'read' &&
  contract.mediaTypes === undefined &&
  isPublicRead(contract);

/** A caller with a credential may have changed something a moment ago, here or on another instance; any caller may ask for the present. */
const mustBeFresh = ({ headers }: Request): boolean =>
  headers.has('authorization') || /(?:^|[\s,])no-cache(?:$|[\s,])/i.test(headers.get('cache-control') ?? '');

/** All of a request that its answer may depend on: the answer is cached under it. */
export interface Asked {
  params: Record<string, unknown>;
  query: URLSearchParams;
}

/**
 * Answers a read from the cache. Each request is counted, and named by its id; it is read only where the cache has no answer
 * to the same parameters and query, or the caller has to see its own writes. The key is these as they came, whole:
 * `answerAsked` is given nothing else of the request, so nothing else can change what others get. It throws at once for a
 * request that is not valid.
 */
export async function respondCached(
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
  const encoded = await responseCache().get(key, nowMs, make, { fresh: mustBeFresh(request) });
  return answerEncoded(encoded, request, { 'x-request-id': requestId, ...limitHeaders });
}

/**
 * Binds a public read without parameters to an answer that follows from this deployment alone, made once a process: no service
 * and no library of one is loaded.
 */
export function fixed(contract: Contract, make: () => Promise<Encoded>): Operation {
  const made = once(make);
  return {
    contract,
    async respond(request, _context, requestId) {
      const limitHeaders = takeReadLimit(contract, clientIp(request.headers), Date.now());
      parseQuery(contract, new URL(request.url).searchParams);
      return answerEncoded(await made(), request, { 'x-request-id': requestId, ...limitHeaders });
    },
  };
}
