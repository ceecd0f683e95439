import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { PlatformIdProfile } from './contracts.ts';
import { holderStatusOf } from './holder-status.ts';
import { findPlatformId, lookUpPlatformId } from './issue-platform-id.ts';
import { parsePlatformId } from './platform-id-form.ts';
import { profileOf } from './profile.ts';

/** The profile of a wallet by its classic address or by its Platform ID. Throws `platform_id_not_found`. */
export async function showPlatformIdProfile(ctx: Ctx, walletOrPlatformId: string): Promise<PlatformIdProfile> {
  const find = parsePlatformId(walletOrPlatformId) === null ? findPlatformId : lookUpPlatformId;
  const row = await find(ctx.db, walletOrPlatformId);
  if (row === null) {
    throw new PlatformError(
      'platform_id_not_found',
      'There is no such Platform ID. GET /api/platform-id/status/{wallet_address} says whether a wallet may have one.',
    );
  }
  return profileOf(ctx, row, await holderStatusOf(ctx, row.walletAddress));
}
