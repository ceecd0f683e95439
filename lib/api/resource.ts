import type { Contract, Method } from '#lib/base/contract.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { logger } from '#lib/base/log.ts';
import { preflightHeaders, withCors } from './cors.ts';
import { problemResponse } from './problem.ts';
import { newRequestId } from './request-id.ts';

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
