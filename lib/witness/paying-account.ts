import type { Drops } from '@tranche/rules/amounts.ts';
import { type Custody, isListOf, isQuorum, isReleaseId } from '@tranche/rules/custody.ts';
import type { FeedEntry, OwnTransaction, SentPayment } from '@tranche/rules/feed-entry.ts';
import type { AccountRoot } from '@tranche/verifier/read-control.ts';
import type { ParsedTerms } from '@tranche/verifier/terms.ts';
import type { Refusal, RefusalReason } from './protocol.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Ticket {
  /** `purposeId` of what it was created for; null for nothing. */
  purpose: string | null;
  /** The transaction that used it, and its ledger. */
  usedBy: string | null;
  usedAt: number | null;
}

export type OwnPayment = {
  hash: string;
  ledgerIndex: number;
  closedAtMs: number;
  ticket: number | null;
  sent: SentPayment;
};

/** Fees are counted in two pots, so that nothing else can use up what debts need. */
export type Pot = 'debts' | 'other';

interface Spending {
  atMs: number;
  feeDrops: Drops;
  pot: Pot;
  releasedDrops: Drops;
}

/** An account that sends payments of approved sales, as its own validated transactions leave it. */
export class PayingAccount {
  readonly address: string;
  /** Its history counts after this ledger. */
  readonly fromLedger: number;
  readonly sales: readonly ParsedTerms[];
  readonly tickets = new Map<number, Ticket>();
  /** Tickets that no transaction has used. */
  readonly open = new Set<number>();
  readonly #ticketsFor = new Map<string, number[]>();
  /** What was paid, and by which transaction. */
  readonly paid = new Map<string, string>();
  #fault: Refusal | null = null;
  /** The first transaction that no quorum of its signers has signed. */
  #unsigned: string | null = null;
  /** The first that was so before a list of its own signers, and when the last such list was set. */
  #beforeList: { hash: string; atMs: number } | null = null;
  /** What it owns may have changed: it is looked at before anything is signed. */
  mustCheck = true;
  /** What it owned when that was looked at last: entries by which its money may leave. */
  claims: readonly string[] = [];
  /** In what it is not as its custody says. */
  differs: string | null = null;
  /** As the view shows it; null when it is not there. */
  onLedger: Pick<AccountRoot, 'balanceDrops' | 'ownerCount' | 'sequence'> | null = null;
  /** Of the last day, and of the last hour, before the view. */
  feesOfDay: Record<Pot, Drops> = { debts: 0n, other: 0n };
  releasedInHour: Drops = 0n;
  #spending: Spending[] = [];
  #payments: OwnPayment[] = [];

  constructor(address: string, fromLedger: number, sales: readonly ParsedTerms[]) {
    this.address = address;
    this.fromLedger = fromLedger;
    this.sales = sales;
  }

  /** Who must sign for it: as the newest sale says. */
  get custody(): Custody | null {
    return this.sales.findLast(({ terms }) => terms.custody !== undefined)?.terms.custody ?? null;
  }

  /** Why nothing is signed for it, whatever the candidate. */
  get fault(): Refusal | null {
    if (this.#unsigned === null) return this.#fault;
    return { reason: 'custody_differs', detail: `${this.#unsigned} of ${this.address} was not signed by a quorum` };
  }

  fail(reason: RefusalReason, detail: string): void {
    this.#fault ??= { reason, detail };
  }

  /** Tickets for a purpose that no transaction has used, ascending. */
  openFor(purpose: string): number[] {
    return (this.#ticketsFor.get(purpose) ?? []).filter((ticket) => this.open.has(ticket));
  }

  /** The lowest open ticket for any release. */
  firstReleaseTicket(): number | null {
    const releases = [...this.open].filter((ticket) => isReleaseId(this.tickets.get(ticket)?.purpose ?? ''));
    return releases.length === 0 ? null : Math.min(...releases);
  }

  /** Takes a transaction of the account itself. Gives what its ticket was for. */
  take(entry: FeedEntry, own: OwnTransaction): string | null {
    const { hash, ledgerIndex, closedAtMs, feeDrops } = entry;
    const sent = entry.kind === 'other' ? entry.sent : undefined;
    const isSigned =
      own.delegate === null &&
      this.sales.some(({ terms }) => terms.custody !== undefined && isQuorum(terms.custody, own.signers));
    if (!isSigned) this.#unsigned ??= hash;
    // Its own signers begin here. Who signed before were the signers of then: the ledger took it, and what it paid is paid.
    const isOwnList = own.setSigners !== undefined && this.custody !== null && isListOf(this.custody, own.setSigners);
    if (isOwnList && this.#unsigned !== null) {
      this.#beforeList = { hash: this.#beforeList?.hash ?? this.#unsigned, atMs: closedAtMs };
      this.#unsigned = null;
    }
    if (entry.kind === 'other' && entry.movedOtherwise === true) {
      this.fail('history_unexplained', `${hash} of ${this.address} is a ${own.transactionType}, which moves something`);
    }
    let purpose: string | null = null;
    if (own.ticket !== null) {
      purpose = this.tickets.get(own.ticket)?.purpose ?? null;
      this.tickets.set(own.ticket, { purpose, usedBy: hash, usedAt: ledgerIndex });
      this.open.delete(own.ticket);
    }
    const isAssigned = own.assigned.length === own.ticketsCreated.length;
    for (const [index, ticket] of own.ticketsCreated.entries()) {
      const createdFor = (isAssigned ? own.assigned[index] : undefined) ?? null;
      this.tickets.set(ticket, { purpose: createdFor, usedBy: null, usedAt: null });
      this.open.add(ticket);
      if (createdFor === null) continue;
      this.#ticketsFor.set(createdFor, [...(this.#ticketsFor.get(createdFor) ?? []), ticket]);
    }
    if (sent !== undefined) this.#payments.push({ hash, ledgerIndex, closedAtMs, ticket: own.ticket, sent });
    const isRelease = purpose !== null && isReleaseId(purpose);
    const isDebt = own.transactionType === 'Payment' && !isRelease;
    const delivered = sent?.delivered;
    this.#spending.push({
      atMs: closedAtMs,
      feeDrops,
      pot: isDebt ? 'debts' : 'other',
      releasedDrops: isRelease && typeof delivered === 'string' ? BigInt(delivered) : 0n,
    });
    if (!ORDINARY.has(own.transactionType) || (own.transactionType === 'AccountSet' && !own.setsNothing)) {
      this.mustCheck = true;
    }
    return purpose;
  }

  /** One of its sales was launched then: whoever signed for it since was to be its own signers. */
  launched(atMs: number): void {
    if (this.#beforeList === null || atMs > this.#beforeList.atMs) return;
    this.fail('custody_differs', `${this.#beforeList.hash} of ${this.address} was not signed by a quorum`);
  }

  /** Payments of its own that are not explained yet; `keep` gives back those that wait for what explains them. */
  takePayments(): OwnPayment[] {
    const payments = this.#payments;
    this.#payments = [];
    return payments;
  }

  keep(payment: OwnPayment): void {
    this.#payments.push(payment);
  }

  /** What it has spent lately. */
  settle(closedAtMs: number): void {
    this.#spending = this.#spending.filter(({ atMs }) => atMs > closedAtMs - DAY_MS);
    this.feesOfDay = { debts: 0n, other: 0n };
    this.releasedInHour = 0n;
    for (const { atMs, feeDrops, pot, releasedDrops } of this.#spending) {
      this.feesOfDay[pot] += feeDrops;
      if (atMs > closedAtMs - HOUR_MS) this.releasedInHour += releasedDrops;
    }
  }
}

/** Transactions that leave who may sign, and what may leave the account, as they are. */
const ORDINARY: ReadonlySet<string> = new Set(['Payment', 'TicketCreate', 'AccountSet']);
