import type { SyncReport } from './contracts.ts';
import type { Sync } from './start-sync.ts';

/** A synchronisation as its cron answers it. */
export const toReport = (sync: Sync): SyncReport => ({
  sync_id: sync.id,
  token: sync.token,
  status: sync.status === 'complete' ? 'complete' : 'running',
  ledger_index: sync.ledgerIndex,
  holders: sync.holders,
  added: sync.added,
  removed: sync.removed,
  pages: sync.pages,
});

/** A token whose synchronisation could not be begun, or failed and will begin anew in a later run. */
export const failedReport = (token: string): SyncReport => ({
  sync_id: null,
  token,
  status: 'failed',
  ledger_index: null,
  holders: 0,
  added: null,
  removed: null,
  pages: 0,
});
