import { z } from 'zod';
import type { LedgerServer } from './connection.ts';
import { rippleSecondsToMs } from './time.ts';
import type { LedgerHead } from './types.ts';

const head = z.object({
  ledger_hash: z.string(),
  validated: z.literal(true),
  ledger: z.object({ close_time: z.int() }),
});

/** Hash and close time of a validated ledger. Fails on a server that does not hold it, or holds it not validated. */
export async function readLedgerHead(server: LedgerServer, ledgerIndex: number): Promise<LedgerHead> {
  const answer = head.parse(await server.request({ command: 'ledger', ledger_index: ledgerIndex }));
  return { hash: answer.ledger_hash, closedAtMs: rippleSecondsToMs(answer.ledger.close_time) };
}
