import { sql } from 'drizzle-orm';
import { leases } from '#drizzle/schema/jobs.ts';
import { payouts } from '#drizzle/schema/payouts.ts';
import { depositAccounts, projects } from '#drizzle/schema/sale.ts';
import { verifications } from '#drizzle/schema/verifications.ts';
import { newId } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';

/** A little less than a day: the cron that asks for runs does not come to the second. */
const AGAIN_AFTER_HOURS = 20;
/** A sale that has ended is looked at this long, and as long as it still owes something. */
const AFTER_END_DAYS = 30;

/** The lease that a run's slices hand on. */
export const VERIFICATION_LEASE = 'verify-sales:';

interface Run {
  id: string;
  projectId: string;
}

interface Row extends Record<string, unknown> {
  id: string;
  project_id: string;
}

/**
 * A run for each launched sale that was not verified today. Gives those and the ones that were left unfinished, not those
 * under way.
 */
export async function startRuns(ctx: Ctx): Promise<Run[]> {
  const due = await ctx.db.execute<{ project_id: string; as_of: string }>(sql`
    select p.id as project_id, least(d.confirmed_ledger, p.custody_through_ledger)::text as as_of
    from ${projects} p join ${depositAccounts} d on d.address = p.deposit_address
    where p.launched_at is not null and d.confirmed_ledger > d.registered_ledger
      and (p.status in ('active', 'paused') or p.ended_at > now() - make_interval(days => ${AFTER_END_DAYS})
        or exists (select from ${payouts} o where o.project_id = p.id and o.status not in ('validated', 'cancelled')))
      and not exists (select from ${verifications} v where v.project_id = p.id
        and (v.status = 'running' or v.started_at > now() - make_interval(hours => ${AGAIN_AFTER_HOURS})))`);
  if (due.rows.length > 0) {
    await ctx.db.insert(verifications).values(
      due.rows.map((row) => ({
        id: newId('ver', ctx.random),
        projectId: row.project_id,
        asOfLedger: Number(row.as_of),
      })),
    );
  }
  const running = await ctx.db.execute<Row>(sql`
    select v.id, v.project_id from ${verifications} v
    where v.status = 'running' and not exists (select from ${leases} l
      where l.name = ${VERIFICATION_LEASE} || v.id and l.holder is not null and l.leased_until > now())
    order by v.started_at`);
  return running.rows.map((row) => ({ id: row.id, projectId: row.project_id }));
}
