import { type Drops, formatDrops } from '@tranche/rules/amounts.ts';
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Ctx } from '#lib/ctx.ts';
import type { historyContract } from '../contracts.ts';
import { findProject } from './project-resource.ts';
import { shortMemory } from './short-memory.ts';

type RaisedHistory = z.output<(typeof historyContract)['responses'][200]>;
export type RaisedPoint = RaisedHistory['points'][number];

const MOST_STEPS = 96;
const MAX_AGE_MS = 60_000;
/** Every investment is read for it: with so many investors once a minute, however often they pay. */
const LARGE_SALE_INVESTORS = 10_000;
/** Everybody who looks at a sale asks for the same. By what was raised, too: with the same sum it is the same history. */
const remembered = shortMemory<RaisedHistory>(MAX_AGE_MS);

/**
 * The sum invested over a sale's time, in at most 96 equal steps from the first confirmed payment to the last; a step in
 * which nothing was paid is left out. What a cancelled sale refunded stays in it, as in `total_raised_xrp`. Times are close
 * times of ledgers. Of a sale with 10,000 investors it is up to a minute old. Throws `project_not_found`.
 */
export async function raisedOverTime(ctx: Ctx, projectId: string): Promise<RaisedHistory> {
  const project = await findProject(ctx.db, projectId);
  const key = project.investors < LARGE_SALE_INVESTORS ? `${projectId} ${project.raisedDrops}` : projectId;
  return remembered(key, ctx.clock.nowMs(), () => read(ctx, projectId));
}

/** What was confirmed of an investment stays in its row when a cancelled sale takes it back. */
async function read(ctx: Ctx, projectId: string): Promise<RaisedHistory> {
  const { rows } = await ctx.db.execute<{ at: Date | string; drops: string; investments: string }>(sql`
    -- By ledgers first: a large sale has hundreds of payments in one.
    with closed as materialized (
      select paid_at, sum(confirmed_drops) as drops, count(*) as investments
      from investments where project_id = ${projectId} and confirmed_drops > 0 group by paid_at
    ), span as (
      select min(paid_at) as since, greatest(max(paid_at) - min(paid_at), interval '1 second') as length from closed
    ), stepped as (
      select least(floor(extract(epoch from paid_at - since) / extract(epoch from length) * ${MOST_STEPS}), ${MOST_STEPS - 1}) as step,
        max(paid_at) as at, sum(drops) as drops, sum(investments) as investments
      from closed, span group by 1
    )
    select at, (sum(drops) over (order by step))::text as drops, (sum(investments) over (order by step))::text as investments
    from stepped order by step`);
  return {
    project_id: projectId,
    points: rows.map(({ at, drops, investments }) => ({
      at: new Date(at).toISOString(),
      raised_xrp: formatDrops(BigInt(drops) as Drops),
      investments: Number(investments),
    })),
  };
}
