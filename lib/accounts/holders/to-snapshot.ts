import type { holderSyncs } from '#drizzle/schema/holders.ts';
import { toIso } from '#lib/base/clock.ts';
import type { Snapshot } from './contracts.ts';
import { statistics } from './schemas.ts';

/** A complete synchronisation on the wire. */
export function toSnapshot(row: typeof holderSyncs.$inferSelect): Snapshot {
  if (row.completedAt === null) throw new Error(`${row.id} is not complete`);
  return {
    sync_id: row.id,
    holders: row.holders,
    ...statistics.parse(row.statistics),
    ledger_index: row.ledgerIndex,
    ledger_closed_at: toIso(row.ledgerClosedAt),
    synced_at: toIso(row.completedAt),
  };
}
