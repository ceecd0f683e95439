import type { Contract } from '#lib/base/contract.ts';

/** Seconds for which a browser need not ask again. */
const PREFLIGHT_SECONDS = 86_400;

/** Beyond those that browsers always show: all that a public read says of itself. */
export const EXPOSED_HEADERS = [
  'Content-Disposition',
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-As-Of-Ledger',
  'X-Request-Id',
] as const;

const EXPOSED = EXPOSED_HEADERS.join(', ');

/** A GET that looks at no credential and answers everybody alike: the only thing that other sites' pages may read. */
export const isPublicRead = (contract: Contract): boolean =>
  contract.method === 'GET' && contract.access.every(({ kind }) => kind === 'public');

/** Says who may read an answer from another site: everybody a public read, its refusals too; nobody anything else. */
export function withCors(response: Response, contract: Contract | undefined): Response {
  const isOpen = contract !== undefined && isPublicRead(contract);
  response.headers.set('cross-origin-resource-policy', isOpen ? 'cross-origin' : 'same-origin');
  if (isOpen) {
    response.headers.set('access-control-allow-origin', '*');
    response.headers.set('access-control-expose-headers', EXPOSED);
  }
  return response;
}

/**
 * Headers for an OPTIONS request to a path with these operations. A browser sends a POST that it asked about whatever
 * methods the answer lists, so the answer is silent unless the question is about reading.
 */
export function preflightHeaders(contracts: readonly Contract[], request: Request): Record<string, string> {
  const asked = request.headers.get('access-control-request-method');
  if ((asked !== 'GET' && asked !== 'HEAD') || !contracts.some(isPublicRead)) return {};
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers': 'Content-Type, If-None-Match',
    'access-control-max-age': String(PREFLIGHT_SECONDS),
  };
}
