import type { PlatformIdStatus } from '#lib/accounts/platform-ids/contracts.ts';
import { findPlatformId } from '#lib/accounts/platform-ids/give-platform-id.ts';
import { statusOf } from '#lib/accounts/platform-ids/profile.ts';
import type { Ctx } from '#lib/ctx.ts';
import { standingOf } from './standing.ts';

/** The Platform ID status of a wallet (classic address). */
export async function showPlatformIdStatus(ctx: Ctx, walletAddress: string): Promise<PlatformIdStatus> {
  const [row, standing] = await Promise.all([findPlatformId(ctx.db, walletAddress), standingOf(ctx, walletAddress)]);
  return statusOf(walletAddress, row, standing);
}
