import type { PublishedPayout } from '@tranche/verifier/published.ts';
import { type SQL, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { investments, moves, payments } from '#drizzle/schema/sale.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Db } from '#lib/base/db.ts';
import type { ProjectRow } from '../projects/project-resource.ts';
import { assignsOf } from './decided-payment.ts';
import { comparePlaces, type Decided } from './decision-windows.ts';
import { type AsOf, type PayoutRow, payoutColumns, publishedPayoutOf } from './payout-row.ts';
import type { PaidPlace } from './places.ts';

interface Page<Place> {
  after: Place;
  limit: number;
}

/**
 * True of a payout `o` that does not follow from the end of its sale: not of tokens that wait for it, and of the refunds of
 * an investment only of its change. An unwinding makes all others, or what is held of it, which an operator sends back.
 */
const beforeTheEnd = ({ distribution }: Pick<ProjectRow, 'distribution'>): SQL => sql`case
  when o.kind = 'distribution' then ${distribution === 'immediate'}
  when o.part = 2 then false
  else not exists (select from ${investments} i join ${payments} p on p.tx_hash = i.tx_hash
    where i.id = o.investment_id and i.confirmed_drops > 0 and (o.part > 1 or p.received_drops = i.confirmed_drops)) end`;

/**
 * The distributions and refunds of decided payments, in the order of the decisions; of one payment, distributions before
 * refunds, by part.
 */
export async function readPayoutsOf(
  db: Db,
  project: ProjectRow,
  asOf: AsOf,
  decided: ReadonlyMap<string, Decided>,
): Promise<PublishedPayout[]> {
  // Both kinds by name: (kind, payment_hash, part) is the index that finds them.
  const { rows } = await db.execute<PayoutRow>(sql`
    select ${payoutColumns(asOf)}, null::text as decided_ledger, null::integer as decided_transaction
    from ${payouts} o
    where o.kind in ('distribution', 'refund') and o.payment_hash = any (${textArray([...decided.keys()])})
      and o.project_id = ${project.id} and ${asOf.hasEnded ? sql`true` : beforeTheEnd(project)}`);
  const placed = rows.flatMap((row) => {
    const place = decided.get(row.payment_hash ?? '');
    return place === undefined ? [] : [{ row, place }];
  });
  placed.sort(
    (a, b) =>
      comparePlaces(a.place, b.place) ||
      (a.row.kind < b.row.kind ? -1 : Number(a.row.kind > b.row.kind)) ||
      a.row.part - b.row.part,
  );
  return placed.map(({ row, place }) =>
    publishedPayoutOf(
      { ...row, decided_ledger: String(place.ledgerIndex), decided_transaction: place.transactionIndex },
      project.decimals,
    ),
  );
}

/** Releases follow from no payment: by id. */
export async function readReleases(
  db: Db,
  project: ProjectRow,
  asOf: AsOf,
  { after, limit }: Page<string>,
): Promise<PublishedPayout[]> {
  const { rows } = await db.execute<PayoutRow>(sql`
    select ${payoutColumns(asOf)}, null::text as decided_ledger, null::integer as decided_transaction
    from ${payouts} o
    where o.kind = 'release' and o.project_id = ${project.id} and o.id collate "C" > ${after}
    order by o.id collate "C" limit ${limit}`);
  return rows.map((row) => publishedPayoutOf(row, project.decimals));
}

/**
 * The next `limit` validated payouts of a project up to and with ledger `asOf`, in the order (ledger, transaction hash) in
 * which the ledger shows them; with `account` only what that account paid.
 */
export async function readPaid(
  db: Db,
  project: ProjectRow,
  { asOf, after, limit, account }: Page<PaidPlace> & { asOf: number; account: string | null },
): Promise<PublishedPayout[]> {
  const { rows } = await db.execute<PayoutRow>(sql`
    select ${payoutColumns({ ledger: asOf, hasEnded: true })}, coalesce(m.ledger_index, p.ledger_index)::text as decided_ledger,
      coalesce(m.transaction_index, p.transaction_index) as decided_transaction
    from ${payouts} o
    left join ${payments} p on p.tx_hash = o.payment_hash
    left join ${moves} m on ${assignsOf(project)} and m.payment_hash = o.payment_hash
    where o.project_id = ${project.id} and o.status = 'validated' and o.ledger_index <= ${asOf}::bigint
      and (${account}::text is null or o.account = ${account})
      and (o.ledger_index, o.tx_hash collate "C") > (${after.ledgerIndex}::bigint, ${after.transactionHash})
    order by o.ledger_index, o.tx_hash collate "C", o.id collate "C" limit ${limit}`);
  return rows.map((row) => publishedPayoutOf(row, project.decimals));
}
