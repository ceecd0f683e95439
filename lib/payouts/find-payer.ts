import type { Ctx } from '#lib/ctx.ts';
import { keyEntryFault } from '#lib/xrpl/key-check.ts';
import { canSignFor } from '#lib/xrpl/keys.ts';
import { findSigner, type Signer } from '#lib/xrpl/signer.ts';
import type { AccountState } from '#lib/xrpl/types.ts';
import type { PayoutReason } from './types.ts';

/** Why nothing can be paid from an account at all. */
export type PayerFault = Extract<
  PayoutReason,
  'signing_key_missing' | 'signing_key_unfit' | 'payer_missing' | 'payer_key_disabled' | 'payer_key_changed'
>;

/**
 * A paying account with who signs for it, by SIGNING_KEYS and by the newest validated ledger; or why nothing can be paid
 * from it. Fails closed: one wrong entry beside a good one is enough. Throws PlatformError `ledger_unavailable`.
 */
export async function findPayer(
  ctx: Pick<Ctx, 'ledger'>,
  account: string,
): Promise<{ payer: AccountState; signer: Signer } | PayerFault> {
  if (!canSignFor(account)) return 'signing_key_missing';
  if ((await keyEntryFault(account)) !== null) return 'signing_key_unfit';
  const payer = await ctx.ledger.account(account);
  if (payer === null) return 'payer_missing';
  const signer = await findSigner(payer);
  return typeof signer === 'string' ? `payer_${signer}` : { payer, signer };
}
