import { asc, eq, inArray } from 'drizzle-orm';
import { projects, tiers } from '#drizzle/schema/sale.ts';
import { toIsoOrNull } from '#lib/base/clock.ts';
import type { Db } from '#lib/base/db.ts';
import { formatDrops, formatPrice, formatUnits, minBigInt, percentageFloor } from '#lib/base/money.ts';
import { fullRaiseDrops } from '#lib/rules/allocate.ts';
import type { Move } from '#lib/rules/types.ts';
import type { ProjectResource } from '../schemas.ts';
import { countInvestors } from './count-investors.ts';

export type ProjectRow = typeof projects.$inferSelect;
export type TierRow = typeof tiers.$inferSelect;

const dropsOrNull = (drops: bigint | null): string | null => (drops === null ? null : formatDrops(drops));

function tokenOf(row: ProjectRow): ProjectResource['token'] {
  return row.tokenKind === 'mpt'
    ? { kind: 'mpt', issuance_id: row.issuanceId ?? '', decimals: row.decimals }
    : { kind: 'iou', currency: row.currency ?? '', issuer: row.issuer ?? '', decimals: row.decimals };
}

/** The project resource, the same in every answer. Pure. */
export function projectResourceOf(
  row: ProjectRow,
  tierRows: readonly TierRow[],
  totalInvestors: number,
  pendingMove: ShownRow['openMove'],
): ProjectResource {
  const fullDrops = fullRaiseDrops(tierRows, row.decimals);
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    website: row.website,
    logo: row.logo,
    status: row.status,
    token: tokenOf(row),
    distributor: row.distributor,
    deposit_address: row.depositAddress,
    destination_tag: row.destinationTag,
    tiers: tierRows.map((tier) => ({
      tier: tier.tier,
      price_per_token: formatPrice(tier.price),
      total_tokens: formatUnits(tier.totalUnits, row.decimals),
      sold_tokens: formatUnits(tier.soldUnits, row.decimals),
      access: tier.access,
      starts_at: toIsoOrNull(tier.startsAt),
      completed_at: toIsoOrNull(tier.completedAt),
    })),
    starts_at: toIsoOrNull(row.startsAt),
    ends_at: toIsoOrNull(row.endsAt),
    soft_cap_xrp: dropsOrNull(row.softCapDrops),
    min_investment_xrp: dropsOrNull(row.minInvestmentDrops),
    max_per_wallet_xrp: dropsOrNull(row.maxPerWalletDrops),
    access: row.access,
    distribution: row.distribution,
    vesting: row.vesting,
    treasury: row.treasury,
    claim_days: row.claimDays,
    refund_min_xrp: formatDrops(row.refundMinDrops),
    progress: {
      tiers_completed: tierRows.filter((tier) => tier.completedAt !== null).length,
      total_tiers: tierRows.length,
      total_raised_xrp: formatDrops(row.raisedDrops),
      unwound_xrp: formatDrops(row.unwoundDrops),
      progress_percentage: percentageFloor(minBigInt(row.raisedDrops, fullDrops), fullDrops),
      total_investors: totalInvestors,
    },
    terms_hash: row.termsHash,
    list_hash: row.listHash,
    pending_move: pendingMove === null ? null : { move: pendingMove.move, transaction_hash: pendingMove.txHash },
    created_at: row.createdAt.toISOString(),
    launched_at: toIsoOrNull(row.launchedAt),
    ended_at: toIsoOrNull(row.endedAt),
    end_reason: row.endReason,
  };
}

/** A project's row and the move of it that waited for the ledger in the same moment. */
export interface ShownRow {
  row: ProjectRow;
  openMove: { move: Move; txHash: string } | null;
}

/** Resources for rows already read, in their order: at most two more queries for any number of projects. */
export async function loadProjectResources(db: Db, shown: readonly ShownRow[]): Promise<ProjectResource[]> {
  if (shown.length === 0) return [];
  const rows = shown.map(({ row }) => row);
  const ids = rows.map((row) => row.id);
  const [tierRows, investorsOf] = await Promise.all([
    db.select().from(tiers).where(inArray(tiers.projectId, ids)).orderBy(asc(tiers.tier)),
    countInvestors(db, rows),
  ]);
  const tiersOf = Map.groupBy(tierRows, (tier) => tier.projectId);
  return shown.map(({ row, openMove }) =>
    projectResourceOf(row, tiersOf.get(row.id) ?? [], investorsOf.get(row.id) ?? 0, openMove),
  );
}

/** One project by id, or null. */
export async function findProject(db: Db, id: string): Promise<ProjectRow | null> {
  const [row] = await db.select().from(projects).where(eq(projects.id, id));
  return row ?? null;
}
