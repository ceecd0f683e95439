import type { AccountObjectsRequest } from 'xrpl';
import { z } from 'zod';
import type { LedgerServer } from './connection.ts';
import { isFault } from './fault.ts';

const PAGE_LIMIT = 400;

const ticketPage = z.object({
  ledger_index: z.int(),
  marker: z.unknown().optional(),
  account_objects: z.array(z.object({ TicketSequence: z.int() })),
});

/** Tickets the account holds in the newest validated ledger, ascending; none when it does not exist. */
export async function readTickets(server: LedgerServer, address: string): Promise<number[]> {
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
      // Every page must be of the same ledger (ledger fact 7).
      ledgerIndex = answer.ledger_index;
      marker = answer.marker;
    } while (marker !== undefined);
  } catch (error) {
    if (isFault(error, 'actNotFound')) return [];
    throw error;
  }
  return tickets.sort((a, b) => a - b);
}
