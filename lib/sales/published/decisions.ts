import { type SQL, sql } from 'drizzle-orm';
import { actions, investments, type ProjectRow, payments } from '#drizzle/schema/sale.ts';
import type { DecisionPosition } from './positions.ts';

/** A time in seconds since 1970: Postgres writes a number in a fraction of what a date costs it. */
export const epoch = (at: SQL): SQL => sql`date_part('epoch', ${at})`;

let written = { seconds: Number.NaN, text: '' };

/** A time of `epoch` as the API writes it; what is below a millisecond is cut off. Rows that follow each other often have the same. */
export function utcText(seconds: number): string {
  if (!Number.isFinite(seconds)) throw new Error('A published row has no time');
  if (seconds !== written.seconds) {
    const microseconds = Math.round(seconds * 1_000_000);
    written = { seconds, text: new Date(Math.floor(microseconds / 1_000)).toISOString() };
  }
  return written.text;
}

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

/**
 * True of a payment `p` to the project's account that some assign has credited: its investment is not of its own place. Whether the
 * account has any assign is looked up once a statement, and each payment only where it has one.
 */
const wasAssigned = ({ depositAddress }: Pick<ProjectRow, 'depositAddress'>): SQL => {
  const applied = sql`a.account = ${depositAddress} and a.action = 'assign' and a.status = 'applied'`;
  return sql`case when exists (select from ${actions} a where ${applied})
    then exists (select from ${actions} a where ${applied} and a.payment_hash = p.tx_hash) else false end`;
};

/**
 * Joins the investment `i` that the decision in its payment's own place made, null for what turned up too late. One by one,
 * whatever the planner thinks: a page must not cost what the whole sale is large.
 */
export const ownInvestment = (project: Pick<ProjectRow, 'id' | 'depositAddress'>): SQL => sql`
  left join lateral (select * from ${investments} i where i.tx_hash = p.tx_hash and i.project_id = ${project.id}
    and not ${wasAssigned(project)} offset 0) i on true`;

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

/** A row in the place of the decision that it hangs on: what hangs on a late payment stands where that was assigned. */
export interface Placed extends Record<string, unknown> {
  decided_ledger: string;
  decided_transaction: number;
  assigned_by: string | null;
}

/** What hangs on decisions. `of` gives the rows of the payment `page.tx_hash` as `o`, none of which has `key` null. */
interface Hanging<Row> {
  columns: SQL;
  of: SQL;
  key: keyof Row;
  /** Of the rows of one decision. */
  order: SQL;
  read: (statement: SQL) => Promise<{ rows: Row[] }>;
}

/**
 * What hangs on a project's decisions, from a place on (that place included) up to and with ledger `asOf`, in feed order, that of
 * `limit` decisions at a time: one statement, which costs the same wherever it stands.
 */
export async function* placedRows<Row extends Placed>(
  project: Project,
  asOf: number,
  { from, limit }: { from: DecisionPosition; limit: number },
  { columns, of, key, order, read }: Hanging<Row>,
): AsyncGenerator<Row[]> {
  let position = sql`(${from.ledgerIndex}::bigint, ${from.transactionIndex}::integer - 1)`;
  const tail = sql`order by ledger_index, transaction_index limit ${limit}`;
  for (;;) {
    const after = position;
    const decided = decisions(
      project,
      { columns: sql`p.tx_hash, ${wasAssigned(project)} as elsewhere`, join: sql`` },
      (at, ledger) => sql`(${at}) > ${after} and ${ledger} <= ${asOf}::bigint`,
      tail,
    );
    const { rows } = await read(sql`
      select page.ledger_index::text as decided_ledger, page.transaction_index as decided_transaction, page.assigned_by, ${columns}
      from (${decided} ${tail}) as page
      left join lateral (${of} offset 0) o on page.assigned_by is not null or not page.elsewhere
      order by page.ledger_index, page.transaction_index, ${order}`);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.filter((row) => row[key] !== null);
    if (decisionsOf(rows) < limit) return;
    position = sql`(${last.decided_ledger}::bigint, ${last.decided_transaction}::integer)`;
  }
}

/** How many decisions rows in their order are of. */
function decisionsOf(rows: readonly Placed[]): number {
  let count = 0;
  let before: Placed | null = null;
  for (const row of rows) {
    const isSame =
      row.decided_ledger === before?.decided_ledger && row.decided_transaction === before.decided_transaction;
    if (!isSame) count += 1;
    before = row;
  }
  return count;
}
