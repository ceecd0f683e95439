import { decodeAction } from '@tranche/rules/action-memo.ts';
import { type Drops, formatDrops, parseDecimal, XRP_DECIMALS } from '@tranche/rules/amounts.ts';
import { type CredentialQuestion, type CredentialsRead, credentialKey } from '@tranche/rules/credentials.ts';
import { type DebtPurpose, debtOf, isQuorum, type Place, purposeId } from '@tranche/rules/custody.ts';
import type { FeedEntry } from '@tranche/rules/feed-entry.ts';
import type { OwedPayment } from '@tranche/rules/transactions.ts';
import type { AllowList, Effect, ProjectState, SaleAction, SaleState } from '@tranche/rules/types.ts';
import { expectedPayment, type TaggedPayment } from '@tranche/verifier/expected.ts';
import {
  cancellationObligation,
  type DecidedPayment,
  dropsOf,
  tokenObligations,
  unitsOf,
} from '@tranche/verifier/obligations.ts';
import { draftOf, type ParsedTerms } from '@tranche/verifier/terms.ts';
import { type Refusal, type Refused, refuse } from './protocol.ts';
import { Steps } from './steps.ts';

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

const placeKey = ({ ledgerIndex, transactionIndex }: Place): string => `${ledgerIndex}:${transactionIndex}`;

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

/** An allowlist of a sale. */
export interface ListName {
  projectId: string;
  hash: string;
}

/** What the next decision depends on and is not there. */
export type Wanted = ({ kind: 'list' } & ListName) | { kind: 'credentials'; questions: readonly CredentialQuestion[] };

const ZERO = formatDrops(0n);

const BEING_LOOKED_FOR: Refusal = { reason: 'inputs_missing', detail: 'What decisions depend on is being looked for' };

const isSame = (one: Wanted, other: Wanted): boolean => nameOf(one) === nameOf(other);
const nameOf = (wanted: Wanted): string =>
  wanted.kind === 'list'
    ? `${wanted.projectId} ${wanted.hash}`
    : wanted.questions.slice(0, 1).map(credentialKey).join();

/** The feed of a deposit account by the rules: its sales, and what of each payment is owed. */
export class DepositBook {
  readonly address: string;
  /** Its feed counts after this ledger. */
  readonly fromLedger: number;
  readonly sales: ReadonlyMap<string, ParsedTerms>;
  /** Every approved sale, a draft until its launch: till then its tag is unknown. */
  state: SaleState;
  /** By the hash of the payment. */
  readonly records = new Map<string, PaymentRecord>();
  /** Releases of each sale, in their order. */
  readonly releases = new Map<string, Release[]>();
  /** Units that were paid, by the hash of the payment. */
  readonly distributed = new Map<string, bigint>();
  /** The ledger from which on a sale is cancelled. */
  readonly cancelledAt = new Map<string, number>();
  readonly #byPlace = new Map<string, string>();
  #fault: Refusal | null = null;
  /** What is not there, and why nothing more is decided without it. */
  #missing: { wanted: Wanted; refused: Refusal } | null = null;
  #waiting: { entry: FeedEntry; purpose: string | null }[] = [];
  readonly #steps = new Steps();
  /** Over all records, as long as nothing more is decided or paid: many candidates of one view ask for them. */
  #sums = new Map<string, Drops>();

  constructor(address: string, fromLedger: number, sales: readonly ParsedTerms[]) {
    this.address = address;
    this.fromLedger = fromLedger;
    this.sales = new Map(sales.map((sale) => [sale.projectId, sale]));
    const custodies = sales.flatMap(({ terms }) => terms.custody ?? []);
    this.state = {
      projects: new Map(sales.map((sale) => [sale.terms.destination_tag, draftOf(sale)])),
      held: new Map(),
      refundMinDrops: parseDecimal(custodies.at(-1)?.refund_min_xrp ?? '', XRP_DECIMALS) ?? 0n,
    };
  }

  project(projectId: string): ProjectState | null {
    const tag = this.sales.get(projectId)?.terms.destination_tag;
    return (tag === undefined ? undefined : this.state.projects.get(tag)) ?? null;
  }

  /** Why nothing that follows from this feed is signed. */
  get refuses(): Refusal | null {
    return this.#fault ?? this.#missing?.refused ?? null;
  }

  /** Whether entries of the feed wait for an allowlist or a credential. */
  get isBehind(): boolean {
    return this.#missing !== null;
  }

  /** The payment in this place. */
  recordAt(place: Place): PaymentRecord | undefined {
    return this.records.get(this.#byPlace.get(placeKey(place)) ?? '');
  }

  hasList(projectId: string, hash: string): boolean {
    return this.project(projectId)?.lists.has(hash) === true;
  }

  putList(projectId: string, hash: string, list: AllowList): void {
    const project = this.project(projectId);
    if (project === null) return;
    const withList = { ...project, lists: new Map(project.lists).set(hash, list) };
    this.state = { ...this.state, projects: new Map(this.state.projects).set(project.destinationTag, withList) };
  }

  /** Where it looks for the credentials that decisions depend on. */
  readsCredentials(credentials: CredentialsRead): void {
    this.state = { ...this.state, credentials };
  }

  #counts({ projectId, signers }: SaleAction): boolean {
    const sale = this.sales.get(projectId);
    return sale !== undefined && (sale.terms.custody === undefined || isQuorum(sale.terms.custody, signers));
  }

  /** Takes an entry of the account's feed, in order; `purpose` is what its ticket was for. */
  take(entry: FeedEntry, purpose: string | null): void {
    this.#waiting.push({ entry, purpose });
  }

  /** Decides on what was taken, as far as what that depends on is there. Gives the first that is not. */
  decideOn(): Wanted | null {
    let isReduced = this.#flush();
    let list = isReduced ? this.#missingList() : null;
    let done = 0;
    for (const { entry, purpose } of this.#waiting) {
      if (!isReduced || list !== null) break;
      const action = entry.kind === 'self' ? decodeAction(entry) : null;
      // These depend on all that comes before them: until that is reduced, they wait as they are.
      const follows = action !== null || this.#refundOf(entry, purpose) !== null;
      if (follows && !this.#flush()) break;
      done += 1;
      this.#decide(entry, action, purpose);
      if (action === null) continue;
      // Only an action can put a list in force.
      isReduced = this.#flush();
      if (isReduced) list = this.#missingList();
    }
    this.#waiting = this.#waiting.slice(done);
    const questions = this.#flush() ? null : this.#steps.asked;
    const wanted: Wanted | null =
      questions !== null ? { kind: 'credentials', questions } : list === null ? null : { kind: 'list', ...list };
    const isKnown = wanted !== null && this.#missing !== null && isSame(wanted, this.#missing.wanted);
    if (!isKnown) this.#missing = wanted === null ? null : { wanted, refused: BEING_LOOKED_FOR };
    return wanted;
  }

  /** Why what is missing cannot be had. */
  lacks(refused: Refusal): void {
    if (this.#missing !== null) this.#missing = { ...this.#missing, refused };
  }

  #missingList(): ListName | null {
    for (const { id, status, listHash, lists } of this.state.projects.values()) {
      if (status === 'active' && listHash !== null && !lists.has(listHash)) return { projectId: id, hash: listHash };
    }
    return null;
  }

  #decide(entry: FeedEntry, action: SaleAction | null, purpose: string | null): void {
    if (entry.kind === 'payment') {
      const { deliveredDrops, ...rest } = entry;
      this.#steps.push({ ...rest, receivedDrops: deliveredDrops }, entry.ledgerIndex);
    }
    if (action !== null) this.#takeAction(action);
    if (entry.kind !== 'other') return;
    if (entry.counterparty !== null) this.#takeArrival(entry, entry.counterparty);
    const refunded = this.#refundOf(entry, purpose);
    if (refunded !== null) this.#payHeld(refunded);
  }

  #takeAction(action: SaleAction): void {
    const sale = this.sales.get(action.projectId);
    const isOther = sale === undefined || (this.#counts(action) && action.termsHash !== sale.hash);
    if (action.action === 'launch' && isOther) {
      const detail = `${action.hash} launches ${action.projectId} with the terms ${action.termsHash}, which are not approved`;
      this.#fault ??= { reason: 'sale_not_approved', detail };
    }
    if (sale !== undefined) this.#steps.push(action, action.ledgerIndex);
  }

  /** What arrives otherwise than by a Payment is nobody's investment, and may go back to whose it was. */
  #takeArrival(entry: FeedEntry, counterparty: string): void {
    this.#steps.push({ kind: 'close', closedAtMs: entry.closedAtMs }, entry.ledgerIndex);
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

  /** The payment that an own transaction sends back, part 1, by what its ticket was for. */
  #refundOf(entry: FeedEntry, purpose: string | null): Place | null {
    const debt = entry.kind !== 'other' || entry.sent === undefined || purpose === null ? null : debtOf(purpose);
    return debt?.kind === 'refund' && debt.part === 1 ? debt.payment : null;
  }

  /** A held payment that was sent back whole cannot be assigned any more. */
  #payHeld(place: Place): void {
    const hash = this.#byPlace.get(placeKey(place));
    if (hash === undefined || !this.state.held.has(hash)) return;
    const held = new Map(this.state.held);
    held.delete(hash);
    this.state = { ...this.state, held };
  }

  /** Reduces what was taken; false when some of it depends on a credential that is not known. */
  #flush(): boolean {
    const reduced = this.#steps.reduce(this.state);
    if (reduced !== null) {
      this.state = reduced.state;
      for (const effect of reduced.effects) this.#apply(effect, reduced.ledgerIndex);
    }
    return this.#steps.isEmpty;
  }

  /** Everything up to the view was taken: by its time alone it may end a sale. */
  close({ ledgerIndex, closedAtMs }: View): void {
    if (this.decideOn() !== null) return;
    this.#steps.push({ kind: 'close', closedAtMs }, ledgerIndex);
    this.#flush();
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

  /** What of the sales is not over, not paid or not released; `isPaid` tells it of a debt by its `purposeId`. */
  *unfinished(view: View, isPaid: (owed: Owed, id: string) => boolean): Generator<string> {
    for (const { id, status, raisedDrops } of this.state.projects.values()) {
      if (status === 'active' || status === 'paused') yield `${id} is ${status}`;
      const isReleasable = status === 'completed' && this.sales.get(id)?.terms.treasury !== null;
      const left = isReleasable ? raisedDrops - this.releasedDrops(id) : 0n;
      if (left > 0n) yield `${id} has ${formatDrops(left)} XRP that were not released`;
    }
    // What a cancellation refunds is owed, however soon after it.
    const after = { ...view, ledgerIndex: Number.MAX_SAFE_INTEGER };
    for (const record of this.records.values()) {
      for (const debt of this.#debtsOf(record)) {
        const owed = this.owed(debt, after);
        if ('refused' in owed || owed.isOperating || isPaid(owed, purposeId(debt))) continue;
        yield `the ${debt.kind}, part ${debt.part}, of the payment ${record.row.transaction_hash} is not paid`;
      }
    }
  }

  /** All that can be owed for a payment. */
  #debtsOf({ row, place: payment, projectId }: PaymentRecord): DebtPurpose[] {
    const refunds = [1, 2, 3].map((part): DebtPurpose => ({ kind: 'refund', payment, part }));
    const target = this.sales.get(projectId ?? '');
    const final = this.project(projectId ?? '');
    if (target === undefined || final === null) return refunds;
    const tokens = tokenObligations(row, target, final);
    return [...refunds, ...tokens.map(({ part }): DebtPurpose => ({ kind: 'distribution', payment, part }))];
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

  /** Sums are made anew from here on. */
  forgetSums(): void {
    this.#sums = new Map();
  }

  #sumOnce(name: string, sum: () => Drops): Drops {
    const known = this.#sums.get(name) ?? sum();
    this.#sums.set(name, known);
    return known;
  }

  /** What a sale has earned (lib/payouts/release has the same rule over the platform's records). */
  earnedDrops(target: ParsedTerms, project: ProjectState): Drops {
    if (project.status === 'completed') return project.raisedDrops;
    const runs = project.status === 'active' || project.status === 'paused';
    if (!runs || target.terms.distribution !== 'immediate') return 0n;
    return this.#sumOnce(target.projectId, () => {
      let sum = 0n;
      for (const { row, projectId } of this.records.values()) {
        if (projectId === target.projectId) sum += this.#paidForDrops(row, target);
      }
      return sum;
    });
  }

  /**
   * What of the account's XRP is others': unpaid refunds, what is held, and what is invested and not earned yet. What
   * operating accounts have paid in is not: fees come out of it.
   */
  liabilitiesDrops(paid: ReadonlyMap<string, string>): Drops {
    return this.#sumOnce('liabilities', () => this.#owedDrops(paid));
  }

  #owedDrops(paid: ReadonlyMap<string, string>): Drops {
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
