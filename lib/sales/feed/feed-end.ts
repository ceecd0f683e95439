import type { Ctx } from '#lib/ctx.ts';
import { isInForce } from '#lib/xrpl/multi-signer.ts';
import type { Position } from './load-state.ts';

/**
 * The last ledger up to which a deposit account's feed may be recorded now. When other signers were set after all of its sales
 * were over, that is the ledger in which they were set: what comes after it is of their custody period, which
 * `setCustody` begins there.
 */
export async function feedEnd(
  ctx: Ctx,
  address: string,
  { cursorLedger, custody, isSelling }: Position,
  validatedIndex: number,
): Promise<number> {
  if (isSelling || custody === null) return validatedIndex;
  const account = await ctx.ledger.account(address);
  const list = account?.signerList ?? null;
  if (account === null || list === null) return validatedIndex;
  // The list is that of the ledger that the server has answered for: another server may be ahead of it.
  const through = Math.min(validatedIndex, account.ledgerIndex);
  if (isInForce(custody, list) || cursorLedger > list.setInLedger) return through;
  if (cursorLedger === list.setInLedger) {
    ctx.log.warn(
      { account: address, ledger_index: list.setInLedger },
      'the account has other signers: set its custody, so that what came since is read',
    );
  }
  return Math.min(through, list.setInLedger);
}
