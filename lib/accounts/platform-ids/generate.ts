import type { z } from 'zod';
import { proveWallet } from '#lib/accounts/api-keys/prove-wallet.ts';
import { toIso } from '#lib/base/clock.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { GeneratedPlatformId, generateBody } from './contracts.ts';
import { eligibilityOf } from './eligibility.ts';
import { holderStatusOf } from './holder-status.ts';
import { findPlatformId, type IssuedPlatformId, issuePlatformId } from './issue-platform-id.ts';

/**
 * Gives a wallet its Platform ID, or the one that it has. A display name is set by a proof of the wallet, also later. Throws
 * `not_eligible` with the reason for a wallet that has none and may have none, then `invalid_proof`, and
 * `ledger_unavailable` when nobody can say whose key it is: a challenge is used up only for who is eligible.
 */
export async function generatePlatformId(
  ctx: Ctx,
  body: z.output<typeof generateBody>,
): Promise<{ isNew: boolean; platformId: GeneratedPlatformId }> {
  const { wallet_address: walletAddress, display_name: displayName = null, proof } = body;
  const [existing, holderStatus] = await Promise.all([
    findPlatformId(ctx.db, walletAddress),
    holderStatusOf(ctx, walletAddress),
  ]);
  const eligibility = eligibilityOf(holderStatus);
  if (existing === null && !eligibility.eligible) {
    const { reason, explanation, whatToDo } = eligibility;
    throw new PlatformError('not_eligible', `${explanation} ${whatToDo}`, {
      errors: [{ field: 'wallet_address', message: reason }],
    });
  }
  if (proof !== undefined) await proveWallet(ctx, proof, 'set_display_name', walletAddress);
  const given: IssuedPlatformId =
    existing !== null && displayName === null
      ? { row: existing, isNew: false }
      : await issuePlatformId(ctx, { walletAddress, displayName });
  return {
    isNew: given.isNew,
    platformId: {
      platform_id: given.row.id,
      wallet_address: walletAddress,
      display_name: given.row.displayName,
      level: eligibility.eligible ? eligibility.level : null,
      created_at: toIso(given.row.createdAt),
    },
  };
}
