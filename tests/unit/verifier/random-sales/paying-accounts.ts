import { createHash } from 'node:crypto';
import type { LedgerTransaction } from '../second-implementation/publications.ts';
import { DEPOSIT, DISTRIBUTOR, ISSUER, TREASURY } from './accounts.ts';
import {
  type AssignmentForm,
  type DrawnPurpose,
  MISASSIGNED,
  type OwnStep,
  type PayingAccount,
  type PaysStep,
  type Signing,
  signedBy,
  type TicketChoice,
  type TicketsStep,
} from './custody.ts';

export interface Arrived {
  hash: string;
  ledger: number;
  index: number;
  sender: string;
  sourceTag: number | null;
  drops: bigint;
}

/** A transaction that a published payout names. */
export interface PaidBy {
  transaction_hash: string;
  ledger_index: number;
}

type Sent = Pick<LedgerTransaction, 'tx_json' | 'meta'>;
type Append = (sent: Sent) => { hash: string; position: { ledger_index: number } };

const ADDRESSES: Record<PayingAccount, string> = { deposit: DEPOSIT, distributor: DISTRIBUTOR };
const MEMO_TYPE = hex('tranche/tickets');

/** What the two paying accounts of a sale under custody send, with what their tickets were meant for. */
export class PayingAccounts {
  /** By `<payment> <kind> <part>`: the first successful payment of it, which its payout names. */
  readonly paid = new Map<string, PaidBy>();
  readonly releases: PaidBy[] = [];
  readonly arrived: Arrived[] = [];
  /** What has happened, by name (coverage.ts). */
  readonly happened: string[] = [];
  readonly #append: Append;
  readonly #projectId: string;
  /** Unused tickets in the order in which they were created, also those that were created for nothing. */
  readonly #unused: Record<PayingAccount, { ticket: number; purpose: string }[]> = { deposit: [], distributor: [] };
  #nextTicket = 500;
  #last: { arrived: Arrived; purpose: { kind: string; part: number } } | null = null;

  constructor(projectId: string, append: Append) {
    this.#projectId = projectId;
    this.#append = append;
  }

  createTickets({ account, purposes, form, signing, failed }: TicketsStep): void {
    const ids = purposes.map((purpose) => this.#idOf(purpose)).filter((id) => id !== null);
    if (ids.length === 0) return;
    this.happened.push(`tickets: ${form}`, `tickets signed: ${signing}`);
    if (failed) this.happened.push('tickets failed');
    this.#create(account, ids, { form, signing, failed });
  }

  pay({ purpose, again, ...how }: PaysStep): void {
    const arrived = this.#arrivedFor(purpose);
    if (again && this.#last !== null) this.#payFor(this.#last.arrived, this.#last.purpose, how);
    else if (arrived !== undefined) this.#payFor(arrived, purpose, how);
  }

  /** Pays what is owed for a payment as it must be paid. */
  settle(hash: string, kind: string, part: number): void {
    const arrived = this.arrived.find((each) => each.hash === hash);
    if (arrived === undefined || this.paid.has(`${hash} ${kind} ${part}`)) return;
    this.#payFor(arrived, { kind, part }, { ticket: 'made', signing: 'quorum', failed: false, odd: false });
  }

  #payFor(
    arrived: Arrived,
    purpose: { kind: string; part: number },
    { ticket, signing, failed, odd }: Omit<PaysStep, 'kind' | 'purpose' | 'again'>,
  ): void {
    const { kind, part } = purpose;
    this.happened.push(`payment by a ticket: ${ticket}`, `payment signed: ${signing}`);
    if (failed) this.happened.push('payment failed');
    const account = kind === 'distribution' ? 'distributor' : 'deposit';
    const { hash, position } = this.#append({
      tx_json: {
        TransactionType: 'Payment',
        Account: ADDRESSES[account],
        Destination: kind === 'release' ? TREASURY : arrived.sender,
        ...(arrived.sourceTag === null || kind === 'release' ? {} : { DestinationTag: arrived.sourceTag }),
        ...this.#ticketField(account, this.#purposeId(arrived, kind, part), ticket),
        ...signedBy(signing),
      },
      meta: {
        TransactionResult: failed ? 'tecPATH_DRY' : 'tesSUCCESS',
        ...(failed ? {} : { delivered_amount: this.#delivered(arrived, kind, odd) }),
      },
    });
    if (failed) return;
    const by = { transaction_hash: hash, ledger_index: position.ledger_index };
    this.#last = { arrived, purpose };
    if (kind === 'release') this.releases.push(by);
    else if (!this.paid.has(`${arrived.hash} ${kind} ${part}`)) this.paid.set(`${arrived.hash} ${kind} ${part}`, by);
  }

  send({ account, type, signing, failed }: OwnStep): void {
    this.happened.push(`own transaction: ${type}`);
    const fields = OWN_FIELDS[type] ?? {};
    this.#append({
      tx_json: {
        TransactionType: type in OWN_FIELDS ? 'AccountSet' : type,
        Account: ADDRESSES[account],
        ...fields,
        ...(type === 'uses_up_a_ticket' ? this.#ticketField(account, '', 'another') : {}),
        ...signedBy(signing),
      },
      meta: { TransactionResult: failed ? 'tecNO_PERMISSION' : 'tesSUCCESS' },
    });
  }

  /** What an `assign` of a payment has beside its memo. */
  assignFields(hash: string, ticket: TicketChoice): Record<string, unknown> {
    const arrived = this.arrived.find((each) => each.hash === hash);
    if (arrived !== undefined) this.happened.push(`assign by a ticket: ${ticket}`);
    return arrived === undefined ? {} : this.#ticketField('deposit', this.#purposeId(arrived, 'refund', 1), ticket);
  }

  #arrivedFor({ back }: DrawnPurpose): Arrived | undefined {
    return this.arrived.at(-1 - back) ?? this.arrived.at(-1);
  }

  #idOf(purpose: DrawnPurpose): string | null {
    const arrived = this.#arrivedFor(purpose);
    return arrived === undefined ? null : this.#purposeId(arrived, purpose.kind, purpose.part);
  }

  #purposeId({ ledger, index }: Arrived, kind: string, part: number): string {
    if (kind === 'release') return `03${createHash('sha256').update(this.#projectId).digest('hex').slice(0, 16)}`;
    const digits = (value: number, count: number) => value.toString(16).padStart(count, '0');
    return `${kind === 'distribution' ? '01' : '02'}${digits(ledger, 8)}${digits(index, 4)}${digits(part, 4)}`;
  }

  #ticketField(account: PayingAccount, purpose: string, choice: TicketChoice): { TicketSequence?: number } {
    if (choice === 'none') return {};
    if (choice === 'made') this.#create(account, [purpose], { form: 'right', signing: 'quorum', failed: false });
    if (choice === 'misassigned') this.#misassign(account, purpose);
    const unused = this.#unused[account];
    const fits = (each: { purpose: string }) => (choice === 'another') !== (each.purpose === purpose);
    const made = { made: unused.length - 1, misassigned: unused.length - 2, waiting: null, another: null }[choice];
    const index = made ?? unused.findIndex(fits);
    const [used] = index < 0 ? [] : unused.splice(index, 1);
    return used === undefined ? {} : { TicketSequence: used.ticket };
  }

  /** Two tickets for one purpose: where a purpose is left away, the first ticket would be for the other. */
  #misassign(account: PayingAccount, purpose: string): void {
    const how = MISASSIGNED[this.#nextTicket % MISASSIGNED.length] ?? { form: 'no_memo', signing: 'quorum' };
    this.happened.push(`misassigned: ${how.form}, ${how.signing}`);
    this.#create(account, [purpose, purpose], { ...how, failed: false });
  }

  #create(
    account: PayingAccount,
    purposes: string[],
    { form, signing, failed }: { form: AssignmentForm; signing: Signing; failed: boolean },
  ): void {
    const created = failed ? [] : purposes.map((purpose) => ({ ticket: this.#nextTicket++, purpose }));
    this.#append({
      tx_json: {
        TransactionType: 'TicketCreate',
        Account: ADDRESSES[account],
        TicketCount: purposes.length,
        ...assignment(form, purposes.join('').toUpperCase()),
        ...signedBy(signing),
      },
      meta: {
        TransactionResult: failed ? 'tecDIR_FULL' : 'tesSUCCESS',
        // In the order of their keys, which are hashes.
        AffectedNodes: created.toReversed().map(({ ticket }) => ({
          CreatedNode: {
            LedgerEntryType: 'Ticket',
            NewFields: { Account: ADDRESSES[account], TicketSequence: ticket },
          },
        })),
      },
    });
    this.#unused[account].push(...created);
  }

  #delivered({ drops }: Arrived, kind: string, odd: boolean): unknown {
    if (kind !== 'distribution') return odd ? { currency: 'USD', issuer: ISSUER, value: '1' } : String(drops);
    return odd ? '7' : { currency: 'DMO', issuer: ISSUER, value: '1' };
  }
}

const OWN_FIELDS: Record<string, Record<string, unknown>> = {
  uses_up_a_ticket: { Sequence: 0, LastLedgerSequence: 2_000, SourceTag: 7 },
  sets_a_domain: { Domain: '00' },
  sets_a_flag: { SetFlag: 4 },
  sets_flags: { Flags: 0x8004_0000 },
  canonical_flag: { Flags: 0x8000_0000 },
};

function assignment(form: AssignmentForm, data: string): { Memos?: unknown[] } {
  const memo = { Memo: { MemoType: MEMO_TYPE, MemoData: data } };
  switch (form) {
    case 'right':
      return { Memos: [memo] };
    case 'a_byte_short':
      return { Memos: [{ Memo: { ...memo.Memo, MemoData: data.slice(2) } }] };
    case 'a_purpose_short':
      return { Memos: [{ Memo: { ...memo.Memo, MemoData: data.slice(18) } }] };
    case 'two_memos':
      return { Memos: [memo, { Memo: { MemoType: hex('note'), MemoData: hex('of us') } }] };
    case 'no_memo':
      return {};
    case 'another_type':
      return { Memos: [{ Memo: { ...memo.Memo, MemoType: hex('tranche/ticket') } }] };
    case 'an_unknown_kind':
      return { Memos: [{ Memo: { ...memo.Memo, MemoData: `${data.slice(0, -18)}04${data.slice(-16)}` } }] };
  }
}

function hex(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex').toUpperCase();
}
