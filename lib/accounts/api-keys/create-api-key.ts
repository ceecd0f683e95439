import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { apiKeys } from '#drizzle/schema/access.ts';
import { claimTenant, type Owner } from '#lib/accounts/tenants/tenant.ts';
import { toIso, toIsoOrNull } from '#lib/base/clock.ts';
import { SCOPES, type Scope } from '#lib/base/contract.ts';
import { env } from '#lib/base/env.ts';
import { fieldError, PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { takeShared } from '#lib/base/rate-limiter.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import type { Ctx } from '#lib/ctx.ts';
import { newApiKey, visiblePrefix } from './authenticate-api-key.ts';
import type { createApiKeyBody } from './contracts.ts';
import { proveWallet } from './prove-wallet.ts';

/** Keys without a wallet proof that one address may make a day, UTC (docs/access.md#limits). */
const UNPROVEN_KEYS_PER_DAY = 5;

/**
 * Counts one key that nobody proved for; throws `rate_limited` beyond the day's number, and `service_unavailable` while it
 * cannot be counted. The platform itself is not limited.
 */
async function countUnprovenKey(ctx: Ctx, caller: string): Promise<void> {
  if (ctx.actor.kind === 'system') return;
  const limit = UNPROVEN_KEYS_PER_DAY * env().RATE_LIMIT_SCALE;
  const allowance = { name: 'unproven_keys', caller, limit, window: '1 d' } as const;
  const { allowed, resetSeconds } = await takeShared(ctx.redis, allowance).catch((cause: unknown) => {
    throw new PlatformError('service_unavailable', 'Keys cannot be made right now. Try again in a minute.', {
      cause,
      headers: { 'retry-after': '60' },
    });
  });
  if (allowed) return;
  throw new PlatformError(
    'rate_limited',
    `At most ${limit} keys a day and address without a wallet proof. Send a proof, or try again tomorrow.`,
    { headers: { 'retry-after': String(resetSeconds) } },
  );
}

type Body = z.output<typeof createApiKeyBody>;

interface CreatedApiKey {
  id: string;
  /** The only time the key leaves the platform. */
  api_key: string;
  prefix: string;
  wallet_verified: boolean;
  scopes: Scope[];
  created_at: string;
  expires_at: string | null;
}

/** Whom the new key is for, once the caller has shown it; every key without a proof behind it takes of the day's allowance. */
async function ownerOf(ctx: Ctx, body: Body, caller: string): Promise<Owner> {
  const { actor } = ctx;
  if (actor.kind === 'api_key') {
    if (body.proof !== undefined) {
      throw fieldError('proof', 'must be left out where an API key asks: the new key joins its tenant');
    }
    if (body.wallet_address !== actor.walletAddress) {
      throw fieldError('wallet_address', 'must be the wallet of the key that asks');
    }
    if (!actor.walletVerified) await countUnprovenKey(ctx, caller);
    return { kind: 'key', keyId: actor.keyId, tenantId: actor.tenantId };
  }
  if (body.proof !== undefined) {
    return { kind: 'wallet', walletAddress: await proveWallet(ctx, body.proof, 'create_key', body.wallet_address) };
  }
  await countUnprovenKey(ctx, caller);
  return { kind: 'nobody' };
}

/** All of them, unless a key asks: it gives what it has itself, and never more. */
function scopesOf({ actor }: Ctx, asked: Scope[] | undefined): Scope[] {
  const most = actor.kind === 'api_key' ? actor.scopes : [...SCOPES];
  if (asked === undefined) return most;
  if (asked.some((scope) => !most.includes(scope))) {
    throw fieldError('scopes', 'must be among the scopes of the key that asks', { code: 'forbidden' });
  }
  return asked;
}

/**
 * Makes a key: for the wallet's tenant with a proof, for the asking key's with a key, and for a tenant of its own without
 * either, which sees only what it makes (docs/access.md). Expiry counts days of 24 h by the database's clock. Throws
 * `invalid_proof`, `forbidden` for scopes that the asking key lacks, `limit_reached` and `rate_limited` at the limits.
 */
export async function createApiKey(ctx: Ctx, body: Body, caller = 'unknown'): Promise<CreatedApiKey> {
  const scopes = scopesOf(ctx, body.scopes);
  const owner = await ownerOf(ctx, body, caller);
  const apiKey = newApiKey(env().API_KEY_MODE, ctx.random);
  const [row] = await ctx.db.transaction(async (tx) => {
    const { tenantId, proven } = await claimTenant(tx, ctx, owner);
    return tx
      .insert(apiKeys)
      .values({
        id: newId('key', ctx.random),
        tenantId,
        keyHash: sha256Hex(apiKey),
        prefix: visiblePrefix(apiKey),
        name: body.name ?? null,
        walletAddress: body.wallet_address,
        walletVerified: proven,
        scopes,
        expiresAt:
          body.expires_in_days === undefined
            ? null
            : sql`now() + make_interval(hours => 24 * ${body.expires_in_days}::integer)`,
      })
      .returning();
  });
  if (row === undefined) throw new Error('The insert of an API key returned no row');
  return {
    id: row.id,
    api_key: apiKey,
    prefix: row.prefix,
    wallet_verified: row.walletVerified,
    scopes,
    created_at: toIso(row.createdAt),
    expires_at: toIsoOrNull(row.expiresAt),
  };
}
