import { fullRaiseDrops } from '@tranche/rules/allocate.ts';
import { credentialTypeText } from '@tranche/rules/credentials.ts';
import type { Action } from '@tranche/rules/types.ts';
import { and, asc, countDistinct, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { actions, allocations, type ProjectRow, projects, type TierRow, tiers } from '#drizzle/schema/sale.ts';
import { toIsoOrNull } from '#lib/base/clock.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { formatDrops, formatPrice, formatUnits, minBigInt, percentageFloor } from '#lib/base/money.ts';
import { lockDepositAccount } from '../feed/load-state.ts';
import type { ProjectResource } from '../schemas.ts';
import { projectNotFound } from './project-not-found.ts';

export { projectNotFound };

const dropsOrNull = (drops: bigint | null): string | null => (drops === null ? null : formatDrops(drops));

export function tokenOf(row: ProjectRow): ProjectResource['token'] {
  if (row.tokenKind === 'mpt' && row.issuanceId !== null) {
    return { kind: 'mpt', issuance_id: row.issuanceId, decimals: row.decimals };
  }
  if (row.tokenKind === 'iou' && row.currency !== null && row.issuer !== null) {
    return { kind: 'iou', currency: row.currency, issuer: row.issuer, decimals: row.decimals };
  }
  throw new Error(`Project ${row.id} has no token`);
}

/** The project resource, the same in every answer. Pure. */
export function projectResourceOf(
  row: ProjectRow,
  tierRows: readonly TierRow[],
  totalInvestors: number,
  pendingAction: ShownRow['openAction'],
): ProjectResource {
  const fullDrops = fullRaiseDrops(tierRows, row.decimals);
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    website: row.website,
    logo: row.logo,
    links: row.links,
    team: row.team,
    documents: row.documents,
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
      credential:
        tier.credential === null
          ? null
          : { type: credentialTypeText(tier.credential.credential_type), ...tier.credential },
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
      cancelled_xrp: formatDrops(row.cancelledDrops),
      progress_percentage: percentageFloor(minBigInt(row.raisedDrops, fullDrops), fullDrops),
      total_investors: totalInvestors,
    },
    custody: row.custody,
    custody_through_ledger: row.custodyThroughLedger,
    locks: row.locks,
    unsold_until: toIsoOrNull(row.unsoldUntil),
    vesting_locked: row.vestingLocked,
    terms_hash: row.termsHash,
    list_hash: row.listHash,
    pending_action:
      pendingAction === null ? null : { action: pendingAction.action, transaction_hash: pendingAction.txHash },
    created_at: row.createdAt.toISOString(),
    launched_at: toIsoOrNull(row.launchedAt),
    ended_at: toIsoOrNull(row.endedAt),
    end_reason: row.endReason,
  };
}

/** A project's row and the action of it that waited for the ledger in the same moment. */
interface ShownRow {
  row: ProjectRow;
  openAction: { action: Action; txHash: string } | null;
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
  return shown.map(({ row, openAction }) =>
    projectResourceOf(row, tiersOf.get(row.id) ?? [], investorsOf.get(row.id) ?? 0, openAction),
  );
}

/** One project by id. Throws `project_not_found`, also for a draft that was deleted. */
export async function findProject(db: Db, id: string): Promise<ProjectRow> {
  const [row] = await db
    .select()
    .from(projects)
    .where(and(eq(projects.id, id), isNull(projects.deletedAt)));
  if (row === undefined) throw projectNotFound();
  return row;
}

/** The project as it stands, with its deposit account, unchanging until the transaction ends. Throws `project_not_found`. */
export async function lockProject(
  tx: Tx,
  { id, depositAddress }: Pick<ProjectRow, 'id' | 'depositAddress'>,
): Promise<ProjectRow> {
  // Account before project: everybody locks them in this order.
  await lockDepositAccount(tx, depositAddress);
  const [row] = await tx
    .select()
    .from(projects)
    .where(and(eq(projects.id, id), isNull(projects.deletedAt)))
    .for('update');
  if (row === undefined) throw projectNotFound();
  return row;
}

/** The tiers of a project in their order. */
export const findTiers = (db: Db, projectId: string): Promise<TierRow[]> =>
  db.select().from(tiers).where(eq(tiers.projectId, projectId)).orderBy(asc(tiers.tier));

/**
 * Projects, newest first, each read with its open action in one statement: read apart, an action that is applied in between
 * would be gone before its effect shows, and look as if it had expired.
 */
export async function readProjects(db: Db, where: SQL | undefined, limit: number) {
  const open = db
    .select({ action: actions.action, txHash: actions.txHash })
    .from(actions)
    .where(and(eq(actions.projectId, projects.id), inArray(actions.status, ['submitted', 'seen'])))
    .orderBy(desc(actions.createdAt))
    .limit(1)
    .as('open_action');
  const rows = await db
    .select({ row: projects, action: open.action, txHash: open.txHash })
    .from(projects)
    .leftJoinLateral(open, sql`true`)
    .where(and(where, isNull(projects.deletedAt)))
    .orderBy(desc(projects.createdAt), desc(projects.id))
    .limit(limit);
  return rows.map(({ row, action, txHash }) => ({
    row,
    openAction: action === null || txHash === null ? null : { action, txHash },
  }));
}

/** One project as the API shows it, or null. */
export async function showProject(db: Db, where: SQL): Promise<ProjectResource | null> {
  const [resource] = await loadProjectResources(db, await readProjects(db, where, 1));
  return resource ?? null;
}

interface Counted {
  raisedDrops: bigint;
  wallets: Promise<number>;
}

/** Bounded: a full table starts anew. */
const MAX_PROJECTS = 1_000;
const countedIn = new WeakMap<Db, Map<string, Counted>>();

/**
 * Distinct wallets with an allocation, by project id: as the rows have them. Every allocation raises `raised_drops`, so a
 * count stays true for as long as that stands. What has no true one, because it was raised before counts were kept, is
 * counted by one query and remembered: over 100,000 allocations it takes 50 ms and more, too much for each of many readers.
 */
async function countInvestors(db: Db, all: readonly ProjectRow[]): Promise<Map<string, number>> {
  const rows = all.filter((row) => row.investorsDrops !== row.raisedDrops);
  const known = countedIn.get(db) ?? new Map<string, Counted>();
  countedIn.set(db, known);
  if (known.size > MAX_PROJECTS) known.clear();
  const missing = rows.filter((row) => known.get(row.id)?.raisedDrops !== row.raisedDrops);
  if (missing.length > 0) {
    const counts = countWallets(
      db,
      missing.map((row) => row.id),
    );
    for (const { id, raisedDrops } of missing) {
      known.set(id, { raisedDrops, wallets: counts.then((found) => found.get(id) ?? 0) });
    }
    counts.catch(() => {
      for (const { id } of missing) known.delete(id);
    });
  }
  const counted = all.map(async ({ id, investors, investorsDrops, raisedDrops }) => {
    return [id, investorsDrops === raisedDrops ? investors : ((await known.get(id)?.wallets) ?? 0)] as const;
  });
  return new Map(await Promise.all(counted));
}

/** Distinct wallets with an allocation, by project id, as the table has them now. */
export async function countWallets(db: Db, projectIds: readonly string[]): Promise<Map<string, number>> {
  if (projectIds.length === 0) return new Map();
  const rows = await db
    .select({ projectId: allocations.projectId, wallets: countDistinct(allocations.investorAccount) })
    .from(allocations)
    .where(inArray(allocations.projectId, [...projectIds]))
    .groupBy(allocations.projectId);
  return new Map(rows.map((row) => [row.projectId, row.wallets]));
}
