import { readHolding } from '#lib/accounts/holders/read-holding.ts';
import { platformToken } from '#lib/accounts/holders/tokens.ts';
import { env } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { LedgerToken } from '#lib/xrpl/token.ts';
import { issuerOfIssuance } from '#lib/xrpl/token.ts';
import type { HolderStatus } from './eligibility.ts';

const issuerOf = (token: LedgerToken): string =>
  token.kind === 'iou' ? token.issuer : issuerOfIssuance(token.issuanceId);

/** How a wallet (classic address) stands by the last snapshot of the platform token's holders. */
export async function holderStatusOf(ctx: Ctx, walletAddress: string): Promise<HolderStatus> {
  const token = platformToken();
  if (token === null) return { state: 'no_platform_token' };
  const holding = await readHolding(ctx.db, token, walletAddress);
  if (holding === null) return { state: 'no_snapshot' };
  const { balance, rank, share, ledgerIndex, syncedAt } = holding;
  // Also before a snapshot knows of them, or while they hold nothing.
  const isExcluded =
    holding.excluded || walletAddress === issuerOf(token) || env().HOLDERS_EXCLUDED.includes(walletAddress);
  return isExcluded
    ? { state: 'excluded', ledgerIndex, syncedAt }
    : { state: 'counted', balance, rank, share, ledgerIndex, syncedAt };
}
