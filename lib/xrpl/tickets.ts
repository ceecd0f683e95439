import type { AccountObjectsRequest } from 'xrpl';
import { z } from 'zod';
import type { LedgerServer } from './connection.ts';
import { isFault } from './fault.ts';

const PAGE_LIMIT = 400;

const ticketPage = z.object({
  ledger_index: z.int(),
  validated: z.literal(true),
  marker: z.unknown().optional(),
  account_objects: z.array(z.object({ TicketSequence: z.int() })),
});

/** Tickets the account holds in the newest validated ledger, ascending; none when it does not exist. */
export const readTickets = async (server: LedgerServer, address: string): Promise<number[]> =>
  (await readTicketsAt(server, address))?.tickets ?? [];

/**
 * The same with the ledger that shows them; null when the account does not exist. One answer proves it: a ticket that it
 * lists was used in no ledger up to `ledgerIndex`.
 */
export async function readTicketsAt(
  server: LedgerServer,
  address: string,
): Promise<{ ledgerIndex: number; tickets: number[] } | null> {
  let shown = 0;
  const tickets: number[] = [];
  let ledgerIndex: AccountObjectsRequest['ledger_index'] = 'validated';
  let marker: unknown;
  try {
    do {
      const command: AccountObjectsRequest = {
        command: 'account_objects',
        account: address,
        type: 'ticket',
        ledger_index: ledgerIndex,
        limit: PAGE_LIMIT,
        ...(marker === undefined ? {} : { marker }),
      };
      const answer = ticketPage.parse(await server.request(command));
      tickets.push(...answer.account_objects.map((ticket) => ticket.TicketSequence));
      // Every page must be of the same ledger (docs/ledger-facts.md, 7).
      ledgerIndex = answer.ledger_index;
      shown = answer.ledger_index;
      marker = answer.marker;
    } while (marker !== undefined);
  } catch (error) {
    if (isFault(error, 'actNotFound')) return null;
    throw error;
  }
  return { ledgerIndex: shown, tickets: tickets.sort((a, b) => a - b) };
}
