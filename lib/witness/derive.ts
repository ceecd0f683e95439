import { decodeAction } from '@tranche/rules/action-memo.ts';
import { type Drops, formatDrops, parseDecimal, XRP_DECIMALS } from '@tranche/rules/amounts.ts';
import { type Custody, isQuorum, isReleaseId, type Place, type Purpose, purposeId } from '@tranche/rules/custody.ts';
import type { FeedEntry, OwnTransaction, SentPayment } from '@tranche/rules/feed-entry.ts';
import { reduceAll } from '@tranche/rules/reduce.ts';
import type { OwedPayment } from '@tranche/rules/transactions.ts';
import type { AllowList, Effect, ProjectState, SaleAction, SaleEntry, SaleState } from '@tranche/rules/types.ts';
import { deliveredOf } from '@tranche/verifier/delivered.ts';
import { expectedPayment, type TaggedPayment } from '@tranche/verifier/expected.ts';
import {
  cancellationObligation,
  type DecidedPayment,
  dropsOf,
  tokenObligations,
  unitsOf,
} from '@tranche/verifier/obligations.ts';
import { draftOf, type ParsedTerms } from '@tranche/verifier/terms.ts';
import type { Refusal, RefusalReason } from './protocol.ts';

/** The validated ledger up to which everything has been read. */
export interface View {
  ledgerIndex: number;
  hash: string;
  closedAtMs: number;
  reserveBaseDrops: Drops;
  reserveIncrementDrops: Drops;
}

/** What is owed, and since when. */
export interface Owed extends OwedPayment {
  dueAtMs: number;
  /** Money of the platform's own, which it may take back. */
  isOperating: boolean;
}

export const refuse = (reason: RefusalReason, detail: string, hash?: string): { refused: Refusal } => ({
  refused: { reason, detail, ...(hash === undefined ? {} : { transaction_hash: hash }) },
});
type Refused = ReturnType<typeof refuse>;

export type DebtPurpose = Purpose & { kind: 'distribution' | 'refund' };

/** The debt that a ticket was created for; null for a release. Pure. */
export function debtOf(id: string): DebtPurpose | null {
  const kind = id.startsWith('01') ? 'distribution' : id.startsWith('02') ? 'refund' : null;
  if (kind === null) return null;
  const number = (from: number, to: number): number => Number.parseInt(id.slice(from, to), 16);
  return { kind, payment: { ledgerIndex: number(2, 10), transactionIndex: number(10, 14) }, part: number(14, 18) };
}

const placeKey = ({ ledgerIndex, transactionIndex }: Place): string => `${ledgerIndex}:${transactionIndex}`;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Ticket {
  /** `purposeId` of what it was created for; null for nothing. */
  purpose: string | null;
  /** The transaction that used it, and its ledger. */
  usedBy: string | null;
  usedAt: number | null;
}

type OwnPayment = { hash: string; ledgerIndex: number; ticket: number | null; sent: SentPayment };

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
  readonly sales: readonly ParsedTerms[];
  readonly tickets = new Map<number, Ticket>();
  /** Tickets that no transaction has used. */
  readonly open = new Set<number>();
  readonly #ticketsFor = new Map<string, number[]>();
  /** What was paid, and by which transaction. */
  readonly paid = new Map<string, string>();
  /** Why nothing is signed for it, whatever the candidate. */
  fault: Refusal | null = null;
  /** Its settings may have changed: they are compared with custody before anything is signed. */
  mustCheck = true;
  /** In what they differed when they were compared last. */
  differs: string | null = null;
  onLedger: { balanceDrops: Drops; ownerCount: number; sequence: number } | null = null;
  /** Of the last day, and of the last hour, before the view. */
  feesOfDay: Record<Pot, Drops> = { debts: 0n, other: 0n };
  releasedInHour: Drops = 0n;
  #spending: Spending[] = [];
  #payments: OwnPayment[] = [];

  constructor(address: string, sales: readonly ParsedTerms[]) {
    this.address = address;
    this.sales = sales;
  }

  /** Who must sign for it: as the newest sale says. */
  get custody(): Custody | null {
    return this.sales.findLast(({ terms }) => terms.custody !== undefined)?.terms.custody ?? null;
  }

  fail(reason: RefusalReason, detail: string): void {
    this.fault ??= { reason, detail };
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
    if (!isSigned) this.fail('custody_differs', `${hash} of ${this.address} was not signed by a quorum`);
    if (entry.kind === 'other' && entry.movedOtherwise === true) {
      this.fail('history_unexplained', `${hash} of ${this.address} is a ${own.transactionType}, which moves something`);
    }
    let purpose: string | null = null;
    if (own.ticket !== null) {
      purpose = this.tickets.get(own.ticket)?.purpose ?? null;
      this.tickets.set(own.ticket, { purpose, usedBy: hash, usedAt: ledgerIndex });
      this.open.delete(own.ticket);
    }
    const isAssigned = isSigned && own.assigned.length === own.ticketsCreated.length;
    for (const [index, ticket] of own.ticketsCreated.entries()) {
      const createdFor = (isAssigned ? own.assigned[index] : undefined) ?? null;
      this.tickets.set(ticket, { purpose: createdFor, usedBy: null, usedAt: null });
      this.open.add(ticket);
      if (createdFor === null) continue;
      this.#ticketsFor.set(createdFor, [...(this.#ticketsFor.get(createdFor) ?? []), ticket]);
    }
    if (sent !== undefined) this.#payments.push({ hash, ledgerIndex, ticket: own.ticket, sent });
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

  /** Payments of its own since the last time. */
  takePayments(): OwnPayment[] {
    const payments = this.#payments;
    this.#payments = [];
    return payments;
  }

  /** What it has spent lately. */
  settle({ closedAtMs }: View): void {
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

/** A decided payment, and the sale that it is of. */
interface PaymentRecord {
  row: DecidedPayment;
  place: Place;
  projectId: string | null;
  /** The platform's own money: it may be sent back, and is no debt. */
  isOperating: boolean;
}

interface Release {
  beforeDrops: Drops;
  amountDrops: Drops;
  hash: string;
}

const ZERO = formatDrops(0n);

/** The feed of a deposit account by the rules: its sales, and what of each payment is owed. */
export class DepositBook {
  readonly address: string;
  readonly sales: ReadonlyMap<string, ParsedTerms>;
  readonly lists = new Map<string, Map<string, AllowList>>();
  state: SaleState;
  /** By the hash of the payment. */
  readonly records = new Map<string, PaymentRecord>();
  /** Releases of each sale, in their order. */
  readonly releases = new Map<string, Release[]>();
  /** Units that were paid, by the hash of the payment. */
  readonly distributed = new Map<string, bigint>();
  /** The ledger from which on a sale is cancelled. */
  readonly cancelledAt = new Map<string, number>();
  fault: Refusal | null = null;
  readonly #byPlace = new Map<string, string>();
  /** Sales that are not launched: until then nobody invests in them, and their tags are unknown. */
  readonly #drafts: Map<string, ProjectState>;
  #run: SaleEntry[] = [];

  constructor(address: string, sales: readonly ParsedTerms[]) {
    this.address = address;
    this.sales = new Map(sales.map((sale) => [sale.projectId, sale]));
    this.#drafts = new Map(sales.map((sale) => [sale.projectId, draftOf(sale)]));
    const custodies = sales.flatMap(({ terms }) => terms.custody ?? []);
    this.state = {
      projects: new Map(),
      held: new Map(),
      refundMinDrops: parseDecimal(custodies.at(-1)?.refund_min_xrp ?? '', XRP_DECIMALS) ?? 0n,
    };
  }

  project(projectId: string): ProjectState | null {
    const tag = this.sales.get(projectId)?.terms.destination_tag;
    const launched = tag === undefined ? undefined : this.state.projects.get(tag);
    return launched ?? this.#drafts.get(projectId) ?? null;
  }

  /** The state with this sale in it, launched or not: what an action on it is decided by. */
  stateWith(projectId: string): SaleState {
    const project = this.project(projectId);
    if (project === null) return this.state;
    return { ...this.state, projects: new Map(this.state.projects).set(project.destinationTag, project) };
  }

  /** The payment in this place. */
  recordAt(place: Place): PaymentRecord | undefined {
    return this.records.get(this.#byPlace.get(placeKey(place)) ?? '');
  }

  /** Allowlists that the entries, or the sales as they are, need and that are not there. */
  listsNeeded(entries: readonly FeedEntry[]): { projectId: string; hash: string }[] {
    const inForce = [...this.state.projects.values(), ...this.#drafts.values()].flatMap(({ id, listHash }) =>
      listHash === null ? [] : [{ projectId: id, hash: listHash }],
    );
    const named = entries.flatMap((entry) => {
      const action = entry.kind === 'self' ? decodeAction(entry) : null;
      if (action?.action !== 'list' || action.listHash === null || !this.#counts(action)) return [];
      return [{ projectId: action.projectId, hash: action.listHash }];
    });
    return [...inForce, ...named].filter(({ projectId, hash }) => !this.lists.get(projectId)?.has(hash));
  }

  putList(projectId: string, hash: string, list: AllowList): void {
    const lists = this.lists.get(projectId) ?? new Map<string, AllowList>();
    this.lists.set(projectId, lists.set(hash, list));
    const project = this.project(projectId);
    if (project === null) return;
    this.#put({ ...project, lists: new Map(lists) });
  }

  #put(project: ProjectState): void {
    if (this.#drafts.has(project.id)) this.#drafts.set(project.id, project);
    else {
      this.state = { ...this.state, projects: new Map(this.state.projects).set(project.destinationTag, project) };
    }
  }

  #counts({ projectId, signers }: SaleAction): boolean {
    const sale = this.sales.get(projectId);
    return sale !== undefined && (sale.terms.custody === undefined || isQuorum(sale.terms.custody, signers));
  }

  /** Takes an entry of the account's feed, in order; `purpose` is what its ticket was for. */
  take(entry: FeedEntry, purpose: string | null): void {
    if (entry.kind === 'payment') {
      const { deliveredDrops, ...rest } = entry;
      this.#run.push({ ...rest, receivedDrops: deliveredDrops });
      return;
    }
    const action = entry.kind === 'self' ? decodeAction(entry) : null;
    if (action !== null) this.#takeAction(action);
    if (entry.kind !== 'other') return;
    if (entry.counterparty !== null) this.#takeArrival(entry, entry.counterparty);
    if (entry.sent !== undefined) this.#payHeld(entry, purpose);
  }

  #takeAction(action: SaleAction): void {
    const sale = this.sales.get(action.projectId);
    if (
      action.action === 'launch' &&
      (sale === undefined || (this.#counts(action) && action.termsHash !== sale.hash))
    ) {
      this.fault ??= {
        reason: 'sale_not_approved',
        detail: `${action.hash} launches ${action.projectId} with the terms ${action.termsHash}, which are not approved`,
      };
    }
    if (sale === undefined) return;
    const draft = this.#drafts.get(action.projectId);
    if (draft === undefined) {
      this.#run.push(action);
      return;
    }
    // An action on a sale that is not launched decides on nothing else.
    this.flush(action.ledgerIndex);
    const { state, effects } = reduceAll(this.stateWith(draft.id), [action]);
    const after = state.projects.get(draft.destinationTag);
    if (after === undefined) return;
    if (after.status === 'draft') this.#drafts.set(draft.id, after);
    else {
      this.#drafts.delete(draft.id);
      this.state = state;
      for (const effect of effects) this.#apply(effect, action.ledgerIndex);
    }
  }

  /** What arrives otherwise than by a Payment is nobody's investment, and may go back to whose it was. */
  #takeArrival(entry: FeedEntry, counterparty: string): void {
    this.#run.push({ kind: 'close', closedAtMs: entry.closedAtMs });
    this.#record(entry, null, {
      transaction_hash: entry.hash,
      sender: counterparty,
      source_tag: null,
      decided_at: new Date(entry.closedAtMs).toISOString(),
      invested_xrp: ZERO,
      refunded_xrp: ZERO,
      held_xrp: formatDrops(entry.changeDrops + entry.feeDrops),
      total_tokens: ZERO,
    });
  }

  /** A held payment that was sent back whole cannot be assigned any more. */
  #payHeld(entry: FeedEntry, purpose: string | null): void {
    const debt = purpose === null ? null : debtOf(purpose);
    if (debt?.kind !== 'refund' || debt.part !== 1) return;
    this.flush(entry.ledgerIndex);
    const hash = this.#byPlace.get(placeKey(debt.payment));
    if (hash === undefined || !this.state.held.has(hash)) return;
    const held = new Map(this.state.held);
    held.delete(hash);
    this.state = { ...this.state, held };
  }

  /** Reduces what was taken. `ledgerIndex` is of the last entry. */
  flush(ledgerIndex: number): void {
    if (this.#run.length === 0) return;
    const { state, effects } = reduceAll(this.state, this.#run);
    this.#run = [];
    this.state = state;
    for (const effect of effects) this.#apply(effect, ledgerIndex);
  }

  /** By its time alone a ledger may end a sale. */
  close({ ledgerIndex, closedAtMs }: View): void {
    this.#run.push({ kind: 'close', closedAtMs });
    this.flush(ledgerIndex);
  }

  #apply(effect: Effect, ledgerIndex: number): void {
    switch (effect.type) {
      case 'invested':
      case 'refused': {
        const target = effect.projectId === null ? undefined : this.sales.get(effect.projectId);
        if (target !== undefined) this.#record(effect.payment, target.projectId, expectedPayment(effect, target));
        else if (effect.type === 'refused') {
          this.#recordOther(effect.payment as TaggedPayment, effect.refundedDrops, effect.heldDrops);
        }
        return;
      }
      case 'held':
        this.#recordOther(
          effect.payment as TaggedPayment,
          0n,
          effect.payment.receivedDrops,
          effect.reason === 'operating_funds',
        );
        return;
      case 'cancelled':
        this.cancelledAt.set(effect.projectId, effect.action.ledgerIndex);
        return;
      case 'sale_ended':
        if (effect.reason === 'soft_cap_missed') this.cancelledAt.set(effect.projectId, ledgerIndex);
        return;
      default:
    }
  }

  #recordOther(payment: TaggedPayment, refundedDrops: Drops, heldDrops: Drops, isOperating = false): void {
    this.#record(
      payment,
      null,
      {
        transaction_hash: payment.hash,
        sender: payment.sender,
        source_tag: payment.sourceTag,
        decided_at: new Date(payment.closedAtMs).toISOString(),
        invested_xrp: ZERO,
        refunded_xrp: formatDrops(refundedDrops),
        held_xrp: formatDrops(heldDrops),
        total_tokens: ZERO,
      },
      isOperating,
    );
  }

  #record(
    { ledgerIndex, transactionIndex }: Place,
    projectId: string | null,
    row: DecidedPayment,
    isOperating = false,
  ): void {
    const place = { ledgerIndex, transactionIndex };
    this.records.set(row.transaction_hash, { row, place, projectId, isOperating });
    this.#byPlace.set(placeKey(place), row.transaction_hash);
  }

  /** What one payment is owed by the rules, whatever was paid of it; `asOf` is null for what was validated already. */
  owed({ kind, payment, part }: DebtPurpose, asOf: View | null): Owed | Refused {
    const record = this.recordAt(payment);
    if (record === undefined) {
      return refuse('not_owed', `Place ${placeKey(payment)} has no decided payment to ${this.address}`);
    }
    return kind === 'distribution' ? this.#tokens(record, part, asOf) : this.#refund(record, part, asOf);
  }

  #tokens({ row, projectId }: PaymentRecord, part: number, asOf: View | null): Owed | Refused {
    const target = projectId === null ? undefined : this.sales.get(projectId);
    const final = projectId === null ? null : this.project(projectId);
    const nothing = refuse('not_owed', `${row.transaction_hash} is owed no part ${part} of tokens`);
    if (target === undefined || final === null) return nothing;
    if (asOf !== null && final.status === 'cancelled') {
      return refuse('not_owed', `${target.projectId} is cancelled: no more tokens of it are distributed`);
    }
    const found = tokenObligations(row, target, final).find((each) => each.part === part);
    if (found === undefined) return nothing;
    const { token } = target.terms;
    return {
      account: found.account,
      destination: found.destination,
      destinationTag: found.destination_tag,
      amount: unitsOf(found.tokens ?? '', target),
      asset: token.kind === 'mpt' ? { kind: 'mpt', issuanceId: token.issuance_id, decimals: token.decimals } : token,
      dueAtMs: Date.parse(found.due_at),
      isOperating: false,
    };
  }

  #refund({ row, projectId, isOperating }: PaymentRecord, part: number, asOf: View | null): Owed | Refused {
    const changeDrops = dropsOf(row.refunded_xrp);
    const heldDrops = dropsOf(row.held_xrp);
    const back = (amount: Drops, dueAtMs: number): Owed => ({
      account: this.address,
      destination: row.sender,
      destinationTag: row.source_tag,
      amount,
      asset: { kind: 'xrp' },
      dueAtMs,
      isOperating,
    });
    const decidedAtMs = Date.parse(row.decided_at);
    if (part === 1 && changeDrops > 0n) return back(changeDrops, decidedAtMs);
    if (part === 1 && heldDrops > 0n) return back(heldDrops, decidedAtMs);
    const final = projectId === null ? null : this.project(projectId);
    const target = projectId === null ? undefined : this.sales.get(projectId);
    const nothing = refuse('not_owed', `${row.transaction_hash} is owed no refund, part ${part}`);
    if (final?.status !== 'cancelled' || target === undefined || dropsOf(row.invested_xrp) === 0n) return nothing;
    const cancelledAt = this.cancelledAt.get(target.projectId) ?? Number.POSITIVE_INFINITY;
    const finalFrom = cancelledAt + this.#ledgersToLive();
    if (asOf !== null && asOf.ledgerIndex < finalFrom) {
      return refuse('not_due', `What was distributed of a cancelled sale is final from ledger ${finalFrom} on`);
    }
    const distributed = this.distributed.get(row.transaction_hash) ?? 0n;
    const { owed, heldDrops: tooSmall } = cancellationObligation(row, target, final, distributed);
    if (part === 2 && owed !== null) return back(dropsOf(owed.amount_xrp ?? ''), final.endedAtMs ?? 0);
    // Too little to be owed: an operator may send it back.
    if (tooSmall > 0n && part === 3) return back(tooSmall, final.endedAtMs ?? 0);
    return nothing;
  }

  /** Of the sale with the longest: a candidate of any of them may be validated so long. */
  #ledgersToLive(): number {
    return Math.max(0, ...[...this.sales.values()].map(({ terms }) => terms.custody?.ledgers_to_live ?? 0));
  }

  /** What of an investment a cancellation could not refund any more: its validated tokens were paid with it. */
  #paidForDrops(row: DecidedPayment, target: ParsedTerms): Drops {
    const units = unitsOf(row.total_tokens, target);
    const invested = dropsOf(row.invested_xrp);
    const left = units - (this.distributed.get(row.transaction_hash) ?? 0n);
    return units === 0n ? 0n : invested - (invested * left) / units;
  }

  releasedDrops(projectId: string): Drops {
    return (this.releases.get(projectId) ?? []).reduce((sum, { amountDrops }) => sum + amountDrops, 0n);
  }

  /** What a sale has earned (lib/payouts/release has the same rule over the platform's records). */
  earnedDrops(target: ParsedTerms, project: ProjectState): Drops {
    if (project.status === 'completed') return project.raisedDrops;
    const runs = project.status === 'active' || project.status === 'paused';
    if (!runs || target.terms.distribution !== 'immediate') return 0n;
    let sum = 0n;
    for (const { row, projectId } of this.records.values()) {
      if (projectId === target.projectId) sum += this.#paidForDrops(row, target);
    }
    return sum;
  }

  /**
   * What of the account's XRP is others': unpaid refunds, what is held, and what is invested and not earned yet. What
   * operating accounts have paid in is not: fees come out of it.
   */
  liabilitiesDrops(paid: ReadonlyMap<string, string>): Drops {
    let sum = 0n;
    for (const { row, place, projectId, isOperating } of this.records.values()) {
      const isPaid = (part: number): boolean => paid.has(purposeId({ kind: 'refund', payment: place, part }));
      const first = dropsOf(row.refunded_xrp) + (isOperating ? 0n : dropsOf(row.held_xrp));
      if (first > 0n && !isPaid(1)) sum += first;
      const target = projectId === null ? undefined : this.sales.get(projectId);
      const status = projectId === null ? undefined : this.project(projectId)?.status;
      if (target === undefined || status === 'completed' || status === 'draft') continue;
      if (status === 'cancelled' && (isPaid(2) || isPaid(3))) continue;
      sum += dropsOf(row.invested_xrp) - this.#paidForDrops(row, target);
    }
    return sum;
  }
}

/**
 * All that follows from the ledger for the accounts of the approved sales. It reads nothing: pages of the accounts'
 * histories are given to it in order (`take`), and `settle` says that all of them were read up to one ledger.
 */
export class Derivation {
  readonly accounts = new Map<string, PayingAccount>();
  readonly books = new Map<string, DepositBook>();
  /** Null until all was read up to one ledger. */
  view: View | null = null;
  /** Until when the launch of a sale may be signed. */
  readonly approvedUntilMs: ReadonlyMap<string, number>;

  constructor(sales: readonly ParsedTerms[], approvedUntilMs: ReadonlyMap<string, number> = new Map()) {
    this.approvedUntilMs = approvedUntilMs;
    const byDeposit = Map.groupBy(sales, ({ terms }) => terms.deposit_address);
    for (const [address, own] of byDeposit) this.books.set(address, new DepositBook(address, own));
    const addresses = new Set(sales.flatMap(({ terms }) => [terms.deposit_address, terms.distributor]));
    for (const address of addresses) {
      const paidFor = sales.filter(({ terms }) => terms.deposit_address === address || terms.distributor === address);
      this.accounts.set(address, new PayingAccount(address, paidFor));
    }
  }

  /** Takes the next entries of an account's history; the allowlists that they need are there. */
  take(address: string, entries: readonly FeedEntry[]): void {
    const account = this.accounts.get(address);
    const book = this.books.get(address);
    if (account === undefined) throw new Error(`${address} is not served`);
    for (const entry of entries) {
      const own = entry.kind === 'payment' ? undefined : entry.own;
      const purpose = own === undefined ? null : account.take(entry, own);
      book?.take(entry, purpose);
    }
    book?.flush(entries.at(-1)?.ledgerIndex ?? 0);
  }

  /** All histories were read up to this ledger. */
  settle(view: View): void {
    for (const book of this.books.values()) book.close(view);
    const payments = [...this.accounts.values()].flatMap((account) =>
      account.takePayments().map((payment) => ({ account, payment })),
    );
    // What is refunded of a cancelled sale follows from what was distributed, also by another account.
    const isToken = ({ payment }: (typeof payments)[number]): boolean => typeof payment.sent.delivered !== 'string';
    for (const each of [...payments.filter(isToken), ...payments.filter((one) => !isToken(one))]) {
      this.#matchPayment(each.account, each.payment);
    }
    for (const account of this.accounts.values()) account.settle(view);
    this.view = view;
  }

  /** Whose feed a debt of the account follows from: its own for refunds, that of a sale whose tokens it distributes. */
  bookOf({ kind, payment }: DebtPurpose, account: PayingAccount): DepositBook | undefined {
    if (kind === 'refund') return this.books.get(account.address);
    return [...this.books.values()].find((book) => {
      const projectId = book.recordAt(payment)?.projectId ?? '';
      return book.sales.get(projectId)?.terms.distributor === account.address;
    });
  }

  /** Finds what a payment of an account pays: just what its ticket was created for, or it is none that custody allows. */
  #matchPayment(account: PayingAccount, payment: OwnPayment): void {
    const { hash, ticket } = payment;
    const createdFor = ticket === null ? null : (account.tickets.get(ticket)?.purpose ?? null);
    const debt = createdFor === null ? null : debtOf(createdFor);
    const isPaid =
      createdFor !== null &&
      (debt === null ? this.#payRelease(account, payment, createdFor) : this.#payDebt(account, payment, debt));
    if (!isPaid) account.fail('history_unexplained', `${hash} of ${account.address} pays nothing that is owed`);
  }

  #payDebt(account: PayingAccount, { hash, sent }: OwnPayment, debt: DebtPurpose): boolean {
    const book = this.bookOf(debt, account);
    const record = book?.recordAt(debt.payment);
    if (book === undefined || record === undefined) return false;
    const owed = book.owed(debt, null);
    const id = purposeId(debt);
    if ('refused' in owed || account.paid.has(id) || owed.account !== account.address) return false;
    if (owed.destination !== sent.destination || owed.destinationTag !== sent.destinationTag) return false;
    const token = book.sales.get(record.projectId ?? '')?.terms.token;
    if (!delivers(sent.delivered, owed, token)) return false;
    account.paid.set(id, hash);
    if (debt.kind === 'distribution') {
      const paidHash = record.row.transaction_hash;
      book.distributed.set(paidHash, (book.distributed.get(paidHash) ?? 0n) + owed.amount);
    }
    return true;
  }

  #payRelease(account: PayingAccount, { hash, sent }: OwnPayment, createdFor: string): boolean {
    const book = this.books.get(account.address);
    if (book === undefined || typeof sent.delivered !== 'string' || sent.destinationTag !== null) return false;
    const amountDrops = BigInt(sent.delivered);
    for (const { projectId, terms } of book.sales.values()) {
      if (terms.treasury !== sent.destination || purposeId({ kind: 'release', projectId }) !== createdFor) continue;
      const beforeDrops = book.releasedDrops(projectId);
      if (beforeDrops + amountDrops > (book.project(projectId)?.raisedDrops ?? 0n)) return false;
      book.releases.set(projectId, [...(book.releases.get(projectId) ?? []), { beforeDrops, amountDrops, hash }]);
      return true;
    }
    return false;
  }
}

/** Whether a payment delivered just what was owed. */
function delivers(delivered: unknown, owed: Owed, token: ParsedTerms['terms']['token'] | undefined): boolean {
  if (owed.asset.kind === 'xrp') return delivered === owed.amount.toString();
  if (token === undefined) return false;
  const found = deliveredOf(delivered, token);
  return found.asset === 'token' && found.amount === owed.amount;
}
