import type { PublishedPayout } from '@tranche/verifier/published.ts';
import { sql } from 'drizzle-orm';
import { formatDrops, formatUnits } from '#lib/base/money.ts';

/** A payout `o` as SQL gives it, with the place of its payment's decision. */
export interface PayoutRow extends Record<string, unknown> {
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
  due_at: string;
  status: PublishedPayout['status'];
  tx_hash: string | null;
  paid_ledger: string | null;
}

/** The ledger that rows are as of, and whether their sale had ended by then (ended-by.ts). */
export interface AsOf {
  ledger: number;
  hasEnded: boolean;
}

/** Columns of `o` for a PayoutRow: what was validated or taken back after `asOf` is still owed then. */
export const payoutColumns = ({ ledger: asOf, hasEnded }: AsOf) => {
  const paid = sql`(o.status = 'validated' and o.ledger_index <= ${asOf}::bigint)`;
  return sql`o.id, o.kind, o.part, o.investment_id, o.payment_hash, o.account, o.destination,
    o.destination_tag::text as destination_tag, o.amount::text as amount,
    to_char(o.due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as due_at,
    case when ${paid} then 'validated' when o.status = 'cancelled' and ${hasEnded} then 'cancelled' else 'owed' end as status,
    case when ${paid} then o.tx_hash end as tx_hash, case when ${paid} then o.ledger_index::text end as paid_ledger`;
};

export function publishedPayoutOf(row: PayoutRow, decimals: number): PublishedPayout {
  const amount = BigInt(row.amount);
  const isTokens = row.kind === 'distribution';
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
    due_at: row.due_at,
    status: row.status,
    transaction_hash: row.tx_hash,
    ledger_index: row.paid_ledger === null ? null : Number(row.paid_ledger),
  };
}
