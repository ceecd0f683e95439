import { and, eq, inArray, notExists } from 'drizzle-orm';
import { depositAccounts, projects } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import { isInForce } from '#lib/xrpl/multi-signer.ts';

/**
 * The last ledger up to which a deposit account's feed may be recorded now. When other signers were set after all of its sales
 * were over, that is the ledger in which they were set: what comes after it is of their custody period, which
 * `setCustody` begins there.
 */
export async function feedEnd(ctx: Ctx, address: string, validatedIndex: number): Promise<number> {
  const running = ctx.db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.depositAddress, address), inArray(projects.status, ['active', 'paused'])));
  const [between] = await ctx.db
    .select({ custody: depositAccounts.custody, cursorLedger: depositAccounts.cursorLedger })
    .from(depositAccounts)
    .where(and(eq(depositAccounts.address, address), notExists(running)));
  const custody = between?.custody ?? null;
  if (between === undefined || custody === null) return validatedIndex;
  const account = await ctx.ledger.account(address);
  const list = account?.signerList ?? null;
  if (account === null || list === null) return validatedIndex;
  // The list is that of the ledger that the server has answered for: another server may be ahead of it.
  const through = Math.min(validatedIndex, account.ledgerIndex);
  if (isInForce(custody, list) || between.cursorLedger > list.setInLedger) return through;
  if (between.cursorLedger === list.setInLedger) {
    ctx.log.warn(
      { account: address, ledger_index: list.setInLedger },
      'the account has other signers: set its custody, so that what came since is read',
    );
  }
  return Math.min(through, list.setInLedger);
}
