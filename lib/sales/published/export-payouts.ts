import { type PublishedPayout, publishedPayout } from '@tranche/verifier/published.ts';
import { type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { payouts } from '#drizzle/schema/payouts.ts';
import { actions, investments, type ProjectRow, payments } from '#drizzle/schema/sale.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Db } from '#lib/base/db.ts';
import { fieldError } from '#lib/base/errors.ts';
import { formatDrops, formatUnits } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { findProject } from '../projects/project-resource.ts';
import { asOfLedger } from './as-of.ts';
import type { publishedPayoutsContract } from './contracts.ts';
import { assignsOf, epoch, type Placed, placedRows, utcText } from './decisions.ts';
import { type PaidPosition, type PayoutPosition, parsePaidCursor, parsePayoutCursor } from './positions.ts';
import { type Exported, type ExportFormat, exported, pagesAfter } from './rows-as-text.ts';
import { type AsOf, saleAsOf } from './sale-as-of.ts';

const COLUMNS = Object.keys(publishedPayout.unwrap().shape) as (keyof PublishedPayout)[];

type Asked = z.output<(typeof publishedPayoutsContract)['query']> & { id: string; format: ExportFormat };

/**
 * Every payout of a project: what is validated up to the ledger `as_of` with its transaction, all others as owed or
 * cancelled. Throws `project_not_found`, and `invalid_request` for a ledger that is not confirmed yet or a cursor of the
 * other order, `ledger_unavailable` (sale-as-of.ts).
 */
export async function exportPayouts(ctx: Ctx, input: Asked): Promise<Exported> {
  const project = await findProject(ctx.db, input.id);
  const asOf = await asOfLedger(ctx.db, project, input.as_of);
  return exported({ project, what: 'payouts', asOf }, input, COLUMNS, await pagesOf(ctx, project, asOf, input));
}

async function pagesOf(ctx: Ctx, project: ProjectRow, asOf: number, { order, account, cursor }: Asked) {
  if (order === 'payment') {
    if (account !== undefined) throw fieldError('account', 'goes with order=ledger only');
    const after = cursor === undefined ? null : parsePayoutCursor(cursor);
    if (cursor !== undefined && after === null) throw fieldError('cursor', 'belongs to order=ledger');
    return openPayouts(ctx.db, project, await saleAsOf(ctx, project, asOf), after);
  }
  const after = cursor === undefined ? null : parsePaidCursor(cursor);
  if (cursor !== undefined && after === null) throw fieldError('cursor', 'belongs to order=payment');
  return openPaid(ctx.db, project, asOf, account ?? null, after);
}

interface Page<Position> {
  after: Position;
  limit: number;
}

/**
 * True of a payout `o` that does not follow from the end of its sale: not of tokens that wait for it, and of the refunds of
 * an investment only of its change. The refund of a cancelled sale makes all others, or what is held of it, which an operator sends back.
 */
const beforeTheEnd = ({ distribution }: Pick<ProjectRow, 'distribution'>): SQL => sql`case
  when o.kind = 'distribution' then ${distribution === 'immediate'}
  when o.part = 2 then false
  else not exists (select from ${investments} i join ${payments} p on p.tx_hash = i.tx_hash
    where i.id = o.investment_id and i.confirmed_drops > 0 and (o.part > 1 or p.received_drops = i.confirmed_drops)) end`;

/** The distributions and refunds of a decided payment: distributions before refunds, by part. */
const payoutsOf = (db: Db, project: ProjectRow, asOf: AsOf) => ({
  read: (statement: SQL) => db.execute<PayoutAsOf & Placed>(statement),
  columns: sql`o.*`,
  key: 'id' as const,
  // Both kinds by name: (kind, payment_hash, part) is the index that finds them.
  of: sql`select ${payoutColumns(asOf)} from ${payouts} o
    where o.kind in ('distribution', 'refund') and o.payment_hash = page.tx_hash
      and o.project_id = ${project.id} and ${asOf.hasEnded ? sql`true` : beforeTheEnd(project)}`,
  order: sql`o.kind collate "C", o.part`,
});

/** Where a payout stands that follows from no payment. */
type OfNoPayment = Pick<PayoutPosition, 'kind' | 'id'>;

/** Locks and releases follow from no payment: by kind and id. A lock is not owed before its sale ends. */
async function readOfNoPayment(
  db: Db,
  project: ProjectRow,
  asOf: AsOf,
  { after, limit }: Page<OfNoPayment>,
): Promise<PublishedPayout[]> {
  const kinds = asOf.hasEnded ? ['lock', 'release'] : ['release'];
  const { rows } = await db.execute<PayoutAsOf>(sql`
    select ${payoutColumns(asOf)}, null::text as decided_ledger, null::integer as decided_transaction
    from ${payouts} o
    where o.kind = any (${textArray(kinds)}) and o.project_id = ${project.id}
      and (o.kind collate "C", o.id collate "C") > (${after.kind}, ${after.id})
    order by o.kind collate "C", o.id collate "C" limit ${limit}`);
  return rows.map((row) => publishedPayoutOf(row, project.decimals));
}

/**
 * The next `limit` validated payouts of a project, unlocks aside, which pay nobody, up to and with ledger `asOf`, in the order (ledger, transaction hash) in
 * which the ledger shows them; with `account` only what that account paid.
 */
async function readPaid(
  db: Db,
  project: ProjectRow,
  { asOf, after, limit, account }: Page<PaidPosition> & { asOf: number; account: string | null },
): Promise<PublishedPayout[]> {
  const { rows } = await db.execute<PayoutAsOf>(sql`
    select ${payoutColumns({ ledger: asOf, hasEnded: true })}, coalesce(m.ledger_index, p.ledger_index)::text as decided_ledger,
      coalesce(m.transaction_index, p.transaction_index) as decided_transaction
    from ${payouts} o
    left join ${payments} p on p.tx_hash = o.payment_hash
    left join ${actions} m on ${assignsOf(project)} and m.payment_hash = o.payment_hash
    where o.project_id = ${project.id} and o.kind <> 'unlock' and o.status = 'validated' and o.ledger_index <= ${asOf}::bigint
      and (${account}::text is null or o.account = ${account})
      and (o.ledger_index, o.tx_hash collate "C") > (${after.ledgerIndex}::bigint, ${after.transactionHash})
    order by o.ledger_index, o.tx_hash collate "C", o.id collate "C" limit ${limit}`);
  return rows.map((row) => publishedPayoutOf(row, project.decimals));
}

/** A payout `o` as SQL gives it, with the place of its payment's decision. */
interface PayoutAsOf extends Record<string, unknown> {
  id: string;
  kind: PublishedPayout['kind'];
  part: number;
  investment_id: string | null;
  payment_hash: string | null;
  decided_ledger: string | null;
  decided_transaction: number | null;
  account: string;
  destination: string;
  destination_tag: string | null;
  amount: string;
  due_at: number;
  status: PublishedPayout['status'];
  tx_hash: string | null;
  paid_ledger: string | null;
}

/** Columns of `o` for a PayoutAsOf: what was validated or taken back after `asOf` is still owed then. */
const payoutColumns = ({ ledger: asOf, hasEnded }: AsOf) => {
  const paid = sql`(o.status = 'validated' and o.ledger_index <= ${asOf}::bigint)`;
  return sql`o.id, o.kind, o.part, o.investment_id, o.payment_hash, o.account, o.destination,
    o.destination_tag::text as destination_tag, o.amount::text as amount,
    ${epoch(sql`o.due_at`)} as due_at,
    case when ${paid} then 'validated' when o.status = 'cancelled' and ${hasEnded} then 'cancelled' else 'owed' end as status,
    case when ${paid} then o.tx_hash end as tx_hash, case when ${paid} then o.ledger_index::text end as paid_ledger`;
};

function publishedPayoutOf(row: PayoutAsOf, decimals: number): PublishedPayout {
  const amount = BigInt(row.amount);
  const isTokens = row.kind === 'distribution' || row.kind === 'lock';
  return {
    id: row.id,
    kind: row.kind,
    part: row.part,
    investment_id: row.investment_id,
    payment_hash: row.payment_hash,
    decided_ledger_index: row.decided_ledger === null ? null : Number(row.decided_ledger),
    decided_transaction_index: row.decided_transaction,
    account: row.account,
    destination: row.destination,
    destination_tag: row.destination_tag === null ? null : Number(row.destination_tag),
    amount_xrp: isTokens ? null : formatDrops(amount),
    tokens: isTokens ? formatUnits(amount, decimals) : null,
    due_at: utcText(row.due_at),
    status: row.status,
    transaction_hash: row.tx_hash,
    ledger_index: row.paid_ledger === null ? null : Number(row.paid_ledger),
  };
}

const PAGE_ROWS = 2_000;

/** Rows of `payouts` a page: a long vesting makes many of each payment. */
const paymentsAPage = ({ vesting }: ProjectRow): number => Math.max(10, Math.floor(PAGE_ROWS / (vesting.periods + 1)));

/** Pages of payouts in the order of their payments, locks and then releases last. */
export async function* openPayouts(
  db: Db,
  project: ProjectRow,
  asOf: AsOf,
  after: PayoutPosition | null,
): AsyncGenerator<PublishedPayout[]> {
  const isBehind = after?.kind === 'lock' || after?.kind === 'release';
  if (!isBehind) {
    const from = after ?? { ledgerIndex: 0, transactionIndex: 0 };
    const window = { from, limit: paymentsAPage(project) };
    const pages = placedRows(project, asOf.ledger, window, payoutsOf(db, project, asOf));
    for await (const page of pages) {
      const rows = page.map((row) => publishedPayoutOf(row, project.decimals));
      yield after === null ? rows : rows.filter((row) => isAfter(row, after));
    }
  }
  yield* pagesAfter(
    isBehind ? after : { kind: 'lock', id: '' },
    PAGE_ROWS,
    (position: OfNoPayment, limit) => readOfNoPayment(db, project, asOf, { after: position, limit }),
    ({ kind, id }: PublishedPayout): OfNoPayment => ({ kind, id }),
  );
}

/** Whether a row of a payment stands after a place; only those of the place's own payment can stand before it. */
function isAfter(row: PublishedPayout, after: PayoutPosition): boolean {
  const ofSame =
    row.decided_ledger_index === after.ledgerIndex && row.decided_transaction_index === after.transactionIndex;
  return !ofSame || row.kind > after.kind || (row.kind === after.kind && row.part > after.part);
}

/** Pages of validated payouts as the ledger shows them. */
export const openPaid = (
  db: Db,
  project: ProjectRow,
  asOf: number,
  account: string | null,
  after: PaidPosition | null,
) =>
  pagesAfter(
    after ?? { ledgerIndex: 0, transactionHash: '' },
    PAGE_ROWS,
    (position, limit) => readPaid(db, project, { asOf, after: position, limit, account }),
    (row: PublishedPayout): PaidPosition => ({
      ledgerIndex: row.ledger_index ?? 0,
      transactionHash: row.transaction_hash ?? '',
    }),
  );
