import { eq, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { investments, payments, projects } from '#drizzle/schema/sale.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { projectNotFound } from '../projects/project-resource.ts';

/** What stands behind a sale at this moment, in XRP and counts: what its actions would bring about. */
export interface ActionEffects {
  /** Payments that the ledger has brought and nobody has decided yet: they keep their place before any action. */
  undecided: { payments: number; xrp: string };
  /** What a cancel now would owe to buyers: everything whose tokens have not arrived. */
  refunded: { investments: number; wallets: number; xrp: string };
  /** Too little of an investment to be sent back: it would be held. */
  tooSmall: { investments: number; xrp: string };
  /** What stays invested, because its tokens are on the ledger for good. */
  kept: { investments: number; xrp: string };
  /** Token payouts that are owed and not validated. */
  payoutsOpen: number;
  /** Of them, on their way to the ledger now: if they arrive, their XRP is not refunded. */
  payoutsUnderWay: number;
}

interface Row extends Record<string, unknown> {
  undecided: number;
  undecided_drops: string;
  returned: number;
  returned_wallets: number;
  returned_drops: string;
  too_small: number;
  too_small_drops: string;
  kept: number;
  kept_drops: string;
  open: number;
  under_way: number;
}

/**
 * Reckons what the actions of a project would bring about if they were made now, in one statement, by the rule by which a
 * cancelled sale is refunded (rules/cancellation-refund.ts). Throws `project_not_found`.
 */
export async function readActionEffects({ db }: Ctx, projectId: string): Promise<ActionEffects> {
  const [project] = await db
    .select({ refundMinDrops: projects.refundMinDrops })
    .from(projects)
    .where(eq(projects.id, projectId));
  if (project === undefined) throw projectNotFound();
  const { rows } = await db.execute<Row>(sql`
    with parts as (
      select o.investment_id, coalesce(sum(o.amount) filter (where o.status = 'validated'), 0) as distributed,
        count(*) filter (where o.status not in ('validated', 'cancelled')) as open,
        count(*) filter (where o.status = 'submitted') as under_way
      from ${investments} i join ${payouts} o on o.investment_id = i.id and o.kind = 'distribution'
      where i.project_id = ${projectId} group by 1
    ), invested as (
      select i.status, i.investor_account as wallet, i.amount_drops, p.invested_drops,
        case when coalesce(parts.distributed, 0) = 0 then p.invested_drops
          else div(p.invested_drops::numeric * (i.total_units - parts.distributed), i.total_units) end as back,
        coalesce(parts.open, 0) as open, coalesce(parts.under_way, 0) as under_way
      from ${investments} i
      join ${payments} p on p.tx_hash = i.tx_hash
      left join parts on parts.investment_id = i.id
      where i.project_id = ${projectId} and i.status <> 'failed'
    ), judged as (
      select *, status = 'confirmed' and back > 0 and back >= ${String(project.refundMinDrops)}::numeric as returns
      from invested
    )
    select
      (count(*) filter (where status = 'pending_confirmation'))::int as undecided,
      coalesce(sum(amount_drops) filter (where status = 'pending_confirmation'), 0)::text as undecided_drops,
      (count(*) filter (where returns))::int as returned,
      (count(distinct wallet) filter (where returns))::int as returned_wallets,
      coalesce(sum(back) filter (where returns), 0)::text as returned_drops,
      (count(*) filter (where status = 'confirmed' and not returns and back > 0))::int as too_small,
      coalesce(sum(back) filter (where status = 'confirmed' and not returns), 0)::text as too_small_drops,
      (count(*) filter (where status = 'confirmed' and invested_drops > back))::int as kept,
      coalesce(sum(invested_drops - back) filter (where status = 'confirmed'), 0)::text as kept_drops,
      coalesce(sum(open), 0)::int as open,
      coalesce(sum(under_way), 0)::int as under_way
    from judged`);
  const [row] = rows;
  if (row === undefined) throw new Error('An aggregate gave no row');
  const xrp = (drops: string): string => formatDrops(BigInt(drops));
  return {
    undecided: { payments: row.undecided, xrp: xrp(row.undecided_drops) },
    refunded: { investments: row.returned, wallets: row.returned_wallets, xrp: xrp(row.returned_drops) },
    tooSmall: { investments: row.too_small, xrp: xrp(row.too_small_drops) },
    kept: { investments: row.kept, xrp: xrp(row.kept_drops) },
    payoutsOpen: row.open,
    payoutsUnderWay: row.under_way,
  };
}
