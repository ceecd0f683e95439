import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Ctx, createCtx } from '#lib/ctx.ts';
import type { Contract, Input, Method } from '#lib/platform/contract.ts';
import { PlatformError } from '#lib/platform/errors.ts';
import { shownName } from '#lib/platform/field-name.ts';
import { newId } from '#lib/platform/ids.ts';
import { logger } from '#lib/platform/log.ts';
import { answer } from './answer.ts';
import { parseJsonBody, readBody } from './body.ts';
import { clientIp } from './client-ip.ts';
import { preflightHeaders, withCors } from './cors.ts';
import { faultMessage } from './fault-messages.ts';
import { guardInternal } from './guard-internal.ts';
import { guard } from './guards.ts';
import { once, requestHashOf } from './idempotency.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { preferredType } from './preferred-type.ts';
import { problemResponse, validationError } from './problem.ts';
import { takeKeyRateLimit, takeRateLimit } from './rate-limit.ts';

const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** A route without query fields refuses them like any other unknown field: a misspelt filter must not pass for a filter. */
const NO_QUERY = z.strictObject({});

/** Next.js gives a route without parameters no object at all. */
type RouteContext = { params: Promise<Record<string, string | string[] | undefined> | undefined> };
type RouteHandler = (request: Request, context: RouteContext) => Promise<Response>;

export type Handlers = Record<Method | 'OPTIONS', RouteHandler>;

/** A contract bound to its verb. */
export interface Operation {
  contract: Contract;
  run: (ctx: Ctx, input: Input<Contract>) => Promise<unknown>;
}

/** Binds a contract to a verb; the input's type follows from the contract. */
export const operation = <C extends Contract>(
  contract: C,
  verb: (ctx: Ctx, input: Input<C>) => Promise<unknown>,
): Operation => ({ contract, run: (ctx, input) => verb(ctx, input as Input<C>) });

function parsePart(part: string, schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return part === 'body' ? undefined : {};
  const result = schema.safeParse(value, { error: faultMessage });
  if (!result.success) throw validationError(part, result.error);
  return result.data;
}

/**
 * The path's parameters under the names the contract documents. Next.js wants one folder name a place, and specification
 * 4.3 has two for the same one (`/api/webhooks/{id}`, `/webhooks/{webhook_id}/deliveries`): the one
 * parameter that has another name goes by what is left over.
 */
function pathParams(contract: Contract, given: Record<string, unknown>): Record<string, unknown> {
  const names = [...contract.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const [name, ...furtherNames] = names.filter((each) => !Object.hasOwn(given, each));
  const [folder, ...furtherFolders] = Object.keys(given).filter((each) => !names.includes(each));
  if (name === undefined || folder === undefined || furtherNames.length + furtherFolders.length > 0) return given;
  const { [folder]: value, ...others } = given;
  return { ...others, [name]: value };
}

const NO_ZERO = 'must not contain the character U+0000';
const queryFault = (field: string, message: string) =>
  new PlatformError('invalid_request', `${field}: ${message}`, { errors: [{ field, message }] });

function parseQuery(contract: Contract, url: URL): unknown {
  const given: Record<string, string> = {};
  for (const [name, value] of url.searchParams) {
    if (Object.hasOwn(given, name)) {
      throw queryFault(`query.${shownName(name)}`, 'is given twice');
    }
    if (name.includes('\0')) throw queryFault('query', NO_ZERO);
    if (value.includes('\0')) throw queryFault(`query.${shownName(name)}`, NO_ZERO);
    Object.defineProperty(given, name, { value, enumerable: true });
  }
  return parsePart('query', contract.query ?? NO_QUERY, given);
}

async function handle(bound: Operation, request: Request, context: RouteContext, requestId: string): Promise<Response> {
  const { contract } = bound;
  const url = new URL(request.url);
  const ctx = await createCtx(requestId, { kind: 'anonymous' });
  const readsBody = contract.method !== 'GET';
  // Only a signed callback is known by its bytes; all others show a credential before anything of theirs is read.
  const isSigned = contract.access.some(({ kind }) => kind === 'queue');
  const signedBody = readsBody && isSigned ? await readBody(request, contract.maxBodyBytes) : '';
  const caller = clientIp(request.headers);
  const callerHeaders = await takeRateLimit(contract, caller, () => ctx.redis, ctx.clock.nowMs());
  const guarded = { headers: request.headers, path: url.pathname, rawBody: signedBody };
  const actor =
    contract.rateLimit === 'internal'
      ? await guardInternal(ctx, contract.access, guarded, caller)
      : await guard(ctx, contract.access, guarded);
  const limitHeaders = await takeKeyRateLimit(contract, actor, () => ctx.redis, ctx.clock.nowMs(), callerHeaders);
  const keyPlace = idempotencyKeyOf(contract, request.headers, actor);
  const rawBody = readsBody && !isSigned ? await readBody(request, contract.maxBodyBytes) : signedBody;
  const input = {
    params: parsePart('path', contract.params, pathParams(contract, (await context.params) ?? {})),
    query: parseQuery(contract, url),
    body:
      contract.body === undefined
        ? undefined
        : parsePart('body', contract.body, parseJsonBody(rawBody, request.headers.get('content-type'))),
    caller,
    mediaType:
      contract.mediaTypes === undefined ? undefined : preferredType(request.headers.get('accept'), contract.mediaTypes),
  } as Input<Contract>;
  // The ctx holds lazy clients behind getters: name the actor on it rather than copy them all into being.
  ctx.actor = actor;
  const headers = { 'x-request-id': requestId, ...limitHeaders };
  const perform = async () => answer(contract, request, await bound.run(ctx, input), headers);
  if (keyPlace === null) return perform();
  const requestHash = requestHashOf(contract.method, url, rawBody);
  return once(ctx, keyPlace, requestHash, headers, () =>
    perform().catch((failure) => problemResponse(failure, requestId, logger)),
  );
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
      return handle(bound, request, context, requestId);
    };
    return async (request, context) => {
      const requestId = newId('req', randomBytes);
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
