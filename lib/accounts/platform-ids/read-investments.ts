import type { Drops } from '@tranche/rules/amounts.ts';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { allocations, investments } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';

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
