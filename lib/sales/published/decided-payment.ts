import { type SQL, sql } from 'drizzle-orm';
import { investments, moves, payments } from '#drizzle/schema/sale.ts';
import type { ProjectRow } from '../projects/project-resource.ts';

type Project = Pick<ProjectRow, 'id' | 'depositAddress' | 'destinationTag' | 'refundMinDrops'>;

/** The assigns that took effect on a project, as `m`. */
export const assignsOf = (project: Pick<ProjectRow, 'id' | 'depositAddress'>): SQL =>
  sql`m.account = ${project.depositAddress} and m.project_id = ${project.id} and m.move = 'assign' and m.status = 'applied'`;

/** True of a payment `p` that some assign has credited: its investment is not of its own place. */
export const wasAssigned = sql`exists (select from ${moves} a where a.account = p.account and a.move = 'assign'
  and a.status = 'applied' and a.payment_hash = p.tx_hash)`;

/**
 * Joins the investment `i` that the decision in its payment's own place made, null for what turned up too late. One by one,
 * whatever the planner thinks: a page must not cost what the whole sale is large.
 */
export const ownInvestment = (project: Pick<ProjectRow, 'id'>): SQL => sql`
  left join lateral (select * from ${investments} i where i.tx_hash = p.tx_hash and i.project_id = ${project.id}
    and not ${wasAssigned} offset 0) i on true`;

interface Selected {
  /** Of the payment `p`, and of the investment `i` where it is joined. */
  columns: SQL;
  /** `ownInvestment`, or nothing where no column asks for it. */
  join: SQL;
}

/**
 * The project's decisions as rows: every payment `p` with its tag in its own place, and every assigned one in the place of
 * its move. What is selected stands beside the place (`ledger_index`, `transaction_index`) and `assigned_by`; `between`
 * bounds the place, `tail` orders and limits: before anything is joined, whatever the planner knows of the tables.
 */
export function decisions(
  project: Project,
  { columns, join }: Selected,
  between: (place: SQL, ledger: SQL) => SQL,
  tail: SQL,
): SQL {
  return sql`
    (select ${columns}, p.ledger_index, p.transaction_index, p.closed_at as decided_at, null::text as assigned_by
      from (select * from ${payments} p
        where p.account = ${project.depositAddress} and p.destination_tag = ${project.destinationTag}
          and p.outcome <> 'pending' and ${between(sql`p.ledger_index, p.transaction_index`, sql`p.ledger_index`)}
        ${tail}) p ${join})
    union all
    (select ${columns}, m.ledger_index, m.transaction_index, m.closed_at as decided_at, m.tx_hash as assigned_by
      from ${moves} m
      join ${payments} p on p.tx_hash = m.payment_hash
      join ${investments} i on i.tx_hash = p.tx_hash
      where ${assignsOf(project)} and ${between(sql`m.ledger_index, m.transaction_index`, sql`m.ledger_index`)}
      ${tail})`;
}

/** What section 3 of docs/verification.md refunds of `p`, whatever came later: an unwinding changes `payments`, not this. */
export const decidedRefund = (refundMinDrops: bigint): SQL => sql`case when i.id is null then 0
  when i.confirmed_drops > 0 then p.received_drops - i.confirmed_drops
  when p.received_drops >= ${refundMinDrops}::bigint then p.received_drops else 0 end`;
