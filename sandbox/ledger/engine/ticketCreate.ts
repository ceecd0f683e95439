import { type AccountRoot, UNTHREADED } from '../entries.ts';
import { ticketIndex } from '../keylets.ts';
import { reserveDrops } from '../rules.ts';
import { addToDirectory, removeFromDirectory } from './directory.ts';
import type { TransactionType } from './types.ts';
import { account, type TransactionView } from './view.ts';

const MAX_TICKETS = 250;

export const ticketCreate: TransactionType = {
  flags: 0,
  preflight: ({ TicketCount: count = 0 }) => (count < 1 || count > MAX_TICKETS ? 'temINVALID_COUNT' : 'tesSUCCESS'),
  preclaim({ view, fields }) {
    const held = account(view, fields.Account)?.TicketCount ?? 0;
    const used = fields.TicketSequence === undefined ? 0 : 1;
    return held + (fields.TicketCount ?? 0) - used > MAX_TICKETS ? 'tecDIR_FULL' : 'tesSUCCESS';
  },
  apply({ view, fields, rules, account: root, priorBalanceDrops }) {
    const count = fields.TicketCount ?? 0;
    if (priorBalanceDrops < reserveDrops(rules, root.OwnerCount + count)) return 'tecINSUFFICIENT_RESERVE';
    const first = root.Sequence;
    for (let ticketSequence = first; ticketSequence < first + count; ticketSequence++) {
      const index = ticketIndex(root.Account, ticketSequence);
      view.create(index, {
        LedgerEntryType: 'Ticket',
        Account: root.Account,
        Flags: 0,
        OwnerNode: addToDirectory(view, root.Account, index),
        TicketSequence: ticketSequence,
        ...UNTHREADED,
      });
    }
    root.TicketCount = (root.TicketCount ?? 0) + count;
    root.OwnerCount += count;
    root.Sequence = first + count;
    return 'tesSUCCESS';
  },
};

/** Uses up a ticket of an account whose root is being changed. */
export function deleteTicket(view: TransactionView, root: AccountRoot, ticketSequence: number): void {
  const index = ticketIndex(root.Account, ticketSequence);
  const ticket = view.edit('Ticket', index);
  if (!ticket) return;
  removeFromDirectory(view, root.Account, ticket.OwnerNode, index, true);
  view.erase(index);
  root.OwnerCount -= 1;
  const left = (root.TicketCount ?? 0) - 1;
  if (left > 0) root.TicketCount = left;
  else delete root.TicketCount;
}
