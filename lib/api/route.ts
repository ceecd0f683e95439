import { type Contract, EVENT_MEDIA_TYPES, type Input } from '#lib/base/contract.ts';
import { logger } from '#lib/base/log.ts';
import { type Ctx, createCtx } from '#lib/ctx.ts';
import type { Ledger } from '#lib/xrpl/types.ts';
import { answer } from './answer.ts';
import { clientIp } from './client-ip.ts';
import { guard, guardInternal } from './guards.ts';
import { idempotencyKeyOf, requestHashOf } from './idempotency.ts';
import { requireInScope } from './member-scope.ts';
import { parseJsonBody, parsePart, parseQuery, pathParams, preferredType, readBody } from './parse-request.ts';
import { problemResponse } from './problem.ts';
import { takeKeyRateLimit, takeRateLimit } from './rate-limit.ts';
import type { Operation, RouteContext } from './resource.ts';
import { type Asked, isCachedRead, respondCached } from './response-cache.ts';

export { type Handlers, resource } from './resource.ts';

interface Bound {
  contract: Contract;
  run: (ctx: Ctx, input: Input<Contract>) => Promise<unknown>;
  openLedger?: (() => Ledger) | undefined;
}

/**
 * Binds a contract to a verb; the input's type follows from the contract. A verb that asks the ledger, itself or by another verb,
 * gets it by `{ ledger: lazyLedger }`: the library behind it belongs to a route's files only where the route names it.
 */
export const operation = <C extends Contract>(
  contract: C,
  verb: (ctx: Ctx, input: Input<C>) => Promise<unknown>,
  { ledger }: { ledger?: () => Ledger } = {},
): Operation => {
  const bound: Bound = { contract, run: (ctx, input) => verb(ctx, input as Input<C>), openLedger: ledger };
  const respond = isCachedRead(contract) ? handleCached : handle;
  return { contract, respond: (...asked) => respond(bound, ...asked) };
};

const partsOf = (contract: Contract, { params, query }: Asked) => ({
  params: parsePart('path', contract.params, pathParams(contract, params)),
  query: parseQuery(contract, query),
});

/** The verb is told nothing of who asked first: many get its answer, and none of them ends it by going away. */
const handleCached = (
  { contract, run, openLedger }: Bound,
  request: Request,
  context: RouteContext,
  requestId: string,
): Promise<Response> =>
  respondCached(contract, request, context, requestId, (asked) => {
    const input = {
      ...partsOf(contract, asked),
      caller: 'unknown',
      lastEventId: null,
      signal: new AbortController().signal,
    };
    return createCtx(requestId, { kind: 'anonymous' }, openLedger).then((ctx) => run(ctx, input as Input<Contract>));
  });

async function handle(
  { contract, run: verb, openLedger }: Bound,
  request: Request,
  context: RouteContext,
  requestId: string,
): Promise<Response> {
  const url = new URL(request.url);
  const ctx = await createCtx(requestId, { kind: 'anonymous' }, openLedger);
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
  const params = (await context.params) ?? {};
  await requireInScope(ctx, contract, actor, params);
  const idempotencyScope = idempotencyKeyOf(contract, request.headers, actor);
  const rawBody = readsBody && !isSigned ? await readBody(request, contract.maxBodyBytes) : signedBody;
  const offered = contract.mediaTypes ?? (contract.events === undefined ? undefined : EVENT_MEDIA_TYPES);
  const input = {
    ...partsOf(contract, { params, query: url.searchParams }),
    body:
      contract.body === undefined
        ? undefined
        : parsePart('body', contract.body, parseJsonBody(rawBody, request.headers.get('content-type'))),
    caller,
    mediaType: offered === undefined ? undefined : preferredType(request.headers.get('accept'), offered),
    lastEventId: contract.lastEventId === true ? request.headers.get('last-event-id') || null : null,
    signal: request.signal,
  } as Input<Contract>;
  // The ctx holds lazy clients behind getters: name the actor on it rather than copy them all into being.
  ctx.actor = actor;
  const headers = { 'x-request-id': requestId, ...limitHeaders };
  const perform = async () => answer(contract, request, await verb(ctx, input), headers);
  if (idempotencyScope === null) return perform();
  const requestHash = requestHashOf(contract.method, url, rawBody);
  const { once } = await import('./answer-once.ts');
  return once(ctx, idempotencyScope, requestHash, headers, () =>
    perform().catch((failure) => problemResponse(failure, requestId, logger)),
  );
}
