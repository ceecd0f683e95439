import type { apiKeys } from '#drizzle/schema/access.ts';
import { toIso, toIsoOrNull } from '#lib/platform/clock.ts';

type ApiKeyRow = typeof apiKeys.$inferSelect;

/** What anyone may know of a key: enough to recognise one's own, nothing to use it with (design section 7). */
export interface ApiKeyMetadata {
  id: string;
  prefix: string;
  wallet_verified: boolean;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
}

/** The public form of a stored key. Names and scopes stay out: they are for a proof or a key of the tenant. */
export const toMetadata = (
  row: Pick<ApiKeyRow, 'id' | 'prefix' | 'walletVerified' | 'createdAt' | 'expiresAt' | 'lastUsedAt' | 'revokedAt'>,
): ApiKeyMetadata => ({
  id: row.id,
  prefix: row.prefix,
  wallet_verified: row.walletVerified,
  created_at: toIso(row.createdAt),
  expires_at: toIsoOrNull(row.expiresAt),
  last_used_at: toIsoOrNull(row.lastUsedAt),
  revoked_at: toIsoOrNull(row.revokedAt),
});
