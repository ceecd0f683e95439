import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { AccountState } from '#lib/xrpl/types.ts';

/** A healthy network closes a ledger every few seconds: an older one may show a key that was taken away since. */
export const STALE_LEDGER_MS = 60_000;

/** When the ledger closed that shows the account, or shows none. */
async function closedAtMs(ctx: Ctx, ledgerIndex: number | undefined): Promise<number> {
  if (ledgerIndex !== undefined) return ctx.ledger.closedAtMs(ledgerIndex);
  return (await ctx.ledger.serverState()).validatedAtMs;
}

/**
 * The wallet's account in the newest validated ledger; null when there is none. Throws `ledger_unavailable` while that
 * ledger is more than a minute old: whose key it is now, nobody can say then.
 */
export async function readWalletAccount(ctx: Ctx, walletAddress: string): Promise<AccountState | null> {
  const account = await ctx.ledger.issuer(walletAddress);
  const ageMs = ctx.clock.nowMs() - (await closedAtMs(ctx, account?.ledgerIndex));
  if (ageMs <= STALE_LEDGER_MS) return account;
  throw new PlatformError(
    'ledger_unavailable',
    `The newest ledger that can be read is ${Math.round(ageMs / 1000)} s old; the wallet’s keys may have changed since. Try again in a minute with a new challenge.`,
  );
}
