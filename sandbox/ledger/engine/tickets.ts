import type { AccountRoot } from '../entries.ts';
import { ticketIndex } from '../keylets.ts';
import { removeFromDirectory } from './directory.ts';
import type { TransactionView } from './view.ts';

/** Uses up a ticket of an account whose root is being changed. */
export function deleteTicket(view: TransactionView, root: AccountRoot, ticketSequence: number): void {
  const index = ticketIndex(root.Account, ticketSequence);
  const ticket = view.edit('Ticket', index);
  if (!ticket) return;
  removeFromDirectory(view, root.Account, ticket.OwnerNode, index);
  view.erase(index);
  root.OwnerCount -= 1;
  const left = (root.TicketCount ?? 0) - 1;
  if (left > 0) root.TicketCount = left;
  else delete root.TicketCount;
}
