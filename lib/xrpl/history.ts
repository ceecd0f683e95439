import { z } from 'zod';
import type { LedgerServer } from './connection.ts';
import { ledgerUnavailable } from './fault.ts';
import type { LedgerHistory } from './types.ts';

const info = z.object({
  info: z.object({
    complete_ledgers: z.string(),
    network_id: z.int().default(0),
    validated_ledger: z.object({ seq: z.int(), hash: z.string() }).optional(),
  }),
});

/** "2-138,140" as ranges, ascending; "empty" as none. */
export function parseLedgerRanges(text: string): [from: number, to: number][] {
  return [...text.matchAll(/(\d+)(?:-(\d+))?/g)]
    .map((match): [number, number] => [Number(match[1]), Number(match[2] ?? match[1])])
    .sort((a, b) => a[0] - b[0]);
}

/**
 * The last validated ledger of the unbroken stretch that begins at `from`; null when the server lacks `from` itself
 * (docs/ledger-facts.md, 5: history can be fragmented).
 */
export function heldThrough(history: LedgerHistory, from: number): number | null {
  const range = history.completeLedgers.find(([first, last]) => first <= from && from <= last);
  if (range === undefined || from > history.validatedIndex) return null;
  return Math.min(range[1], history.validatedIndex);
}

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

/**
 * What the server holds, by `server_info`: through Clio, `server_state` describes another machine than the one that
 * answers look-ups.
 */
export async function readHistory(
  server: LedgerServer,
): Promise<LedgerHistory & { networkId: number; validatedHash: string }> {
  const parsed = info.parse(await server.request({ command: 'server_info' })).info;
  if (parsed.validated_ledger === undefined) throw ledgerUnavailable('The ledger server has no validated ledger yet');
  return {
    networkId: parsed.network_id,
    validatedIndex: parsed.validated_ledger.seq,
    validatedHash: parsed.validated_ledger.hash,
    completeLedgers: parseLedgerRanges(parsed.complete_ledgers),
  };
}
