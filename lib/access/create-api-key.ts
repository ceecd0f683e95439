import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { apiKeys, tenants } from '#drizzle/schema/access.ts';
import type { Ctx } from '#lib/ctx.ts';
import { toIso, toIsoOrNull } from '#lib/platform/clock.ts';
import type { Scope } from '#lib/platform/contract.ts';
import { env } from '#lib/platform/env.ts';
import { newId } from '#lib/platform/ids.ts';
import { sha256Hex } from '#lib/platform/secretbox.ts';
import { newApiKey, visiblePrefix } from './api-key-form.ts';
import type { createApiKeyBody } from './contracts.ts';

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

/**
 * Makes a key and, because the wallet proved nothing, a tenant of its own for it: the key sees only what it makes
 * (design section 7). Expiry counts days of 24 h from now by the database clock.
 */
export async function createApiKey(ctx: Ctx, body: z.output<typeof createApiKeyBody>): Promise<CreatedApiKey> {
  const apiKey = newApiKey(env().API_KEY_MODE, ctx.random);
  const tenantId = newId('ten', ctx.random);
  const [row] = await ctx.db.transaction(async (tx) => {
    await tx.insert(tenants).values({ id: tenantId });
    return tx
      .insert(apiKeys)
      .values({
        id: newId('key', ctx.random),
        tenantId,
        keyHash: sha256Hex(apiKey),
        prefix: visiblePrefix(apiKey),
        name: body.name ?? null,
        walletAddress: body.wallet_address,
        scopes: body.scopes,
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
    scopes: body.scopes,
    created_at: toIso(row.createdAt),
    expires_at: toIsoOrNull(row.expiresAt),
  };
}
