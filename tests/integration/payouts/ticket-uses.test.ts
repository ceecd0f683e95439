import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { openLedger } from '#lib/xrpl/ledger.ts';
import { type LedgerDesk, NETWORK_ID, openDesk } from '../xrpl/desk.ts';

let desk: LedgerDesk;
let owner: Wallet;
let other: Wallet;
let tickets: number[];
const openPort = () => openLedger({ urls: [desk.ledger.wsUrl], networkId: NETWORK_ID });
let port: ReturnType<typeof openPort>;

beforeAll(async () => {
  desk = await openDesk();
  [owner, other] = (await desk.accounts(2, 10_000)) as [Wallet, Wallet];
  await desk.send(owner, { TransactionType: 'TicketCreate', Account: owner.address, TicketCount: 250 });
  desk.close();
  port = openPort();
  tickets = await port.tickets(owner.address);
});
afterAll(async () => {
  await port.close();
  await desk.end();
});

const pay = (ticket: number, drops: string) =>
  desk.send(owner, {
    TransactionType: 'Payment',
    Account: owner.address,
    Destination: other.address,
    Amount: drops,
    Sequence: 0,
    TicketSequence: ticket,
  });

/** Sought in ledgers before those in which it was used, so in all later ones as well. */
const anywhere = (ticket: number) => ({ ticket, fromLedger: 1, throughLedger: 2 });

describe('who used up a ticket', () => {
  test('is told with whom it paid, over more than one page, and nothing is told of a ticket that stands', async () => {
    const [first = 0, failed = 0, standing = 0, ...many] = tickets;
    const paid = await pay(first, '1000000');
    desk.close();
    for (const ticket of many.slice(0, 220)) await pay(ticket, '1');
    const unpaid = await pay(failed, '99000000000');
    const ledgerIndex = desk.close();
    const uses = await port.ticketUses({ account: owner.address, tickets: [first, failed, standing].map(anywhere) });
    expect(uses).toEqual([
      {
        ticket: first,
        hash: paid,
        ledgerIndex: ledgerIndex - 1,
        paid: [other.address],
        payment: {
          destination: other.address,
          destinationTag: null,
          delivered: '1000000',
          closedAtMs: expect.any(Number),
        },
        unclear: false,
      },
      { ticket: failed, hash: unpaid, ledgerIndex, paid: [], payment: null, unclear: false },
    ]);
  });

  test('is what the account itself used: what others did with their own ticket of that number says nothing', async () => {
    const [first = 0] = tickets;
    expect(await port.ticketUses({ account: other.address, tickets: [anywhere(first)] })).toEqual([]);
  });

  test('is not found where the server lacks the ledger, without an error', async () => {
    const [first = 0] = tickets;
    const newest = desk.close(3);
    desk.ledger.faults.set({ missingLedgers: [{ from: 1, to: newest - 1 }] });
    expect(await port.ticketUses({ account: owner.address, tickets: [anywhere(first)] })).toEqual([]);
    desk.ledger.faults.clear();
  });
});
