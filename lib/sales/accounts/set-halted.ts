import { and, eq, ne } from 'drizzle-orm';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { AccountResource } from './contracts.ts';
import { loadAccountResources } from './list-accounts.ts';

/**
 * Halts or resumes a deposit account. The row's lock is the one under which the feed is written: a page or a round of
 * confirmations that is under way is finished first, and the next one sees the flag. Asking twice changes nothing.
 * Throws `not_found`.
 */
export async function setHalted(
  ctx: Ctx,
  input: { address: string; halted: boolean; reason: string },
): Promise<AccountResource> {
  const { address, halted, reason } = input;
  await ctx.db.transaction(async (tx) => {
    const changed = await tx
      .update(depositAccounts)
      .set({ halted })
      .where(and(eq(depositAccounts.address, address), ne(depositAccounts.halted, halted)))
      .returning({ cursor: depositAccounts.cursorLedger, confirmed: depositAccounts.confirmedLedger });
    for (const { cursor, confirmed } of changed) {
      await appendAudit(tx, ctx, {
        action: halted ? 'account.halt' : 'account.resume',
        subject: address,
        reason,
        before: { halted: !halted },
        after: { halted, cursor_ledger: cursor, confirmed_ledger: confirmed },
      });
    }
  });
  const rows = await ctx.db.select().from(depositAccounts).where(eq(depositAccounts.address, address));
  const [resource] = await loadAccountResources(ctx, rows);
  if (resource === undefined) throw new PlatformError('not_found', 'No such deposit account.');
  return resource;
}
