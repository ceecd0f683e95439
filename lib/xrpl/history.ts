import { heldThrough, type LedgerHistory } from '@tranche/verifier/read-feed.ts';

/**
 * A server lists a ledger as held a moment before its transactions can be found by hash (they are written behind), so
 * absence is believed only this many ledgers later.
 */
export const WRITE_BEHIND_LEDGERS = 2;

/**
 * True when a transaction that `history`'s server did not find validated can never be in a validated ledger:
 * LastLedgerSequence has passed and the server holds every ledger it could be in (docs/ledger-facts.md, 12, 13, 29).
 */
export function provesAbsence(history: LedgerHistory, firstLedger: number, lastLedgerSequence: number): boolean {
  const through = heldThrough(history, firstLedger);
  return through !== null && through >= lastLedgerSequence + WRITE_BEHIND_LEDGERS;
}
