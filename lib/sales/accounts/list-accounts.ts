import { asc, gt } from 'drizzle-orm';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import { loadAccountResources } from './account-resource.ts';
import type { AccountResource } from './contracts.ts';

/** Deposit accounts by address. */
export async function listAccounts(
  ctx: Ctx,
  input: { cursor?: string | undefined; limit: number },
): Promise<{ accounts: AccountResource[]; next_cursor: string | null }> {
  const rows = await ctx.db
    .select()
    .from(depositAccounts)
    .where(input.cursor === undefined ? undefined : gt(depositAccounts.address, input.cursor))
    .orderBy(asc(depositAccounts.address))
    .limit(input.limit + 1);
  const page = rows.slice(0, input.limit);
  return {
    accounts: await loadAccountResources(ctx, page),
    next_cursor: rows.length > input.limit ? (page.at(-1)?.address ?? null) : null,
  };
}
