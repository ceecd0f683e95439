import type { Contract, Method } from '#lib/base/contract.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { logger } from '#lib/base/log.ts';
import { newRequestId, problemResponse } from './problem.ts';

/** Seconds for which a browser need not ask again. */
const PREFLIGHT_SECONDS = 86_400;

/** Beyond those that browsers always show: all that a public read says of itself. */
const EXPOSED_HEADERS = [
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
function withCors(response: Response, contract: Contract | undefined): Response {
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
function preflightHeaders(contracts: readonly Contract[], request: Request): Record<string, string> {
  const asked = request.headers.get('access-control-request-method');
  if ((asked !== 'GET' && asked !== 'HEAD') || !contracts.some(isPublicRead)) return {};
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers': 'Content-Type, If-None-Match',
    'access-control-max-age': String(PREFLIGHT_SECONDS),
  };
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** Next.js gives a route without parameters no object at all. */
export type RouteContext = { params: Promise<Record<string, string | string[] | undefined> | undefined> };
type RouteHandler = (request: Request, context: RouteContext) => Promise<Response>;

export type Handlers = Record<Method | 'OPTIONS', RouteHandler>;

/** A contract bound to what answers it. */
export interface Operation {
  contract: Contract;
  /** Rejects with a PlatformError for every refusal. */
  respond(request: Request, context: RouteContext, requestId: string): Promise<Response>;
}

/**
 * The handlers of one path: each operation under its method, and 405 with `Allow` under every other.
 * `export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(operation(contract, verb), …)` is a whole route file.
 */
export function resource(...operations: readonly Operation[]): Handlers {
  const byMethod = new Map(operations.map((bound) => [bound.contract.method, bound]));
  const allow = [...byMethod.keys(), ...(byMethod.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  const handlerFor = (method: Method): RouteHandler => {
    const bound = byMethod.get(method);
    const respond = async (request: Request, context: RouteContext, requestId: string): Promise<Response> => {
      if (bound === undefined) {
        throw new PlatformError('method_not_allowed', `${method} is not allowed here; use ${allow}.`, {
          headers: { allow },
        });
      }
      return bound.respond(request, context, requestId);
    };
    return async (request, context) => {
      const requestId = newRequestId();
      const response = await respond(request, context, requestId).catch((failure) =>
        problemResponse(failure, requestId, logger),
      );
      return withCors(response, bound?.contract);
    };
  };
  const handlers = Object.fromEntries(METHODS.map((method) => [method, handlerFor(method)])) as Record<
    Method,
    RouteHandler
  >;
  // Next.js would answer OPTIONS with every method that a route file exports, and that is all of them.
  const contracts = operations.map(({ contract }) => contract);
  return {
    ...handlers,
    OPTIONS: async (request) =>
      new Response(null, { status: 204, headers: { allow, ...preflightHeaders(contracts, request) } }),
  };
}

const answerUnknown = async (): Promise<Response> =>
  problemResponse(
    new PlatformError('not_found', 'There is no such path. GET /api/openapi.json lists all paths.'),
    newRequestId(),
    logger,
  );

/** The answer at every /api path that is nobody's, under every method. */
export const unknownPath = Object.fromEntries(
  [...METHODS, 'OPTIONS'].map((method) => [method, answerUnknown]),
) as Record<keyof Handlers, () => Promise<Response>>;
