import { sql } from 'drizzle-orm';
import { payoutAttempts, ticketRequests } from '#drizzle/schema/payouts.ts';
import { accountChanges, moves } from '#drizzle/schema/sale.ts';
import { bulkRows } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import type { Drops } from '#lib/base/money.ts';
import type { FeedEntry } from '#lib/xrpl/types.ts';
import type { Arrival } from './insert-payments.ts';

/** What a transaction did to the account's XRP beside what it brought: one row of `account_changes`. */
export interface Change {
  entry: FeedEntry;
  transactionType: string;
  changeDrops: Drops;
}

const typeOf = (entry: FeedEntry): string => {
  if (entry.kind === 'other') return entry.transactionType;
  return entry.kind === 'self' ? 'AccountSet' : 'Payment';
};

/** Every change of the balance that the arrivals do not explain, so that both together explain all of it. */
export function changesOf(entries: readonly FeedEntry[], arrivals: readonly Arrival[]): Change[] {
  const received = new Map(arrivals.map(({ entry, receivedDrops }) => [entry.hash, receivedDrops]));
  return entries.flatMap((entry) => {
    const changeDrops = entry.changeDrops - (received.get(entry.hash) ?? 0n);
    return changeDrops === 0n ? [] : [{ entry, transactionType: typeOf(entry), changeDrops }];
  });
}

/**
 * Writes changes that are not there yet, and gives those, with whether the platform made them: its transactions are
 * persisted before they are submitted.
 */
export async function insertChanges(
  tx: Tx,
  account: string,
  changes: readonly Change[],
): Promise<(Change & { ours: boolean })[]> {
  if (changes.length === 0) return [];
  const inserted = await tx.execute<{ tx_hash: string; ours: boolean }>(sql`
    insert into ${accountChanges} (tx_hash, account, ledger_index, transaction_index, closed_at, transaction_type,
      change_drops, fee_drops, ours)
    select tx_hash, ${account}, ledger_index, transaction_index, closed_at, transaction_type, change_drops, fee_drops,
      exists (select from ${payoutAttempts} a where a.tx_hash = given.tx_hash)
        or exists (select from ${moves} m where m.tx_hash = given.tx_hash)
        or exists (select from ${ticketRequests} r where r.tx_hash = given.tx_hash)
    from ${bulkRows(
      'given',
      {
        tx_hash: 'text',
        ledger_index: 'bigint',
        transaction_index: 'integer',
        closed_at: 'timestamptz',
        transaction_type: 'text',
        change_drops: 'bigint',
        fee_drops: 'bigint',
      },
      changes.map(({ entry, transactionType, changeDrops }) => ({
        tx_hash: entry.hash,
        ledger_index: entry.ledgerIndex,
        transaction_index: entry.transactionIndex,
        closed_at: new Date(entry.closedAtMs),
        transaction_type: transactionType,
        change_drops: changeDrops,
        fee_drops: entry.feeDrops,
      })),
    )}
    on conflict (account, tx_hash) do nothing
    returning tx_hash, ours`);
  const ours = new Map(inserted.rows.map((row) => [row.tx_hash, row.ours]));
  return changes.flatMap((change) => {
    const known = ours.get(change.entry.hash);
    return known === undefined ? [] : [{ ...change, ours: known }];
  });
}
