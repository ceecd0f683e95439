import { type PublishedPayment, publishedPayment } from '@tranche/verifier/published.ts';
import { type SQL, sql } from 'drizzle-orm';
import type { ProjectRow } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { formatDrops, formatUnits } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { findProject } from '../projects/project-resource.ts';
import { asOfLedger } from './as-of.ts';
import { decidedRefund, decisions, epoch, ownInvestment, utcText } from './decisions.ts';
import type { DecisionPosition } from './positions.ts';
import { type Exported, type ExportFormat, exported, pagesAfter } from './rows-as-text.ts';

const COLUMNS = Object.keys(publishedPayment.unwrap().shape) as (keyof PublishedPayment)[];

/**
 * Every decision about a project's payments as of a confirmed ledger. Throws `project_not_found`, and `invalid_request` for
 * a ledger that is not confirmed yet.
 */
export async function exportPayments(
  ctx: Ctx,
  input: {
    id: string;
    format: ExportFormat;
    as_of?: number | undefined;
    limit?: number | undefined;
    cursor?: DecisionPosition | undefined;
  },
): Promise<Exported> {
  const project = await findProject(ctx.db, input.id);
  const asOf = await asOfLedger(ctx.db, project, input.as_of);
  const pages = openPayments(ctx.db, project, asOf, input.cursor ?? null);
  return exported({ project, what: 'payments', asOf }, input, COLUMNS, pages);
}

/** Rows a statement, and a chunk of an answer. */
const PAGE_ROWS = 2_000;

/** Pages of decisions after a place (null: from the first). */
export const openPayments = (db: Db, project: ProjectRow, asOf: number, after: DecisionPosition | null) =>
  pagesAfter(
    after ?? { ledgerIndex: 0, transactionIndex: 0 },
    PAGE_ROWS,
    (position, limit) => readPayments(db, project, { asOf, after: position, limit }),
    (row: PublishedPayment): DecisionPosition => ({
      ledgerIndex: row.ledger_index,
      transactionIndex: row.transaction_index,
    }),
  );

interface Row extends Record<string, unknown> {
  tx_hash: string;
  ledger_index: string;
  transaction_index: number;
  decided_at: number;
  payment_ledger_index: string;
  sender: string;
  destination_tag: string | null;
  source_tag: string | null;
  received: string;
  reason: string | null;
  invested: string;
  refunded: string;
  rounding: string;
  units: string;
  investment_id: string | null;
  assigned_by: string | null;
}

const tagOf = (text: string | null): number | null => (text === null ? null : Number(text));

function publishedOf(row: Row, decimals: number): PublishedPayment {
  const received = BigInt(row.received);
  const invested = BigInt(row.invested);
  const refunded = BigInt(row.refunded);
  const boughtNothing = refunded > 0n ? 'refunded' : 'held';
  const bought = refunded > 0n ? 'partial' : 'invested';
  return {
    transaction_hash: row.tx_hash,
    ledger_index: Number(row.ledger_index),
    transaction_index: row.transaction_index,
    decided_at: utcText(row.decided_at),
    payment_ledger_index: Number(row.payment_ledger_index),
    sender: row.sender,
    destination_tag: tagOf(row.destination_tag),
    source_tag: tagOf(row.source_tag),
    received_xrp: formatDrops(received),
    outcome: invested > 0n ? bought : boughtNothing,
    reason: row.reason,
    invested_xrp: formatDrops(invested),
    refunded_xrp: formatDrops(refunded),
    held_xrp: formatDrops(received - invested - refunded),
    rounding_xrp: formatDrops(BigInt(row.rounding)),
    total_tokens: formatUnits(BigInt(row.units), decimals),
    investment_id: row.investment_id,
    assigned_by: row.assigned_by,
  };
}

/**
 * The next `limit` decisions of a project after a place, up to and with ledger `asOf`, in feed order. They are what was
 * decided, not what became of it: the refund of a cancelled sale or an operator's refund changes none of them.
 */
async function readPayments(
  db: Db,
  project: ProjectRow,
  { asOf, after, limit }: { asOf: number; after: DecisionPosition; limit: number },
): Promise<PublishedPayment[]> {
  const columns = sql`p.tx_hash, p.ledger_index as payment_ledger_index, p.sender, p.destination_tag, p.source_tag,
    p.received_drops as received, coalesce(i.confirmed_drops, 0) as invested,
    ${decidedRefund(project.refundMinDrops)} as refunded, coalesce(i.rounding_drops, 0) as rounding,
    coalesce(i.total_units, 0) as units, i.id as investment_id,
    case when i.id is null then 'late_discovery' when i.confirmed_drops > 0 then null else i.reason end as reason`;
  const position = sql`(${after.ledgerIndex}::bigint, ${after.transactionIndex}::integer)`;
  const tail = sql`order by ledger_index, transaction_index limit ${limit}`;
  const between = (at: SQL, ledger: SQL) => sql`(${at}) > ${position} and ${ledger} <= ${asOf}::bigint`;
  const { rows } = await db.execute<Row>(sql`
    select page.tx_hash, page.ledger_index::text, page.transaction_index, page.payment_ledger_index::text, page.sender,
      page.destination_tag::text, page.source_tag::text, page.received::text, page.reason, page.invested::text,
      page.refunded::text, page.rounding::text, page.units::text, page.investment_id, page.assigned_by,
      ${epoch(sql`page.decided_at`)} as decided_at
    from (${decisions(project, { columns, join: ownInvestment(project) }, between, tail)} ${tail}) as page
    order by page.ledger_index, page.transaction_index`);
  return rows.map((row) => publishedOf(row, project.decimals));
}
