import { sql } from 'drizzle-orm';
import { payments } from '#drizzle/schema/sale.ts';
import { bulkRows } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import type { Drops } from '#lib/base/money.ts';
import type { HeldReason } from '#lib/rules/types.ts';
import type { FeedEntry, OtherEntry, PaymentEntry } from '#lib/xrpl/types.ts';
import type { LoadedAccount } from './load-state.ts';

/** XRP that reached the account, one row of `payments`. */
export interface Arrival {
  entry: PaymentEntry | OtherEntry;
  /** `Payment`, or by what it arrived otherwise. */
  transactionType: string;
  sender: string;
  destinationTag: number | null;
  sourceTag: number | null;
  receivedDrops: Drops;
  /** It turned up in a ledger that is decided. */
  late: boolean;
}

/** The arrivals among the entries, in their order. */
export const arrivalsOf = (entries: readonly FeedEntry[], confirmedLedger: number): Arrival[] =>
  entries.flatMap((entry): Arrival[] => {
    const late = entry.ledgerIndex <= confirmedLedger;
    if (entry.kind === 'payment') {
      const { sender, destinationTag, sourceTag, deliveredDrops } = entry;
      return [
        { entry, transactionType: 'Payment', sender, destinationTag, sourceTag, receivedDrops: deliveredDrops, late },
      ];
    }
    if (entry.kind === 'self' || entry.counterparty === null) return [];
    return [
      {
        entry,
        transactionType: entry.transactionType,
        sender: entry.counterparty,
        destinationTag: null,
        sourceTag: null,
        receivedDrops: entry.changeDrops + entry.feeDrops,
        late,
      },
    ];
  });

/**
 * Why an arrival is held from the first, or null when it is to be decided. Below the watermark everything is decided for
 * good: what turns up there is held for a person; what is no Payment is nobody's investment
 * (docs/adr/0008-held-payments.md).
 */
const heldBecause = ({ entry, late }: Arrival): HeldReason | null => {
  if (late) return 'late_discovery';
  return entry.kind === 'payment' ? null : 'not_a_payment';
};

const projectIdOf = (loaded: LoadedAccount, tag: number | null): string | null =>
  tag === null ? null : (loaded.state.projects.get(tag)?.id ?? null);

/** Writes arrivals that are not there yet, and gives those: only they become investments, events and bookings. */
export async function insertPayments(tx: Tx, loaded: LoadedAccount, arrivals: readonly Arrival[]): Promise<Arrival[]> {
  if (arrivals.length === 0) return [];
  const inserted = await tx.execute<{ tx_hash: string }>(sql`
    insert into ${payments} (tx_hash, account, ledger_index, transaction_index, closed_at, transaction_type, sender,
      destination_tag, source_tag, received_drops, project_id, outcome, reason, held_drops)
    select tx_hash, ${loaded.account.address}, ledger_index, transaction_index, closed_at, transaction_type, sender,
      destination_tag, source_tag, received_drops, project_id, case when reason is null then 'pending' else 'held' end,
      reason, case when reason is null then 0 else received_drops end
    from ${bulkRows(
      'given',
      {
        tx_hash: 'text',
        ledger_index: 'bigint',
        transaction_index: 'integer',
        closed_at: 'timestamptz',
        transaction_type: 'text',
        sender: 'text',
        destination_tag: 'bigint',
        source_tag: 'bigint',
        received_drops: 'bigint',
        project_id: 'text',
        reason: 'text',
      },
      arrivals.map((arrival) => ({
        tx_hash: arrival.entry.hash,
        ledger_index: arrival.entry.ledgerIndex,
        transaction_index: arrival.entry.transactionIndex,
        closed_at: new Date(arrival.entry.closedAtMs),
        transaction_type: arrival.transactionType,
        sender: arrival.sender,
        destination_tag: arrival.destinationTag,
        source_tag: arrival.sourceTag,
        received_drops: arrival.receivedDrops,
        project_id: projectIdOf(loaded, arrival.destinationTag),
        reason: heldBecause(arrival),
      })),
    )}
    on conflict (tx_hash) do nothing
    returning tx_hash`);
  // The usual page is new as a whole.
  if (inserted.rows.length === arrivals.length) return [...arrivals];
  const hashes = new Set(inserted.rows.map((row) => row.tx_hash));
  return arrivals.filter(({ entry }) => hashes.has(entry.hash));
}
