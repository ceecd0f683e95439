import type { z } from 'zod';
import type { apiKeys } from '#drizzle/schema/access.ts';
import { toIso, toIsoOrNull } from '#lib/base/clock.ts';
import { SCOPES } from '#lib/base/contract.ts';
import type { listedKey } from './schemas.ts';

type ApiKeyRow = typeof apiKeys.$inferSelect;

/** A key in a list (docs/access.md#list). */
export type ListedKey = z.output<typeof listedKey>;

/** What anyone may know of a stored key: enough to recognise one's own, nothing to use it with. Name and scopes are for its owner. */
export const toListed = (row: ApiKeyRow, forOwner: boolean): ListedKey => ({
  id: row.id,
  prefix: row.prefix,
  wallet_verified: row.walletVerified,
  created_at: toIso(row.createdAt),
  expires_at: toIsoOrNull(row.expiresAt),
  last_used_at: toIsoOrNull(row.lastUsedAt),
  revoked_at: toIsoOrNull(row.revokedAt),
  ...(forOwner ? { name: row.name, scopes: SCOPES.filter((scope) => row.scopes.includes(scope)) } : {}),
});
