import type { InvestmentFacts } from './read-investments.ts';
import type { Standing } from './types.ts';

/** Every badge there is; docs/platform-id.md says what each stands for. */
export const BADGES = [
  'early_investor',
  'investor',
  'multi_project_investor',
  'top_100_holder',
  'one_year_member',
] as const;
type Badge = (typeof BADGES)[number];

const TOP_RANK = 100;
const YEAR_MS = 365 * 86_400_000;

/** A year with a Platform ID counts once it is over. */
function yearOver(createdAt: Date, now: Date): Date | null {
  const over = new Date(createdAt.getTime() + YEAR_MS);
  return over <= now ? over : null;
}

/** What a wallet has earned by what the books and the last snapshot say, each with the time of the fact. Pure. */
export function badgesOf(
  facts: { investments: InvestmentFacts; standing: Standing; eligible: boolean; createdAt: Date },
  now: Date,
): { name: Badge; earnedAt: Date }[] {
  const { investments, standing, eligible, createdAt } = facts;
  const inTop = standing.state === 'counted' && standing.rank !== null && standing.rank <= TOP_RANK;
  const earned: Record<Badge, Date | null> = {
    early_investor: investments.firstTierAt,
    investor: investments.firstAt,
    multi_project_investor: investments.manyProjectsAt,
    top_100_holder: inTop ? standing.syncedAt : null,
    one_year_member: eligible ? yearOver(createdAt, now) : null,
  };
  return BADGES.flatMap((name) => (earned[name] === null ? [] : [{ name, earnedAt: earned[name] }]));
}
