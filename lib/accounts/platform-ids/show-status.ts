import type { Ctx } from '#lib/ctx.ts';
import type { PlatformIdStatus } from './contracts.ts';
import { holderStatusOf } from './holder-status.ts';
import { findPlatformId } from './issue-platform-id.ts';
import { statusOf } from './profile.ts';

/** The Platform ID status of a wallet (classic address). */
export async function showPlatformIdStatus(ctx: Ctx, walletAddress: string): Promise<PlatformIdStatus> {
  const [row, holderStatus] = await Promise.all([
    findPlatformId(ctx.db, walletAddress),
    holderStatusOf(ctx, walletAddress),
  ]);
  return statusOf(walletAddress, row, holderStatus);
}
