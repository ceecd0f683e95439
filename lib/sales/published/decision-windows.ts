import { sql } from 'drizzle-orm';
import type { Db } from '#lib/base/db.ts';
import type { ProjectRow } from '../projects/project-resource.ts';
import { decisions, wasAssigned } from './decided-payment.ts';
import type { DecisionPlace } from './places.ts';

/** A decision whose allocations and payouts stand in its place: a late payment has them where it was assigned. */
export interface Decided extends DecisionPlace {
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
  { from, limit }: { from: DecisionPlace; limit: number },
): AsyncGenerator<ReadonlyMap<string, Decided>> {
  let place = sql`(${from.ledgerIndex}::bigint, ${from.transactionIndex}::integer - 1)`;
  const tail = sql`order by ledger_index, transaction_index limit ${limit}`;
  for (;;) {
    const after = place;
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
    place = sql`(${last.ledger_index}::bigint, ${last.transaction_index}::integer)`;
  }
}

export const comparePlaces = (a: DecisionPlace, b: DecisionPlace): number =>
  a.ledgerIndex - b.ledgerIndex || a.transactionIndex - b.transactionIndex;
