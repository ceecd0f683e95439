import { type encodeAssignment, type Purpose, purposeId } from '@tranche/rules/custody.ts';
import type { Client } from 'xrpl';

// What the ledger shows of a paying account, read without any code of a witness.

/** A transaction that the ledger has validated, of the account itself. */
export interface Sent {
  hash: string;
  ledgerIndex: number;
  closedAtMs: number;
  type: string;
  result: string;
  ticket: number | null;
  purpose: string | null;
  destination: string | null;
  tag: number | null;
  /** Drops as text, or the value of a token. */
  amount: unknown;
  feeDrops: bigint;
  lastLedgerSequence: number | null;
  /** Beyond those that every transaction may have. */
  fields: readonly string[];
  flags: number;
}

const ENVELOPE = new Set(
  'Account Fee Flags LastLedgerSequence Memos NetworkID Sequence Signers SigningPubKey TicketSequence TransactionType'.split(
    ' ',
  ),
);
const PURPOSE_DIGITS = 18;

interface Entry {
  tx_json: Record<string, unknown>;
  meta: {
    TransactionResult: string;
    AffectedNodes: Record<string, { LedgerEntryType: string; NewFields: Record<string, unknown> }>[];
  };
  hash: string;
  ledger_index: number;
  close_time_iso: string;
}

/** Tickets and transactions of an account. */
export class Book {
  readonly account: string;
  readonly tickets = new Map<number, string | null>();
  readonly open = new Set<number>();
  readonly sent: Sent[] = [];
  readonly #seen = new Set<string>();
  readonly #after: number;

  /** Of what follows ledger `after`. */
  constructor(account: string, after: number) {
    this.account = account;
    this.#after = after;
  }

  openFor(id: string): number[] {
    return [...this.open].filter((ticket) => this.tickets.get(ticket) === id).sort((a, b) => a - b);
  }

  ticketsOf(purpose: Purpose): number[] {
    const id = purposeId(purpose);
    return [...this.tickets].flatMap(([ticket, each]) => (each === id ? [ticket] : []));
  }

  get payments(): Sent[] {
    return this.sent.filter(({ type, result }) => type === 'Payment' && result === 'tesSUCCESS');
  }

  paymentsFor(purpose: Purpose): Sent[] {
    const id = purposeId(purpose);
    return this.payments.filter((each) => each.purpose === id);
  }

  async readOn(client: Client): Promise<void> {
    let marker: unknown;
    do {
      const { result } = await client.request({
        command: 'account_tx',
        account: this.account,
        ledger_index_min: this.sent.at(-1)?.ledgerIndex ?? this.#after,
        ledger_index_max: -1,
        forward: true,
        limit: 400,
        ...(marker === undefined ? {} : { marker }),
      });
      for (const entry of result.transactions) this.#take(entry as never);
      marker = result.marker;
    } while (marker !== undefined);
  }

  #take({ tx_json: tx, meta, hash, ledger_index: ledgerIndex, close_time_iso: closedAt }: Entry): void {
    if (tx.Account !== this.account || this.#seen.has(hash) || ledgerIndex <= this.#after) return;
    this.#seen.add(hash);
    const ticket = typeof tx.TicketSequence === 'number' ? tx.TicketSequence : null;
    if (ticket !== null) this.open.delete(ticket);
    this.sent.push({
      hash,
      ledgerIndex,
      closedAtMs: Date.parse(closedAt),
      type: String(tx.TransactionType),
      result: meta.TransactionResult,
      ticket,
      purpose: ticket === null ? null : (this.tickets.get(ticket) ?? null),
      destination: (tx.Destination as string | undefined) ?? null,
      tag: (tx.DestinationTag as number | undefined) ?? null,
      amount: tx.DeliverMax ?? tx.Amount,
      feeDrops: BigInt(String(tx.Fee)),
      lastLedgerSequence: (tx.LastLedgerSequence as number | undefined) ?? null,
      fields: Object.keys(tx).filter((name) => /^[A-Z]/.test(name) && !ENVELOPE.has(name)),
      flags: Number(tx.Flags ?? 0),
    });
    if (tx.TransactionType !== 'TicketCreate') return;
    const created = meta.AffectedNodes.flatMap(({ CreatedNode: node }) =>
      node?.LedgerEntryType === 'Ticket' ? [Number(node.NewFields.TicketSequence)] : [],
    ).sort((a, b) => a - b);
    const memo = (tx.Memos as ReturnType<typeof encodeAssignment>[] | undefined)?.[0]?.Memo.MemoData ?? '';
    for (const [place, number] of created.entries()) {
      this.tickets.set(number, memo.slice(PURPOSE_DIGITS * place, PURPOSE_DIGITS * (place + 1)) || null);
      this.open.add(number);
    }
  }
}
