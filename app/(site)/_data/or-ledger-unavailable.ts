import { setTimeout as sleep } from 'node:timers/promises';
import { PlatformError } from '#lib/base/errors.ts';

/** As long as the status page waits for the ledger: the first question after a cold start connects. */
const PATIENCE_MS = 4_000;

/** What was read from the ledger, or null when it does not answer while a visitor can be kept waiting for the page. */
export async function orLedgerUnavailable<T>(reading: Promise<T>): Promise<T | null> {
  const patience = new AbortController();
  const tooLong = sleep(PATIENCE_MS, null, { signal: patience.signal }).catch(() => null);
  try {
    return await Promise.race([reading, tooLong]);
  } catch (err) {
    if (err instanceof PlatformError && err.code === 'ledger_unavailable') return null;
    throw err;
  } finally {
    patience.abort();
  }
}
