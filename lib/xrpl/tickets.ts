import { MOVES_NOTHING, rippleSecondsToMs } from '@tranche/rules/feed-entry.ts';
import { readHistory } from '@tranche/verifier/read-feed.ts';
import type { AccountObjectsRequest, AccountTxRequest } from 'xrpl';
import { z } from 'zod';
import type { LedgerServer } from './connection.ts';
import { isFault, RANGE_FAULTS } from './fault.ts';
import type { LedgerHistory, TicketSearch, TicketUse } from './types.ts';

const TICKETS_A_PAGE = 400;

const ticketPage = z.lazy(() =>
  z.object({
    ledger_index: z.int(),
    validated: z.literal(true),
    marker: z.unknown().optional(),
    account_objects: z.array(z.object({ TicketSequence: z.int() })),
  }),
);

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
        limit: TICKETS_A_PAGE,
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

const TRANSACTIONS_A_PAGE = 200;
/** Requests of one search, shared by the stretches that it has to read: none keeps another from being read. */
const MAX_PAGES = 60;
const MIN_PAGES = 4;

const transfer = () => z.object({ Destination: z.string().optional(), DestinationTag: z.int().optional() });
const used = () =>
  z.object({
    hash: z.string(),
    ledger_index: z.int(),
    validated: z.literal(true),
    meta: z.object({ TransactionResult: z.string(), delivered_amount: z.unknown().optional() }),
    tx_json: transfer().extend({
      TransactionType: z.string(),
      Account: z.string(),
      TicketSequence: z.int().optional(),
      date: z.int().optional(),
      RawTransactions: z.array(z.object({ RawTransaction: transfer() })).optional(),
    }),
  });
const page = z.lazy(() => z.object({ marker: z.unknown().optional(), transactions: z.array(used()) }));

interface Stretch {
  from: number;
  through: number;
}

/**
 * The validated transactions of the account that used up the tickets asked for, as far as this server shows them: in the
 * ledgers named for each, then in all later ones. Each is a fact, whatever else the server lacks: a ticket can be used
 * once (docs/ledger-facts.md, 16). That a ticket is not among them proves nothing. Of an account with more traffic than
 * one search reads, each search at a later ledger reads another part.
 */
export async function readTicketUses(server: LedgerServer, search: TicketSearch): Promise<TicketUse[]> {
  const history = await readHistory(server);
  const uses = new Map<number, TicketUse>();
  const read = async (stretches: readonly Stretch[]): Promise<void> => {
    const held = stretches.flatMap((stretch) => heldParts(stretch, history));
    const pages = Math.max(MIN_PAGES, Math.floor(MAX_PAGES / held.length));
    for (const stretch of held) await readStretch(server, search, stretch, { pages, uses, history });
  };
  await read(
    merge(search.tickets.map(({ fromLedger, throughLedger }) => ({ from: fromLedger, through: throughLedger }))),
  );
  const later = search.tickets.filter(({ ticket }) => !uses.has(ticket)).map(({ throughLedger }) => throughLedger + 1);
  if (later.length > 0) await read([{ from: Math.min(...later), through: history.validatedIndex }]);
  return [...uses.values()];
}

/** Overlapping and adjoining stretches as one, ascending. */
function merge(stretches: readonly Stretch[]): Stretch[] {
  const merged: Stretch[] = [];
  for (const { from, through } of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last.through + 1) last.through = Math.max(last.through, through);
    else merged.push({ from, through });
  }
  return merged;
}

/** A bound that the server does not hold is an error, not an empty answer (docs/ledger-facts.md, 6). */
const heldParts = ({ from, through }: Stretch, { completeLedgers, validatedIndex }: LedgerHistory): Stretch[] =>
  completeLedgers
    .map(([first, last]) => ({
      from: Math.max(from, first),
      through: Math.min(through, last, validatedIndex),
    }))
    .filter((part) => part.from <= part.through);

/** Starts that fall evenly over a stretch, whichever ledgers follow each other (the golden section). */
const startWithin = ({ from, through }: Stretch, turn: number): number =>
  from + Math.floor(((turn * 0.618_033_988_75) % 1) * (through - from + 1));

async function readStretch(
  server: LedgerServer,
  search: TicketSearch,
  stretch: Stretch,
  reading: { pages: number; uses: Map<number, TicketUse>; history: LedgerHistory },
): Promise<void> {
  const half = { ...reading, pages: Math.ceil(reading.pages / 2) };
  const through = await readPages(server, search, stretch, half);
  if (through === null) return;
  const rest = { from: through, through: stretch.through };
  await readPages(server, search, { ...rest, from: startWithin(rest, reading.history.validatedIndex) }, half);
}

/** The ledger in which the reading stopped because its pages were used up; null when it read all that it can. */
async function readPages(
  server: LedgerServer,
  { account, tickets }: TicketSearch,
  { from, through }: Stretch,
  { pages, uses }: { pages: number; uses: Map<number, TicketUse> },
): Promise<number | null> {
  const sought = new Set(tickets.map(({ ticket }) => ticket));
  let marker: unknown;
  let reached = from;
  for (let read = 0; read < pages; read++) {
    if (uses.size === sought.size) return null;
    const command: AccountTxRequest = {
      command: 'account_tx',
      account,
      ledger_index_min: from,
      ledger_index_max: through,
      binary: false,
      forward: true,
      limit: TRANSACTIONS_A_PAGE,
      ...(marker === undefined ? {} : { marker }),
    };
    const answer = await requestPage(server, command);
    if (answer === null) return null;
    for (const { hash, ledger_index: ledgerIndex, meta, tx_json: tx } of answer.transactions) {
      reached = ledgerIndex;
      const ticket = tx.TicketSequence;
      if (tx.Account !== account || ticket === undefined || !sought.has(ticket)) continue;
      uses.set(ticket, { ticket, hash, ledgerIndex, ...effectOf(tx, meta) });
    }
    marker = answer.marker;
    if (marker === undefined) return null;
  }
  return reached;
}

/** Null where the server has the ledgers and does not answer for them: it does from its newest gap on only. */
async function requestPage(server: LedgerServer, command: AccountTxRequest): Promise<z.output<typeof page> | null> {
  try {
    return page.parse(await server.request(command));
  } catch (error) {
    if (isFault(error, ...RANGE_FAULTS)) return null;
    throw error;
  }
}

function effectOf(
  tx: z.output<ReturnType<typeof used>>['tx_json'],
  { TransactionResult: result, delivered_amount: delivered }: z.output<ReturnType<typeof used>>['meta'],
): Pick<TicketUse, 'paid' | 'payment' | 'unclear'> {
  if (result !== 'tesSUCCESS' || MOVES_NOTHING.has(tx.TransactionType)) {
    return { paid: [], payment: null, unclear: false };
  }
  const inner = (tx.RawTransactions ?? []).map(({ RawTransaction }) => RawTransaction.Destination);
  return {
    paid: [...new Set([tx.Destination, ...inner].filter((destination) => destination !== undefined))],
    payment:
      tx.TransactionType === 'Payment' && tx.Destination !== undefined && tx.date !== undefined
        ? {
            destination: tx.Destination,
            destinationTag: tx.DestinationTag ?? null,
            delivered,
            closedAtMs: rippleSecondsToMs(tx.date),
          }
        : null,
    unclear: tx.TransactionType !== 'Payment',
  };
}
