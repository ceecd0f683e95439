import type { Ctx } from '#lib/ctx.ts';
import type { PlatformIdStatus } from './contracts.ts';
import { findPlatformId } from './give-platform-id.ts';
import { statusOf } from './profile.ts';
import { standingOf } from './standing.ts';

/** The Platform ID status of a wallet (classic address). */
export async function showPlatformIdStatus(ctx: Ctx, walletAddress: string): Promise<PlatformIdStatus> {
  const [row, standing] = await Promise.all([findPlatformId(ctx.db, walletAddress), standingOf(ctx, walletAddress)]);
  return statusOf(walletAddress, row, standing);
}
