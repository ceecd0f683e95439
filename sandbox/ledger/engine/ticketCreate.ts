import { UNTHREADED } from '../entries.ts';
import { ticketIndex } from '../keylets.ts';
import { reserveDrops } from '../rules.ts';
import { addToDirectory } from './directory.ts';
import type { TransactionType } from './types.ts';
import { account } from './view.ts';

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
