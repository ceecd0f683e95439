import type { ActionMemo } from '@tranche/rules/action-memo.ts';
import { type Drops, formatDrops, parseDecimal, XRP_DECIMALS } from '@tranche/rules/amounts.ts';
import { type CredentialQuestion, CredentialUnknown, credentialsAsked } from '@tranche/rules/credentials.ts';
import { type Custody, type Purpose, purposeId, signersOf } from '@tranche/rules/custody.ts';
import { reduceAll } from '@tranche/rules/reduce.ts';
import {
  actionTransaction,
  cancelTicket,
  type OwedPayment,
  payoutPayment,
  ticketCreate,
} from '@tranche/rules/transactions.ts';
import type { SaleAction } from '@tranche/rules/types.ts';
import type { DepositBook, View } from './deposit-book.ts';
import type { Derivation } from './derive.ts';
import type { PayingAccount, Pot } from './paying-account.ts';
import { type Candidate, type Refusal, type Refused, readPurpose, refuse } from './protocol.ts';

/** What its operator allows at most, whatever is owed. */
export interface Limits {
  maxFeeDrops: Drops;
  feesOfDayDrops: Record<Pot, Drops>;
  /** By deposit account: the most that is released in an hour. */
  releasesOfHourDrops: ReadonlyMap<string, Drops>;
}

/** What a candidate would spend of the limits; of those signed and not seen in the ledger yet, too. */
export interface Spent {
  feeDrops: Drops;
  pot: Pot;
  releasedDrops: Drops;
}

/** What was signed and is not seen in the ledger yet. */
export interface Signed extends Spent {
  /** The ticket that it uses; null for one with a sequence. */
  ticket: number | null;
}

export type Decision = { transaction: object; spent: Spent } | { refused: Refusal };

type Of<Kind extends Candidate['kind']> = Candidate & { kind: Kind };

/** The most tickets that an account may hold. */
const MAX_TICKETS = 250;

interface Question {
  derivation: Derivation;
  view: View;
  account: PayingAccount;
  feeDrops: Drops;
  pending: readonly Signed[];
}

const isRefused = <T extends object>(result: T | Refused): result is Refused => 'refused' in result;

/**
 * Whether a witness signs a candidate: the transaction that it signs, or why not. Pure: it depends on what was derived from
 * the ledger, the limits and what is signed and on its way (`pending`), on no clock and no memory (docs/custody.md).
 */
export function decide(
  derivation: Derivation,
  { limits, pending }: { limits: Limits; pending: readonly Signed[] },
  address: string,
  candidate: Candidate,
): Decision {
  const { view } = derivation;
  const account = derivation.accounts.get(address);
  const stopped = derivation.stopped.get(address);
  if (stopped !== undefined) return { refused: stopped };
  if (account === undefined) return refuse('account_not_served', `No approved sale is paid from ${address}`);
  if (view === null) return refuse('catching_up', 'The histories of the accounts are still being read');
  const fault = faultOf(derivation, account);
  if (fault !== null) return { refused: fault };
  const feeDrops = BigInt(candidate.fee_drops);
  const expiry = checkExpiry(view, account, candidate.last_ledger_sequence);
  if (expiry !== null) return expiry;
  if (feeDrops > limits.maxFeeDrops) return refuse('fee_too_high', `At most ${limits.maxFeeDrops} drops are signed`);
  const built = build({ derivation, view, account, feeDrops, pending }, candidate);
  if (isRefused(built)) return built;
  return checkLimits(account, limits, pending, built.spent) ?? built;
}

/** Why nothing is signed for an account at all; null when something may be. */
export function faultOf({ books, stopped }: Derivation, account: PayingAccount): Refusal | null {
  const { address, fault } = account;
  const own = stopped.get(address) ?? fault ?? books.get(address)?.refuses ?? null;
  if (own !== null) return own;
  if (account.differs !== null) return { reason: 'custody_differs', detail: account.differs };
  if (!account.mustCheck) return null;
  return { reason: 'catching_up', detail: `What ${address} owns is still to be looked at` };
}

function checkExpiry({ ledgerIndex }: View, { custody }: PayingAccount, last: number): Refused | null {
  if (custody === null) return refuse('custody_differs', 'No approved sale says who must sign for the account');
  const latest = ledgerIndex + custody.ledgers_to_live;
  if (last <= ledgerIndex) return refuse('expired', `Ledger ${last} is validated`);
  return last > latest ? refuse('expires_too_late', `LastLedgerSequence is at most ${latest} now`) : null;
}

function build(question: Question, candidate: Candidate): Decision {
  switch (candidate.kind) {
    case 'payment':
      return buildPayment(question, candidate);
    case 'ticket_create':
      return buildTickets(question, candidate);
    case 'ticket_cancel':
      return buildCancel(question, candidate);
    case 'action':
      return buildAction(question, candidate);
  }
}

const feeOnly = (feeDrops: Drops): Spent => ({ feeDrops, pot: 'other', releasedDrops: 0n });

function buildPayment(question: Question, candidate: Of<'payment'>): Decision {
  const { purpose: wire, ticket, release, last_ledger_sequence: lastLedgerSequence } = candidate;
  const purpose = readPurpose(wire);
  if ((purpose.kind === 'release') !== (release !== undefined)) {
    return refuse('malformed', 'A release, and nothing else, says what it releases');
  }
  const owed = release === undefined ? debtNow(question, purpose) : releaseNow(question, purpose, release);
  if (isRefused(owed)) return owed;
  const wrong = checkTicket(question.account, ticket, purpose);
  if (wrong !== null) return wrong;
  const { feeDrops } = question;
  const isRelease = release !== undefined;
  return {
    transaction: payoutPayment(owed, { ticket, feeDrops, lastLedgerSequence }),
    spent: { feeDrops, pot: isRelease ? 'other' : 'debts', releasedDrops: isRelease ? owed.amount : 0n },
  };
}

/** Whether the ticket is the one that pays this purpose: created for it, and no earlier one is open. */
function checkTicket(account: PayingAccount, ticket: number, purpose: Purpose): Refused | null {
  const found = account.tickets.get(ticket);
  if (found === undefined) return refuse('ticket_unknown', `${account.address} has created no ticket ${ticket}`);
  if (found.usedBy !== null) return refuse('ticket_used', `Ticket ${ticket} was used by ${found.usedBy}`, found.usedBy);
  const id = purposeId(purpose);
  if (found.purpose !== id) {
    return refuse(
      'ticket_for_other_purpose',
      `Ticket ${ticket} was created for ${found.purpose ?? 'nothing'}, not ${id}`,
    );
  }
  const first = purpose.kind === 'release' ? account.firstReleaseTicket() : (account.openFor(id)[0] ?? null);
  return first === ticket ? null : refuse('earlier_ticket_open', `Ticket ${first} comes before ${ticket}`);
}

/** What the account owes for a purpose, is due and is not paid. */
function debtNow(question: Question, purpose: Purpose): OwedPayment | Refused {
  const { account, derivation, view, feeDrops } = question;
  if (purpose.kind === 'release') return refuse('malformed', 'A release is no debt');
  const paidBy = account.paid.get(purposeId(purpose));
  if (paidBy !== undefined) return refuse('paid', `It was paid by ${paidBy}`, paidBy);
  const book = derivation.bookOf(purpose, account) ?? derivation.behind(account);
  if (book === undefined) {
    return refuse('not_owed', `${account.address} owes no ${purpose.kind} for the payment in this place`);
  }
  if (book.refuses !== null) return { refused: book.refuses };
  const owed = book.owed(purpose, view);
  if (isRefused(owed)) return owed;
  if (owed.account !== account.address) return refuse('not_owed', `${owed.account} owes it, not ${account.address}`);
  if (owed.dueAtMs > view.closedAtMs) {
    return refuse('not_due', `It is due at ${new Date(owed.dueAtMs).toISOString()}, by the ledger's time`);
  }
  const free = owed.isOperating ? freeDrops(account, book, view) - feeDrops : null;
  if (free !== null && owed.amount > free) {
    return refuse(
      'release_too_large',
      `Of the platform's own money the account can spare ${formatDrops(free)} XRP now`,
    );
  }
  return owed;
}

/** What stands in the way of any release of a sale; else its terms and what it may come to. */
function releasable({ account, derivation }: Question, projectId: string) {
  const book = derivation.books.get(account.address);
  const target = book?.sales.get(projectId);
  const project = book?.project(projectId) ?? null;
  if (book === undefined || target === undefined || project === null) {
    return refuse('not_owed', `${projectId} is no approved sale of ${account.address}`);
  }
  const { treasury } = target.terms;
  if (treasury === null) return refuse('not_owed', `The terms of ${projectId} name no treasury`);
  const earned = book.earnedDrops(target, project);
  const released = book.releasedDrops(projectId);
  if (released >= earned) {
    return refuse('release_too_large', `${formatDrops(earned)} XRP are earned, and ${formatDrops(released)} released`);
  }
  return { book, treasury, earned, released };
}

function releaseNow(
  question: Question,
  purpose: Purpose,
  wire: NonNullable<Of<'payment'>['release']>,
): OwedPayment | Refused {
  const { account, view, feeDrops } = question;
  if (purpose.kind !== 'release') return refuse('malformed', 'No release');
  const { projectId } = purpose;
  const before = drops(wire.released_xrp);
  const amount = drops(wire.amount_xrp);
  const done = releaseAfter(question, projectId, before);
  if (done !== undefined && done.amountDrops === amount) {
    return refuse('paid', `It was released by ${done.hash}`, done.hash);
  }
  const may = releasable(question, projectId);
  if (isRefused(may)) return may;
  const { book, treasury, earned, released } = may;
  if (before !== released) {
    return refuse('not_owed', `${formatDrops(released)} XRP are released of ${projectId} so far`);
  }
  if (amount <= 0n) return refuse('not_owed', 'A release of nothing');
  if (released + amount > earned) {
    return refuse('release_too_large', `${formatDrops(earned)} XRP are earned, and ${formatDrops(released)} released`);
  }
  const free = freeDrops(account, book, view) - feeDrops;
  if (amount > free) return refuse('release_too_large', `The account can spare ${formatDrops(free)} XRP now`);
  return {
    account: account.address,
    destination: treasury,
    destinationTag: null,
    amount,
    asset: { kind: 'xrp' },
  };
}

const releaseAfter = ({ account, derivation }: Question, projectId: string, before: Drops) =>
  derivation.books
    .get(account.address)
    ?.releases.get(projectId)
    ?.find(({ beforeDrops }) => beforeDrops === before);

const drops = (text: string): Drops => parseDecimal(text, XRP_DECIMALS) ?? 0n;

/** What of the account's XRP is neither its reserve nor owed, held or still to be earned. */
function freeDrops({ onLedger, paid }: PayingAccount, book: DepositBook, view: View): Drops {
  if (onLedger === null) return 0n;
  const reserve = view.reserveBaseDrops + view.reserveIncrementDrops * BigInt(onLedger.ownerCount);
  return onLedger.balanceDrops - reserve - book.liabilitiesDrops(paid);
}

function buildTickets(question: Question, candidate: Of<'ticket_create'>): Decision {
  const { account, feeDrops, pending } = question;
  const purposes = candidate.purposes.map(readPurpose);
  const ids = purposes.map(purposeId);
  if (new Set(ids).size < ids.length) return refuse('malformed', 'A purpose stands there twice');
  // What is signed with tickets gives their room to new ones in the same ledger, where it gets there; else the ledger refuses.
  const leaving = new Set(pending.flatMap(({ ticket }) => (ticket !== null && account.open.has(ticket) ? ticket : [])));
  const staying = account.open.size - leaving.size;
  if (staying + ids.length > MAX_TICKETS) {
    return refuse('too_many_tickets', `${staying} tickets are open, and at most ${MAX_TICKETS} may be`);
  }
  for (const [index, purpose] of purposes.entries()) {
    const owed = purpose.kind === 'release' ? releasable(question, purpose.projectId) : debtNow(question, purpose);
    if (isRefused(owed)) {
      const { refused } = owed;
      return { refused: { ...refused, detail: `purposes.${index}: ${refused.detail}` } };
    }
    const [open] = account.openFor(ids[index] ?? '');
    if (open !== undefined) return refuse('earlier_ticket_open', `purposes.${index}: ticket ${open} is open for it`);
  }
  const { sequence, last_ledger_sequence: lastLedgerSequence } = candidate;
  const wrong = checkSequence(account, sequence);
  if (wrong !== null) return wrong;
  return {
    transaction: ticketCreate(account.address, ids, { feeDrops, sequence, lastLedgerSequence }),
    spent: feeOnly(feeDrops),
  };
}

/**
 * One that lies ahead waits for all before it: TicketCreates for as many tickets as an account may hold, and an action
 * behind them. So few that no more can be validated at once than limits allow.
 */
const SEQUENCES_AHEAD = MAX_TICKETS + 3;

function checkSequence({ onLedger, address }: PayingAccount, sequence: number): Refused | null {
  const next = onLedger?.sequence ?? 0;
  return sequence >= next && sequence <= next + SEQUENCES_AHEAD
    ? null
    : refuse('not_possible_now', `The sequence of ${address} is ${next}`);
}

/** Uses a ticket up and moves nothing: nothing speaks against it. */
function buildCancel({ account, feeDrops }: Question, candidate: Of<'ticket_cancel'>): Decision {
  const { ticket, last_ledger_sequence: lastLedgerSequence } = candidate;
  const found = account.tickets.get(ticket);
  if (found === undefined) return refuse('ticket_unknown', `${account.address} has created no ticket ${ticket}`);
  if (found.usedBy !== null) return refuse('ticket_used', `Ticket ${ticket} was used by ${found.usedBy}`, found.usedBy);
  return {
    transaction: cancelTicket(account.address, { ticket, feeDrops, lastLedgerSequence }),
    spent: feeOnly(feeDrops),
  };
}

function buildAction(question: Question, { memo, sequence, ticket, last_ledger_sequence }: Of<'action'>): Decision {
  const { account, feeDrops } = question;
  const isAssign = memo.move === 'assign';
  if (isAssign ? ticket === undefined || sequence !== undefined : sequence === undefined || ticket !== undefined) {
    return refuse('malformed', 'An assign uses a ticket, and any other action the account’s sequence');
  }
  const paidBy = isAssign ? sentBackBy(question, memo.payment ?? '') : undefined;
  if (paidBy !== undefined) return refuse('paid', `The payment was sent back by ${paidBy}`, paidBy);
  const wrong = checkAction(question, memo);
  if (wrong !== null) return wrong;
  if (isAssign) {
    const record = question.derivation.books.get(account.address)?.records.get(memo.payment ?? '');
    if (record === undefined) return refuse('not_owed', 'There is no such payment');
    const wrongTicket = checkTicket(account, ticket ?? 0, { kind: 'refund', payment: record.place, part: 1 });
    if (wrongTicket !== null) return wrongTicket;
  } else {
    const wrongSequence = checkSequence(account, sequence ?? 0);
    if (wrongSequence !== null) return wrongSequence;
  }
  const place = isAssign ? { ticket: ticket ?? 0 } : { sequence: sequence ?? 0 };
  const limits = { feeDrops, lastLedgerSequence: last_ledger_sequence, ...place };
  return { transaction: actionTransaction(account.address, memo, limits), spent: feeOnly(feeDrops) };
}

function sentBackBy({ derivation, account }: Question, hash: string): string | undefined {
  const record = derivation.books.get(account.address)?.records.get(hash);
  if (record === undefined) return undefined;
  return account.paid.get(purposeId({ kind: 'refund', payment: record.place, part: 1 }));
}

/** Whether the rules give the action an effect now, were it in the next ledger. */
function checkAction({ derivation, account, view }: Question, memo: ActionMemo): Refused | null {
  const book = derivation.books.get(account.address);
  const sale = book?.sales.get(memo.project);
  if (book === undefined || sale === undefined) {
    return refuse('sale_not_approved', `${memo.project} is no approved sale of ${account.address}`);
  }
  const { custody } = sale.terms;
  const inForce = book.project(memo.project)?.listHash ?? null;
  if (custody === undefined) return refuse('not_possible_now', `The terms of ${memo.project} name no witnesses`);
  if (memo.move === 'launch') {
    if (view.ledgerIndex < custody.from_ledger) {
      return refuse('not_possible_now', `The terms of ${memo.project} count after ledger ${custody.from_ledger} only`);
    }
    if (memo.terms_hash !== sale.hash) {
      return refuse('sale_not_approved', `The approved terms of ${memo.project} have the hash ${sale.hash}`);
    }
    if ((derivation.approvedUntilMs.get(memo.project) ?? Number.POSITIVE_INFINITY) < view.closedAtMs) {
      return refuse('sale_not_approved', `The approval of ${memo.project} has ended: approve its terms again`);
    }
    const others = [...book.state.projects.values()].filter(({ status }) => status === 'active' || status === 'paused');
    if (others.some((each) => JSON.stringify(each.custody) !== JSON.stringify(custody))) {
      return refuse('not_possible_now', 'Another sale of the account runs, under another custody');
    }
    // Others may have burnt XRP as fees before its signers were in force: no investor makes that good.
    const lackingDrops = book.liabilitiesDrops(account.paid) - (account.onLedger?.balanceDrops ?? 0n);
    if (lackingDrops > 0n) {
      const lacks = `${account.address} holds ${formatDrops(lackingDrops)} XRP less than it owes`;
      return refuse(
        'not_possible_now',
        `${lacks}: send it that much from an operating account of a running sale, or sell from another deposit account`,
      );
    }
    const distributor = derivation.accounts.get(sale.terms.distributor);
    const fault = distributor === undefined ? null : faultOf(derivation, distributor);
    if (fault !== null) return { refused: fault };
  }
  const list = memo.move === 'list' ? (memo.list_hash ?? '') : memo.move === 'launch' ? inForce : null;
  if (list !== null && !book.hasList(memo.project, list)) {
    return refuse('inputs_missing', `The allowlist ${list} cannot be had`);
  }
  const action = nextAction(memo, custody, view);
  try {
    const without = reduceAll(book.state, [action]).effects.find(({ type }) => type === 'action_without_effect');
    return without?.type === 'action_without_effect' ? refuse('not_possible_now', without.detail) : null;
  } catch (error) {
    if (!(error instanceof CredentialUnknown)) throw error;
    return refuse('inputs_missing', error.message);
  }
}

/** An action as it would stand in the ledger after the view. */
const nextAction = (memo: ActionMemo, custody: Custody, { ledgerIndex, closedAtMs }: View): SaleAction => ({
  kind: 'action',
  hash: '',
  ledgerIndex: ledgerIndex + 1,
  transactionIndex: 0,
  closedAtMs,
  projectId: memo.project,
  action: memo.move,
  termsHash: memo.terms_hash ?? null,
  listHash: memo.list_hash ?? null,
  paymentHash: memo.payment ?? null,
  signers: signersOf(custody),
});

/** The credentials that the effect of an action depends on, were it in the next ledger. */
export function credentialsOfAction(book: DepositBook, memo: ActionMemo, view: View): CredentialQuestion[] {
  const custody = book.sales.get(memo.project)?.terms.custody;
  if (custody === undefined) return [];
  const action = nextAction(memo, custody, view);
  return credentialsAsked(book.state.credentials, (credentials) => reduceAll({ ...book.state, credentials }, [action]));
}

function checkLimits(
  account: PayingAccount,
  { feesOfDayDrops, releasesOfHourDrops }: Limits,
  pending: readonly Spent[],
  spent: Spent,
): Refused | null {
  const { pot } = spent;
  const fees = pending.reduce((sum, each) => (each.pot === pot ? sum + each.feeDrops : sum), account.feesOfDay[pot]);
  if (fees + spent.feeDrops > feesOfDayDrops[pot]) {
    return refuse('fee_limit_reached', `${formatDrops(feesOfDayDrops[pot])} XRP of these fees may be spent in a day`);
  }
  const most = releasesOfHourDrops.get(account.address);
  if (spent.releasedDrops === 0n || most === undefined) return null;
  const released = pending.reduce((sum, each) => sum + each.releasedDrops, account.releasedInHour);
  return released + spent.releasedDrops > most
    ? refuse('amount_limit_reached', `${formatDrops(most)} XRP may be released in an hour`)
    : null;
}
