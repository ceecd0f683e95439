import { describe, expect, test } from 'vitest';
import type { LedgerServer } from '#lib/xrpl/connection.ts';
import { readTicketUses } from '#lib/xrpl/tickets.ts';

const OURS = 'rOurs';
/** A page of account_tx is at most this long. */
const PAGE = 200;

interface Entry {
  ledgerIndex: number;
  hash?: string;
  account?: string;
  ticket?: number;
  type?: string;
  result?: string;
  destination?: string;
  inner?: string[];
}

const toAnswer = (entry: Entry, index: number) => ({
  hash: entry.hash ?? `in-${index}`,
  ledger_index: entry.ledgerIndex,
  validated: true,
  meta: { TransactionResult: entry.result ?? 'tesSUCCESS' },
  tx_json: {
    TransactionType: entry.type ?? 'Payment',
    Account: entry.account ?? 'rSomebody',
    ...(entry.ticket === undefined ? {} : { TicketSequence: entry.ticket }),
    ...(entry.destination === undefined ? {} : { Destination: entry.destination }),
    ...(entry.inner === undefined
      ? {}
      : { RawTransactions: entry.inner.map((Destination) => ({ RawTransaction: { Destination } })) }),
  },
});

/** A server with these transactions of the account, in ledger order; `asked` counts its pages. */
function serverOf(entries: readonly Entry[], validatedIndex: number) {
  const counted = { asked: 0 };
  const server: LedgerServer = {
    url: 'test',
    request: async (command) => {
      if (command.command !== 'account_tx') {
        const validated_ledger = { seq: validatedIndex, hash: 'A'.repeat(64) };
        return { info: { complete_ledgers: `1-${validatedIndex}`, network_id: 1, validated_ledger } };
      }
      counted.asked += 1;
      const { ledger_index_min: from = 0, ledger_index_max: through = 0, marker } = command;
      const within = entries.filter(({ ledgerIndex }) => ledgerIndex >= from && ledgerIndex <= through);
      const start = Number(marker ?? 0);
      const more = start + PAGE < within.length;
      return {
        transactions: within.slice(start, start + PAGE).map(toAnswer),
        ...(more ? { marker: start + PAGE } : {}),
      };
    },
  };
  return { server, counted };
}

/** What others sent in: so many transactions in each of these ledgers. */
const traffic = (from: number, through: number, each: number): Entry[] =>
  Array.from({ length: (through - from + 1) * each }, (_, index) => ({ ledgerIndex: from + Math.floor(index / each) }));
const use = (ticket: number, ledgerIndex: number, over: Partial<Entry> = {}): Entry => ({
  ledgerIndex,
  hash: `use-${ticket}`,
  account: OURS,
  ticket,
  ...over,
});
const inOrder = (...entries: Entry[]) => entries.toSorted((a, b) => a.ledgerIndex - b.ledgerIndex);
const sought = (ticket: number, fromLedger: number, throughLedger: number) => ({ ticket, fromLedger, throughLedger });

describe('the search for who used a ticket', () => {
  test('reads the ledgers of each attempt, whatever came in before and between them', async () => {
    const entries = inOrder(...traffic(1, 4_000, 4), use(1, 300), use(2, 3_900));
    const { server, counted } = serverOf(entries, 5_000);
    const tickets = [sought(1, 200, 320), sought(2, 3_800, 3_920)];
    const uses = await readTicketUses(server, { account: OURS, tickets });
    expect(uses.map(({ hash }) => hash)).toEqual(['use-1', 'use-2']);
    expect(counted.asked).toBeLessThan(10);
  });

  test('finds a use behind more traffic than it reads at once by and by, and answers for other tickets at once', async () => {
    const entries = inOrder(...traffic(1_000, 1_270, 200), use(1, 1_200), use(2, 2_010));
    const tickets = [sought(1, 1_000, 1_270), sought(2, 2_000, 2_020)];
    let searches = 0;
    for (let validatedIndex = 3_000; ; validatedIndex += 1) {
      const { server, counted } = serverOf(entries, validatedIndex);
      const found = await readTicketUses(server, { account: OURS, tickets });
      searches += 1;
      expect(counted.asked).toBeLessThanOrEqual(200);
      expect(found.map(({ ticket }) => ticket)).toContain(2);
      if (found.length === 2) break;
      expect(searches).toBeLessThan(30);
    }
    expect(searches).toBeGreaterThan(1);
  });

  test('looks in later ledgers as well: somebody may have used the ticket long after the attempt had expired', async () => {
    const { server } = serverOf([use(1, 4_000, { destination: 'rHolder' })], 5_000);
    expect(await readTicketUses(server, { account: OURS, tickets: [sought(1, 100, 120)] })).toEqual([
      { ticket: 1, hash: 'use-1', ledgerIndex: 4_000, paid: ['rHolder'], payment: null, unclear: false },
    ]);
  });

  test.each<[string, Partial<Entry>, { paid: string[]; unclear: boolean }]>([
    ['a payment', { destination: 'rA' }, { paid: ['rA'], unclear: false }],
    ['a failed payment', { destination: 'rA', result: 'tecPATH_DRY' }, { paid: [], unclear: false }],
    ['a setting', { type: 'AccountSet' }, { paid: [], unclear: false }],
    ['a credential taken', { type: 'CredentialAccept' }, { paid: [], unclear: false }],
    ['a domain of its own', { type: 'PermissionedDomainSet' }, { paid: [], unclear: false }],
    ['a batch', { type: 'Batch', inner: ['rA', 'rB', 'rA'] }, { paid: ['rA', 'rB'], unclear: true }],
    ['an escrow', { type: 'EscrowCreate', destination: 'rA' }, { paid: ['rA'], unclear: true }],
    ['a trade', { type: 'OfferCreate' }, { paid: [], unclear: true }],
    ['a type unknown to us', { type: 'LaterInvention' }, { paid: [], unclear: true }],
  ])('tells of %s whom it paid, and whether only a person can tell', async (_, over, expected) => {
    const { server } = serverOf([use(1, 110, over)], 5_000);
    expect(await readTicketUses(server, { account: OURS, tickets: [sought(1, 100, 120)] })).toMatchObject([expected]);
  });
});
