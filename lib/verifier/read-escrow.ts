import { type CreatedEscrow, readCreated } from '@tranche/rules/locks.ts';
import * as z from 'zod';
import { LedgerFault, ledgerUnavailable } from './errors.ts';
import { heldThrough, type LedgerServer, readHistory } from './read-feed.ts';

/**
 * The escrow that a transaction has created; null when it has created none in `ledgerIndex`, or in any ledger that the server
 * holds when that is null. Fails on a server that finds no such transaction and does not hold the ledger.
 */
export async function readCreatedEscrow(
  server: LedgerServer,
  hash: string,
  ledgerIndex: number | null,
): Promise<CreatedEscrow | null> {
  // Read first: what the server held before the question was searched by the answer.
  const history = ledgerIndex === null ? null : await readHistory(server);
  let answer: unknown;
  try {
    answer = await server.request({ command: 'tx', transaction: hash, binary: false });
  } catch (error) {
    if (!refusedWith(error, 'txnNotFound')) throw error;
    if (history !== null && ledgerIndex !== null && heldThrough(history, ledgerIndex) === null) {
      throw ledgerUnavailable(`The ledger server does not hold ledger ${ledgerIndex}`);
    }
    return null;
  }
  const escrow = readCreated(answer, hash);
  return ledgerIndex === null || escrow?.ledgerIndex === ledgerIndex ? escrow : null;
}

const standing = z.lazy(() =>
  z.object({
    index: z.string(),
    node: z.object({ LedgerEntryType: z.literal('Escrow') }),
    ledger_index: z.int(),
    validated: z.literal(true),
  }),
);

/** Whether a validated ledger holds the escrow. Fails on a server that does not hold that ledger's state. */
export async function readEscrowStands(
  server: Pick<LedgerServer, 'request'>,
  escrowId: string,
  ledgerIndex: number,
): Promise<boolean> {
  let answer: unknown;
  try {
    answer = await server.request({ command: 'ledger_entry', index: escrowId, ledger_index: ledgerIndex });
  } catch (error) {
    if (refusedWith(error, 'entryNotFound')) return false;
    throw error;
  }
  const shown = standing.parse(answer);
  if (shown.index !== escrowId || shown.ledger_index !== ledgerIndex) {
    throw ledgerUnavailable('The ledger server answered for another ledger or entry');
  }
  return true;
}

/** A client may hand the server's refusal on as the cause of its own error. */
const refusedWith = (error: unknown, code: string): boolean => {
  const said = error instanceof LedgerFault ? error : error instanceof Error ? error.cause : undefined;
  return said instanceof LedgerFault && said.code === code;
};
