import { type Drops, formatDrops } from '@tranche/rules/amounts.ts';
import { compareExact, exactText } from '@tranche/rules/exact-decimal.ts';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { allocations, investments } from '#drizzle/schema/sale.ts';
import { toIso, toIsoOrNull } from '#lib/base/clock.ts';
import type { Db } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import { BADGES, type PlatformIdProfile, type PlatformIdStatus } from './contracts.ts';
import { eligibilityOf, type HolderStatus, type Snapshot } from './eligibility.ts';
import type { PlatformIdRow } from './issue-platform-id.ts';

/** Projects that make a multi-project investor. */
const MANY_PROJECTS = 3;

/** What a wallet's confirmed investments come to. Times are close times of the payments' ledgers. */
export interface InvestmentFacts {
  count: number;
  projects: number;
  /** Allocated by all of them. */
  totalDrops: Drops;
  firstAt: Date | null;
  lastAt: Date | null;
  /** The first payment that bought in a project's first tier. */
  firstTierAt: Date | null;
  /** The first payment into the third project. */
  manyProjectsAt: Date | null;
}

const instantOf = (time: SQL) => sql<Date | null>`${time}`.mapWith(investments.paidAt);

/** The sums of a wallet's confirmed investments, in one statement over the index of what is its own. */
export async function readInvestments(db: Db, walletAddress: string): Promise<InvestmentFacts> {
  const own = db.$with('own').as(
    db
      .select({
        id: investments.id,
        projectId: investments.projectId,
        drops: investments.confirmedDrops,
        paidAt: investments.paidAt,
      })
      .from(investments)
      .where(and(eq(investments.investorAccount, walletAddress), eq(investments.status, 'confirmed'))),
  );
  const perProject = db.$with('per_project').as(
    db
      .select({ projectId: own.projectId, firstAt: sql<Date>`min(${own.paidAt})`.as('first_at') })
      .from(own)
      .groupBy(own.projectId),
  );
  const [sums] = await db
    .with(own, perProject)
    .select({
      count: sql`count(*)`.mapWith(Number),
      projects: sql`count(distinct ${own.projectId})`.mapWith(Number),
      totalDrops: sql`coalesce(sum(${own.drops}), 0)`.mapWith(BigInt),
      firstAt: instantOf(sql`min(${own.paidAt})`),
      lastAt: instantOf(sql`max(${own.paidAt})`),
      firstTierAt: instantOf(
        sql`min(${own.paidAt}) filter (where exists (
          select from ${allocations} where ${allocations.investmentId} = ${own.id} and ${allocations.tier} = 1))`,
      ),
      manyProjectsAt: instantOf(
        sql`(select ${perProject.firstAt} from ${perProject} order by 1 offset ${MANY_PROJECTS - 1} limit 1)`,
      ),
    })
    .from(own);
  if (sums === undefined) throw new Error('A sum gave no row');
  return sums;
}

type Badge = (typeof BADGES)[number];

const TOP_RANK = 100;
const YEAR_MS = 365 * 86_400_000;

/** A year with a Platform ID counts once it is over. */
function yearOver(createdAt: Date, now: Date): Date | null {
  const over = new Date(createdAt.getTime() + YEAR_MS);
  return over <= now ? over : null;
}

/** What a wallet has earned by what the records and the last snapshot say, each with the time of the fact. Pure. */
export function badgesOf(
  facts: { investments: InvestmentFacts; holderStatus: HolderStatus; eligible: boolean; createdAt: Date },
  now: Date,
): { name: Badge; earnedAt: Date }[] {
  const { investments, holderStatus, eligible, createdAt } = facts;
  const inTop = holderStatus.state === 'counted' && holderStatus.rank !== null && holderStatus.rank <= TOP_RANK;
  const earned: Record<Badge, Date | null> = {
    early_investor: investments.firstTierAt,
    investor: investments.firstAt,
    multi_project_investor: investments.manyProjectsAt,
    top_100_holder: inTop ? holderStatus.syncedAt : null,
    one_year_member: eligible ? yearOver(createdAt, now) : null,
  };
  return BADGES.flatMap((name) => (earned[name] === null ? [] : [{ name, earnedAt: earned[name] }]));
}

/** The snapshot that a holderStatus is from, as answers show it. */
function snapshotOf(holderStatus: HolderStatus): { ledger_index: number | null; synced_at: string | null } {
  const shown = ({ ledgerIndex, syncedAt }: Snapshot) => ({ ledger_index: ledgerIndex, synced_at: toIso(syncedAt) });
  return 'ledgerIndex' in holderStatus ? shown(holderStatus) : { ledger_index: null, synced_at: null };
}

const balanceOf = (holderStatus: HolderStatus): string | null =>
  holderStatus.state === 'counted' ? exactText(holderStatus.balance) : null;

function requiredBalance(): string | null {
  const least = env().PLATFORM_ID_MIN_BALANCE;
  return compareExact(least, '0') === 0 ? null : exactText(least);
}

/** What the status says of a wallet: its Platform ID where it has one, and how it stands by the last snapshot. Pure but for the settings. */
export function statusOf(
  walletAddress: string,
  row: PlatformIdRow | null,
  holderStatus: HolderStatus,
): PlatformIdStatus {
  const eligibility = eligibilityOf(holderStatus);
  const refused = eligibility.eligible ? null : eligibility;
  const toGenerate = 'Ask for it: POST /api/platform-id/generate with this `wallet_address`.';
  return {
    wallet_address: walletAddress,
    has_platform_id: row !== null,
    platform_id: row?.id ?? null,
    eligible: eligibility.eligible,
    reason: refused?.reason ?? null,
    explanation: refused?.explanation ?? null,
    next_step: refused?.whatToDo ?? (row === null ? toGenerate : null),
    required_balance: requiredBalance(),
    balance: balanceOf(holderStatus),
    level: eligibility.eligible ? eligibility.level : null,
    ...snapshotOf(holderStatus),
  };
}

/** The profile of a wallet that has a Platform ID, with what it holds by the last snapshot and what it has invested. */
export async function profileOf(ctx: Ctx, row: PlatformIdRow, holderStatus: HolderStatus): Promise<PlatformIdProfile> {
  const investments = await readInvestments(ctx.db, row.walletAddress);
  const eligibility = eligibilityOf(holderStatus);
  const badges = badgesOf(
    { investments, holderStatus, eligible: eligibility.eligible, createdAt: row.createdAt },
    new Date(ctx.clock.nowMs()),
  );
  return {
    wallet_address: row.walletAddress,
    platform_id: row.id,
    display_name: row.displayName,
    level: eligibility.eligible ? eligibility.level : null,
    holdings: balanceOf(holderStatus),
    share: holderStatus.state === 'counted' ? holderStatus.share : null,
    rank: holderStatus.state === 'counted' ? holderStatus.rank : null,
    badges: badges.map(({ name, earnedAt }) => ({ name, earned_at: toIso(earnedAt) })),
    investments: {
      count: investments.count,
      projects: investments.projects,
      total_xrp: formatDrops(investments.totalDrops),
      first_at: toIsoOrNull(investments.firstAt),
      last_at: toIsoOrNull(investments.lastAt),
    },
    ...snapshotOf(holderStatus),
    created_at: toIso(row.createdAt),
  };
}
