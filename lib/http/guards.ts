import { authenticateApiKey } from '#lib/access/authenticate-api-key.ts';
import { administratorOf } from '#lib/administrators/find-administrator.ts';
import type { Actor, Ctx } from '#lib/ctx.ts';
import type { Access } from '#lib/platform/contract.ts';
import { env } from '#lib/platform/env.ts';
import { PlatformError } from '#lib/platform/errors.ts';
import { constantTimeEqual } from '#lib/platform/secretbox.ts';

/** The request as a guard needs it: headers, and for QStash the very bytes and path that were signed. */
export interface GuardedRequest {
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
  return looksUpKeys ? authenticateApiKey(ctx, token) : null;
}

function admits(access: Access, actor: Actor): boolean {
  switch (access.kind) {
    case 'public':
      return true;
    case 'api_key':
      return actor.kind === 'api_key' && (access.scope === null || actor.scopes.includes(access.scope));
    case 'scheduler':
      return actor.kind === 'scheduler';
    case 'administrator':
      return actor.kind === 'administrator' && (access.role === 'read_only' || actor.role === 'operator');
    case 'queue':
      return actor.kind === 'queue';
  }
}

const unauthorized = () =>
  new PlatformError('unauthorized', 'Send a valid credential as Authorization: Bearer <token>.', {
    headers: { 'www-authenticate': 'Bearer' },
  });

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
  if (!accepted.some((access) => admits(access, actor))) {
    throw new PlatformError('forbidden', 'This credential may not use this operation.');
  }
  return actor;
}
