import { formatDrops } from '@tranche/rules/amounts.ts';
import { toIso, toIsoOrNull } from '#lib/base/clock.ts';
import type { Ctx } from '#lib/ctx.ts';
import { badgesOf } from './badges.ts';
import type { PlatformIdProfile } from './contracts.ts';
import { eligibilityOf } from './eligibility.ts';
import type { PlatformIdRow } from './find-platform-id.ts';
import { readInvestments } from './read-investments.ts';
import { balanceOf, snapshotOf } from './status.ts';
import type { Standing } from './types.ts';

/** The profile of a wallet that has a Platform ID, with what it holds by the last snapshot and what it has invested. */
export async function profileOf(ctx: Ctx, row: PlatformIdRow, standing: Standing): Promise<PlatformIdProfile> {
  const investments = await readInvestments(ctx.db, row.walletAddress);
  const eligibility = eligibilityOf(standing);
  const badges = badgesOf(
    { investments, standing, eligible: eligibility.eligible, createdAt: row.createdAt },
    new Date(ctx.clock.nowMs()),
  );
  return {
    wallet_address: row.walletAddress,
    platform_id: row.id,
    display_name: row.displayName,
    level: eligibility.eligible ? eligibility.level : null,
    holdings: balanceOf(standing),
    share: standing.state === 'counted' ? standing.share : null,
    rank: standing.state === 'counted' ? standing.rank : null,
    badges: badges.map(({ name, earnedAt }) => ({ name, earned_at: toIso(earnedAt) })),
    investments: {
      count: investments.count,
      projects: investments.projects,
      total_xrp: formatDrops(investments.totalDrops),
      first_at: toIsoOrNull(investments.firstAt),
      last_at: toIsoOrNull(investments.lastAt),
    },
    ...snapshotOf(standing),
    created_at: toIso(row.createdAt),
  };
}
