import type { ExceptionResource } from '@tranche/verifier/published.ts';
import { sql } from 'drizzle-orm';
import { events } from '#drizzle/schema/events.ts';
import { payouts } from '#drizzle/schema/payouts.ts';
import { actions, investments, type ProjectRow, payments } from '#drizzle/schema/sale.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Db } from '#lib/base/db.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { eventId } from '#lib/events/envelope.ts';
import { findProject } from '../projects/project-resource.ts';
import { assignsOf, decidedRefund, hasTagOf } from './decisions.ts';

/** What else stands in a place of its own: one a place, so that (place, rank) orders all. Refunds take 10 and their part. */
const RANK = { action: 0, late_discovery: 1, refund: 10 };

interface Row extends Record<string, unknown> {
  kind: ExceptionResource['kind'];
  ledger_index: string;
  transaction_index: number;
  rank: number;
  action_hash: string | null;
  action: string | null;
  at: Date | string | null;
  payment_hash: string | null;
  payment_ledger_index: string | null;
  sender: string | null;
  tag: string | null;
  drops: string | null;
  subject_id: string | null;
}

/**
 * Everything about a project that did not follow from the ledger's order alone, newest first in ledger order: assigns in
 * the place of their action, the others in that of their payment or action. Throws `project_not_found`.
 */
export async function listExceptions(
  ctx: Ctx,
  input: { id: string; cursor?: string | undefined; limit: number },
): Promise<{ exceptions: ExceptionResource[]; next_cursor: string | null }> {
  const project = await findProject(ctx.db, input.id);
  const rows = await readRows(ctx.db, project, input);
  const page = rows.slice(0, input.limit);
  const late = await lateAssigned(ctx.db, project, page);
  const last = rows.length > input.limit ? page.at(-1) : undefined;
  return {
    exceptions: page.flatMap((row) => [
      resourceOf(row),
      ...(row.payment_hash !== null && late.has(row.payment_hash) ? [lateResource(row)] : []),
    ]),
    next_cursor: last === undefined ? null : `${last.ledger_index}-${last.transaction_index}-${last.rank}`,
  };
}

async function readRows(
  db: Db,
  project: ProjectRow,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Row[]> {
  const [ledgerIndex, transactionIndex, rank = '0'] = cursor?.split('-') ?? [];
  const before =
    ledgerIndex === undefined
      ? sql`true`
      : sql`(ledger_index, transaction_index, rank) < (${ledgerIndex}::bigint, ${transactionIndex}::integer, ${rank}::integer)`;
  const payment = sql`p.tx_hash as payment_hash, p.ledger_index as payment_ledger_index, p.sender, p.destination_tag as tag`;
  const moved = sql`m.tx_hash as action_hash, m.action, m.closed_at as at`;
  const notMoved = sql`null::text as action_hash, null::text as action, null::timestamptz as at`;
  const { rows } = await db.execute<Row>(sql`
    select e.*, e.ledger_index::text, e.payment_ledger_index::text, e.tag::text, e.drops::text from (
      select 'assign' as kind, m.ledger_index, m.transaction_index, ${RANK.action}::integer as rank, ${moved}, ${payment},
        p.received_drops as drops, i.id as subject_id
      from ${actions} m join ${payments} p on p.tx_hash = m.payment_hash join ${investments} i on i.tx_hash = m.payment_hash
      where ${assignsOf(project)}
      union all
      select 'late_action', m.ledger_index, m.transaction_index, ${RANK.action}::integer, ${moved}, null, null, null, null, null, null
      from ${actions} m
      where m.account = ${project.depositAddress} and m.project_id = ${project.id} and m.status = 'ineffective'
        and m.detail = 'late_discovery' and m.ledger_index is not null
      union all
      select 'late_discovery', p.ledger_index, p.transaction_index, ${RANK.late_discovery}::integer, ${notMoved}, ${payment},
        p.received_drops, null
      from ${payments} p
      where ${hasTagOf(project)}
        and (p.reason = 'late_discovery' or exists (select from ${actions} m
          where m.account = p.account and m.action = 'assign' and m.status = 'applied' and m.payment_hash = p.tx_hash))
      union all
      select 'refund', p.ledger_index, p.transaction_index, ${RANK.refund}::integer + o.part, ${notMoved}, ${payment},
        o.amount, o.id
      from ${payouts} o
      join ${payments} p on p.tx_hash = o.payment_hash
      left join ${investments} i on i.tx_hash = p.tx_hash
      where o.kind = 'refund' and o.project_id = ${project.id}
        and (o.part > 2 or (o.part = 1 and ${decidedRefund(project.refundMinDrops)} = 0))
    ) as e
    where ${before}
    order by e.ledger_index desc, e.transaction_index desc, e.rank desc
    limit ${limit + 1}`);
  return rows;
}

/**
 * Of the assigned payments without the project's tag, those that had been held as late: their rows say so no more, their
 * alert does.
 */
async function lateAssigned(db: Db, project: ProjectRow, rows: readonly Row[]): Promise<ReadonlySet<string>> {
  const hashOf = new Map(
    rows.flatMap((row): [string, string][] =>
      row.kind === 'assign' && row.payment_hash !== null && row.tag !== String(project.destinationTag)
        ? [[eventId('system.alert', `late_discovery:${row.payment_hash}`), row.payment_hash]]
        : [],
    ),
  );
  if (hashOf.size === 0) return new Set();
  const found = await db
    .select({ id: events.id })
    .from(events)
    .where(sql`${events.id} = any (${textArray([...hashOf.keys()])})`);
  return new Set(found.flatMap(({ id }) => hashOf.get(id) ?? []));
}

const positionOf = (row: Row) => ({
  ledger_index: Number(row.ledger_index),
  transaction_index: row.transaction_index,
});

const paymentOf = (row: Row) => ({
  payment_hash: row.payment_hash ?? '',
  investor_account: row.sender ?? '',
  amount_xrp: formatDrops(BigInt(row.drops ?? 0)),
});

const lateResource = (row: Row): ExceptionResource => ({
  kind: 'late_discovery',
  ...positionOf(row),
  ...paymentOf(row),
});

function resourceOf(row: Row): ExceptionResource {
  switch (row.kind) {
    case 'assign':
      return {
        kind: row.kind,
        action_hash: row.action_hash ?? '',
        ...positionOf(row),
        ...paymentOf(row),
        payment_ledger_index: Number(row.payment_ledger_index),
        investment_id: row.subject_id ?? '',
        assigned_at: new Date(row.at ?? 0).toISOString(),
      };
    case 'late_action':
      return { kind: row.kind, ...positionOf(row), action_hash: row.action_hash ?? '', action: row.action ?? '' };
    case 'late_discovery':
      return lateResource(row);
    case 'refund':
      return { kind: row.kind, ...positionOf(row), ...paymentOf(row), payout_id: row.subject_id ?? '' };
  }
}
