import { type SQL, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { projects } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { unclaimedParts } from './events.ts';

/** Waits for its holder longer than the project's `claim_days` since it is due, as of `moment`. Needs `projects` joined. */
export const isOverdue = (moment: SQL = sql`now()`): SQL<boolean> =>
  sql<boolean>`(${payouts.kind} = 'distribution' and ${payouts.status} in ('scheduled', 'waiting_holder', 'ready')
    and ${projects.status} <> 'cancelled'
    and ${payouts.dueAt} + ${projects.claimDays} * interval '1 day' < ${moment})`;

/** Midnight (UTC), by the database's clock. */
const TODAY = sql`date_trunc('day', now(), 'UTC')`;

/**
 * Raises one alert a project for the parts of this account that became overdue up to the day before: the day is over, so
 * that no part is left out of its alert, and it is raised once however often this runs.
 */
export async function reportOverdue(ctx: Ctx, account: string): Promise<void> {
  // No part can be overdue before the account's shortest time to claim: with that the index is read no further.
  const shortest = sql`(select min(s.claim_days) from ${projects} as s where s.distributor = ${account})`;
  const found = await ctx.db.execute<{
    project_id: string;
    decimals: number;
    parts: number;
    units: string;
    day: string;
  }>(sql`
    select ${projects.id} as project_id, ${projects.decimals} as decimals, count(*)::int as parts,
      sum(${payouts.amount})::text as units,
      (max(${payouts.dueAt} + ${projects.claimDays} * interval '1 day') at time zone 'UTC')::date::text as day
    from ${payouts} join ${projects} on ${projects.id} = ${payouts.projectId}
    where ${payouts.account} = ${account} and ${payouts.dueAt} < now() - ${shortest} * interval '1 day'
      and ${payouts.status} in ('scheduled', 'waiting_holder', 'ready') and ${isOverdue(TODAY)}
    group by ${projects.id}`);
  if (found.rows.length === 0) return;
  const alerts = found.rows.map(({ project_id: projectId, units, ...rest }) =>
    unclaimedParts({ account, projectId, units: BigInt(units), ...rest }, ctx.clock.nowMs()),
  );
  await ctx.db.transaction((tx) => appendEvents(tx, alerts));
}
