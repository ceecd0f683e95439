import { eq } from 'drizzle-orm';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Drops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { balanceDifference, raiseAlerts } from './alerts.ts';
import { lockDepositAccount } from './load-state.ts';

/**
 * Compares the account's balance on the ledger with the records, both as of the cursor, and alarms when a difference
 * appears or changes: something was missed, or a server lied (docs/ledger-facts.md, 10). The first comparison of an
 * account without a balance is where its records begin. When no server can answer for that ledger the next cursor is
 * compared instead.
 */
export async function reconcile(ctx: Ctx, address: string): Promise<void> {
  const [position] = await ctx.db
    .select({ cursorLedger: depositAccounts.cursorLedger, reconciledLedger: depositAccounts.reconciledLedger })
    .from(depositAccounts)
    .where(eq(depositAccounts.address, address));
  if (position === undefined || position.reconciledLedger === position.cursorLedger) return;
  const { cursorLedger } = position;
  const balanceDrops = await readBalance(ctx, address, cursorLedger);
  if (balanceDrops === null) return;
  await ctx.db.transaction(async (tx) => {
    const row = await lockDepositAccount(tx, address);
    // Another process has read on meanwhile: these records are of another ledger, and it compares them itself.
    if (row?.cursorLedger !== cursorLedger) return;
    const expectedDrops = row.recordedBalanceDrops ?? balanceDrops;
    const differenceDrops = balanceDrops - expectedDrops;
    await tx
      .update(depositAccounts)
      .set({
        recordedBalanceDrops: expectedDrops,
        recordedFromLedger: row.recordedBalanceDrops === null ? cursorLedger : row.recordedFromLedger,
        differenceDrops,
        reconciledLedger: cursorLedger,
      })
      .where(eq(depositAccounts.address, address));
    if (differenceDrops === row.differenceDrops) return;
    if (differenceDrops === 0n) {
      ctx.log.info({ account: address, ledger_index: cursorLedger }, 'the recorded balance matches the ledger again');
      return;
    }
    const found = { account: address, ledgerIndex: cursorLedger, expectedDrops, actualDrops: balanceDrops };
    await raiseAlerts(ctx, tx, [balanceDifference(found)]);
  });
}

/** Null when it is unknown: an account that is gone has nothing, but a ledger that no server holds proves nothing. */
async function readBalance(ctx: Ctx, address: string, ledgerIndex: number): Promise<Drops | null> {
  try {
    return (await ctx.ledger.balanceAt(address, ledgerIndex)) ?? 0n;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    ctx.log.warn({ err: error, account: address, ledger_index: ledgerIndex }, 'the balance could not be compared');
    return null;
  }
}
