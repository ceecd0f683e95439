import { administratorOf } from '#lib/accounts/administrators/find-administrator.ts';
import { type Access, MEMBER_ROLES } from '#lib/base/contract.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { RateLimiter } from '#lib/base/rate-limiter.ts';
import { constantTimeEqual } from '#lib/base/secretbox.ts';
import type { Actor, Ctx } from '#lib/ctx.ts';
import { rateLimited } from './rate-limit.ts';

/** The request as a guard needs it: headers, and for QStash the very bytes and path that were signed. */
interface GuardedRequest {
  headers: Headers;
  path: string;
  rawBody: string;
}

function bearerToken(headers: Headers): string | null {
  const match = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(headers.get('authorization') ?? '');
  return match?.[1] ?? null;
}

/** Who the bearer token belongs to, or null. Every kind is tried, so an API key on an internal route is told apart from nobody. */
async function actorOf(ctx: Ctx, token: string, looksUpKeys: boolean): Promise<Actor | null> {
  const cronSecret = env().CRON_SECRET;
  if (cronSecret !== undefined && constantTimeEqual(token, cronSecret)) return { kind: 'scheduler' };
  const administrator = administratorOf(token);
  if (administrator !== null) return administrator;
  if (!looksUpKeys) return null;
  // With the tables behind them: a public read and an administrator's request need none.
  const { findHolder } = await import('./stored-credentials.ts');
  return findHolder(ctx, token);
}

function admits(access: Access, actor: Actor): boolean {
  switch (access.kind) {
    case 'public':
      // A session of the portal or of a member is good for what names it, and passes for nobody elsewhere.
      return actor.kind !== 'portal' && actor.kind !== 'member';
    case 'api_key':
      return actor.kind === 'api_key' && (access.scope === null || actor.scopes.includes(access.scope));
    case 'portal':
      return actor.kind === 'portal' && actor.scopes.includes(access.scope);
    case 'member':
      return actor.kind === 'member' && MEMBER_ROLES.indexOf(actor.role) >= MEMBER_ROLES.indexOf(access.role);
    case 'scheduler':
      return actor.kind === 'scheduler';
    case 'administrator':
      return actor.kind === 'administrator' && (access.role === 'read_only' || actor.role === 'operator');
    case 'queue':
      return actor.kind === 'queue';
  }
}

/** Throws `forbidden` unless one of `accepted` lets the actor in. */
export function requireAccess(accepted: readonly Access[], actor: Actor): void {
  if (!accepted.some((access) => admits(access, actor))) throw forbidden(accepted, actor);
}

const unauthorized = () =>
  new PlatformError('unauthorized', 'Send a valid credential as Authorization: Bearer <token>.', {
    headers: { 'www-authenticate': 'Bearer' },
  });

/** What each kind of access asks for, as the caller would go and get it. */
const CREDENTIAL_OF: Record<Exclude<Access['kind'], 'public'>, string> = {
  api_key: 'an API key',
  portal: 'a session of the webhook portal',
  member: 'the session of a member, from POST /api/owner/sessions',
  scheduler: 'the scheduler’s secret',
  administrator: 'an administrator’s token',
  queue: 'a signature of QStash',
};

/** Says what the credential lacks: a scope, a role, or that it is of another kind. */
function forbidden(accepted: readonly Access[], actor: Actor): PlatformError {
  for (const access of accepted) {
    if (access.kind === 'api_key' && actor.kind === 'api_key' && access.scope !== null) {
      const detail = `This API key lacks the scope ${access.scope}. Use a key that has it, or create one.`;
      return new PlatformError('forbidden', detail, {
        headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${access.scope}"` },
      });
    }
    if (access.kind === 'portal' && actor.kind === 'portal') {
      return new PlatformError('forbidden', 'This link only shows webhooks. Ask for one that may change them.', {
        headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${access.scope}"` },
      });
    }
    if (access.kind === 'member' && actor.kind === 'member') {
      const detail = `This needs the role ${access.role}; your role is ${actor.role}. Ask an owner of the tenant.`;
      return new PlatformError('forbidden', detail);
    }
    if (access.kind === 'administrator' && actor.kind === 'administrator') {
      const detail = `This needs the role ${access.role}; the role of this token is ${actor.role}. Ask an operator.`;
      return new PlatformError('forbidden', detail);
    }
  }
  const needed = accepted.flatMap(({ kind }) => (kind === 'public' ? [] : [CREDENTIAL_OF[kind]]));
  return new PlatformError(
    'forbidden',
    `This credential is of the wrong kind: send ${[...new Set(needed)].join(' or ')}.`,
  );
}

/**
 * Finds the actor and checks it against the contract. Fails closed: no credential or an unknown one is 401,
 * a known one of the wrong kind, role or scope is 403, and a secret missing on the server admits nobody.
 * Without `looksUpKeys` an API key counts as unknown and costs no query.
 */
export async function guard(
  ctx: Ctx,
  accepted: readonly Access[],
  request: GuardedRequest,
  { looksUpKeys = true }: { looksUpKeys?: boolean } = {},
): Promise<Actor> {
  if (accepted.some((access) => access.kind === 'queue')) {
    const signature = request.headers.get('upstash-signature');
    if (signature === null || !(await ctx.queue.verify(signature, request.rawBody, request.path))) {
      throw new PlatformError('unauthorized', 'This address takes callbacks signed by QStash only.');
    }
    return { kind: 'queue' };
  }
  const token = bearerToken(request.headers);
  const isPublic = accepted.some((access) => access.kind === 'public');
  if (token === null) {
    if (isPublic) return { kind: 'anonymous' };
    throw unauthorized();
  }
  // A public read never pays for a look-up of a credential that it does not use.
  if (isPublic && accepted.length === 1) return { kind: 'anonymous' };
  const actor = await actorOf(ctx, token, looksUpKeys);
  if (actor === null) throw unauthorized();
  requireAccess(accepted, actor);
  return actor;
}

/** Refused credentials a minute and caller on internal operations, which are not limited otherwise. */
export const REFUSALS_PER_MINUTE = 60;

const refusals = new RateLimiter();

/**
 * `guard` for an internal operation: over the limit a refusal is `rate_limited` and no API key is looked up any more.
 * A right credential passes all the same: a caller who can write the scheduler's address into a header must not stop it.
 */
export async function guardInternal(
  ctx: Ctx,
  accepted: readonly Access[],
  request: GuardedRequest,
  caller: string,
): Promise<Actor> {
  const limit = REFUSALS_PER_MINUTE * env().RATE_LIMIT_SCALE;
  const looksUpKeys = !refusals.isCallerFull(caller, limit, ctx.clock.nowMs());
  try {
    return await guard(ctx, accepted, request, { looksUpKeys });
  } catch (failure) {
    const isRefusal =
      failure instanceof PlatformError && (failure.code === 'unauthorized' || failure.code === 'forbidden');
    if (!isRefusal) throw failure;
    const verdict = refusals.takeCaller(caller, limit, ctx.clock.nowMs());
    if (verdict.allowed) throw failure;
    throw rateLimited(verdict, 'refused credentials');
  }
}
