import { and, desc, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { apiKeys, tenants } from '#drizzle/schema/access.ts';
import { toIso, toIsoOrNull } from '#lib/base/clock.ts';
import { SCOPES } from '#lib/base/contract.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { listedKey } from './contracts.ts';
import type { proof } from './proof.ts';
import { proveWallet } from './prove-wallet.ts';

type ApiKeyRow = typeof apiKeys.$inferSelect;

/** A key in a list (docs/access.md#list). */
type ListedKey = z.output<typeof listedKey>;

/** What anyone may know of a stored key: enough to recognise one's own, nothing to use it with. Name and scopes are for its owner. */
const toListed = (row: ApiKeyRow, forOwner: boolean): ListedKey => ({
  id: row.id,
  prefix: row.prefix,
  wallet_verified: row.walletVerified,
  created_at: toIso(row.createdAt),
  expires_at: toIsoOrNull(row.expiresAt),
  last_used_at: toIsoOrNull(row.lastUsedAt),
  revoked_at: toIsoOrNull(row.revokedAt),
  ...(forOwner ? { name: row.name, scopes: SCOPES.filter((scope) => row.scopes.includes(scope)) } : {}),
});

interface Page {
  cursor?: string | undefined;
  limit: number;
}
interface KeyPage {
  api_keys: ListedKey[];
  next_cursor: string | null;
}

/**
 * The keys that name a wallet, the newest first. Anyone may ask, so of each only public metadata is given; names and scopes
 * of the keys of the asking key's own tenant too (docs/access.md#list).
 */
export async function listApiKeys(ctx: Ctx, walletAddress: string, page: Page): Promise<KeyPage> {
  return readPage(ctx, walletAddress, page, ctx.actor.kind === 'api_key' ? ctx.actor.tenantId : null);
}

/**
 * The same for who proves to be the wallet: names and scopes of the keys of the wallet's own tenant. Keys that others made
 * in the wallet's name stay theirs. Throws `invalid_proof`, and `ledger_unavailable` when nobody can say whose key it is.
 */
export async function listProvenApiKeys(
  ctx: Ctx,
  walletAddress: string,
  page: Page,
  given: z.output<typeof proof>,
): Promise<KeyPage> {
  await proveWallet(ctx, given, 'list_keys', walletAddress);
  const [tenant] = await ctx.db.select({ id: tenants.id }).from(tenants).where(eq(tenants.provenWallet, walletAddress));
  return readPage(ctx, walletAddress, page, tenant?.id ?? null);
}

async function readPage(ctx: Ctx, walletAddress: string, page: Page, ownTenantId: string | null): Promise<KeyPage> {
  const after = decodeCursor(page.cursor, 'key');
  const rows = await ctx.db
    .select()
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.walletAddress, walletAddress),
        // The place is read from the row itself: a cursor's milliseconds would step over rows of the same millisecond.
        after === null
          ? undefined
          : sql`(${apiKeys.createdAt}, ${apiKeys.id}) < (select created_at, id from api_keys where id = ${after.id})`,
      ),
    )
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .limit(page.limit + 1);
  const { rows: shown, next } = toPage(rows, page.limit, (row) => ({ at: row.createdAt, id: row.id }));
  return { api_keys: shown.map((row) => toListed(row, row.tenantId === ownTenantId)), next_cursor: next };
}
