import { type SQL, sql } from 'drizzle-orm';
import { actions, investments, type ProjectRow, payments } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import type { DecisionPosition } from './positions.ts';

/** A time as the API writes it. */
export const utc = (at: SQL): SQL => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

type Project = Pick<
  ProjectRow,
  'id' | 'depositAddress' | 'destinationTag' | 'refundMinDrops' | 'custody' | 'custodyThroughLedger'
>;

/**
 * True of a payment `p` with the project's tag. Under custody the tag is nobody's before the launch, nor after the sale's
 * custody period (docs/verification.md, sections 3 and 11).
 */
export const hasTagOf = (project: Omit<Project, 'refundMinDrops'>): SQL => {
  const { id, depositAddress, destinationTag, custody, custodyThroughLedger: through } = project;
  const launch = sql`select l.ledger_index, l.transaction_index from ${actions} l where l.account = ${depositAddress}
    and l.project_id = ${id} and l.action = 'launch' and l.status = 'applied'`;
  const since = custody === null ? sql`true` : sql`(p.ledger_index, p.transaction_index) > (${launch})`;
  const until = through === null ? sql`true` : sql`p.ledger_index <= ${through}::bigint`;
  return sql`p.account = ${depositAddress} and p.destination_tag = ${destinationTag} and ${since} and ${until}`;
};

/** The assigns that took effect on a project, as `m`. */
export const assignsOf = (project: Pick<ProjectRow, 'id' | 'depositAddress'>): SQL =>
  sql`m.account = ${project.depositAddress} and m.project_id = ${project.id} and m.action = 'assign' and m.status = 'applied'`;

/** True of a payment `p` that some assign has credited: its investment is not of its own place. */
const wasAssigned = sql`exists (select from ${actions} a where a.account = p.account and a.action = 'assign'
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
 * its action. What is selected stands beside the place (`ledger_index`, `transaction_index`) and `assigned_by`; `between`
 * bounds the place, `tail` orders and limits: before anything is joined, whatever the planner knows of the tables.
 */
export function decisions(
  project: Project,
  { columns, join }: Selected,
  between: (position: SQL, ledger: SQL) => SQL,
  tail: SQL,
): SQL {
  return sql`
    (select ${columns}, p.ledger_index, p.transaction_index, p.closed_at as decided_at, null::text as assigned_by
      from (select * from ${payments} p
        where ${hasTagOf(project)}
          and p.outcome <> 'pending' and ${between(sql`p.ledger_index, p.transaction_index`, sql`p.ledger_index`)}
        ${tail}) p ${join})
    union all
    (select ${columns}, m.ledger_index, m.transaction_index, m.closed_at as decided_at, m.tx_hash as assigned_by
      from ${actions} m
      join ${payments} p on p.tx_hash = m.payment_hash
      join ${investments} i on i.tx_hash = p.tx_hash
      where ${assignsOf(project)} and ${between(sql`m.ledger_index, m.transaction_index`, sql`m.ledger_index`)}
      ${tail})`;
}

/** What section 3 of docs/verification.md refunds of `p`, whatever came later: the refund of a cancelled sale changes `payments`, not this. */
export const decidedRefund = (refundMinDrops: bigint): SQL => sql`case when i.id is null then 0
  when i.confirmed_drops > 0 then p.received_drops - i.confirmed_drops
  when p.received_drops >= ${refundMinDrops}::bigint then p.received_drops else 0 end`;

/** A decision whose allocations and payouts stand in its place: a late payment has them where it was assigned. */
export interface Decided extends DecisionPosition {
  txHash: string;
  assignedBy: string | null;
}

interface Row extends Record<string, unknown> {
  tx_hash: string;
  ledger_index: string;
  transaction_index: number;
  assigned_by: string | null;
  elsewhere: boolean;
}

/**
 * A project's decisions from a place on (that place included) up to and with ledger `asOf`, in feed order, `limit` at a time.
 * What hangs on them is then read by their hashes: a page costs the same wherever it stands.
 */
export async function* decisionWindows(
  db: Db,
  project: ProjectRow,
  asOf: number,
  { from, limit }: { from: DecisionPosition; limit: number },
): AsyncGenerator<ReadonlyMap<string, Decided>> {
  let position = sql`(${from.ledgerIndex}::bigint, ${from.transactionIndex}::integer - 1)`;
  const tail = sql`order by ledger_index, transaction_index limit ${limit}`;
  for (;;) {
    const after = position;
    const { rows } = await db.execute<Row>(sql`
      select page.tx_hash, page.ledger_index::text, page.transaction_index, page.assigned_by, page.elsewhere
      from (${decisions(
        project,
        { columns: sql`p.tx_hash, ${wasAssigned} as elsewhere`, join: sql`` },
        (at, ledger) => sql`(${at}) > ${after} and ${ledger} <= ${asOf}::bigint`,
        tail,
      )} ${tail}) as page
      order by page.ledger_index, page.transaction_index`);
    const last = rows.at(-1);
    if (last === undefined) return;
    const here = rows.filter((row) => row.assigned_by !== null || !row.elsewhere);
    yield new Map(
      here.map((row) => [
        row.tx_hash,
        {
          txHash: row.tx_hash,
          ledgerIndex: Number(row.ledger_index),
          transactionIndex: row.transaction_index,
          assignedBy: row.assigned_by,
        },
      ]),
    );
    if (rows.length < limit) return;
    position = sql`(${last.ledger_index}::bigint, ${last.transaction_index}::integer)`;
  }
}

export const comparePositions = (a: DecisionPosition, b: DecisionPosition): number =>
  a.ledgerIndex - b.ledgerIndex || a.transactionIndex - b.transactionIndex;
