import { type DebtPurpose, debtOf, haveSameSigners, purposeId } from '@tranche/rules/custody.ts';
import type { FeedEntry } from '@tranche/rules/feed-entry.ts';
import { deliveredOf } from '@tranche/verifier/delivered.ts';
import type { ParsedTerms } from '@tranche/verifier/terms.ts';
import { DepositBook, type Owed, type View } from './deposit-book.ts';
import { type OwnPayment, PayingAccount } from './paying-account.ts';
import type { Refusal } from './protocol.ts';

/** The ledger after which the custody period of a sale begins. */
export const periodOf = ({ terms }: ParsedTerms): number => terms.custody?.from_ledger ?? 0;

/**
 * The sales of each deposit account's newest custody period. Everything of an earlier one was over and paid before that
 * began: to a witness that never knew it and to one that did, it is the same as unknown (docs/custody.md).
 */
export function inNewestPeriods(sales: readonly ParsedTerms[]): ParsedTerms[] {
  const newest = new Map<string, number>();
  for (const sale of sales) {
    const address = sale.terms.deposit_address;
    newest.set(address, Math.max(periodOf(sale), newest.get(address) ?? 0));
  }
  return sales.filter((sale) => periodOf(sale) === newest.get(sale.terms.deposit_address));
}

const accountsOf = (sales: readonly ParsedTerms[]): Set<string> =>
  new Set(sales.flatMap(({ terms }) => [terms.deposit_address, terms.distributor]));

/** Whether both sales are paid under the signatures of the same keys. */
function areUnderSameSigners({ terms: one }: ParsedTerms, { terms: other }: ParsedTerms): boolean {
  if (one.custody === undefined || other.custody === undefined) return one.custody === other.custody;
  return haveSameSigners(one.custody, other.custody);
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
  /** Accounts of which nothing is signed whatever the ledger shows: what is approved of them cannot be told. */
  readonly stopped: ReadonlyMap<string, Refusal>;
  /** Accounts of approved sales, also of earlier custody periods. */
  readonly approvedAccounts: ReadonlySet<string>;

  constructor(
    sales: readonly ParsedTerms[],
    approvedUntilMs: ReadonlyMap<string, number> = new Map(),
    stopped: ReadonlyMap<string, Refusal> = new Map(),
  ) {
    this.approvedUntilMs = approvedUntilMs;
    const inForce = inNewestPeriods(sales);
    this.approvedAccounts = accountsOf(sales);
    const byDeposit = Map.groupBy(inForce, ({ terms }) => terms.deposit_address);
    for (const [address, own] of byDeposit)
      this.books.set(address, new DepositBook(address, Math.max(...own.map(periodOf)), own));
    const addresses = accountsOf(inForce);
    const unread = new Map<string, Refusal>();
    for (const address of addresses) {
      const paidFor = inForce.filter(({ terms }) => terms.deposit_address === address || terms.distributor === address);
      const newest = paidFor.reduce((one, other) => (periodOf(other) > periodOf(one) ? other : one));
      const own = paidFor.filter((sale) => areUnderSameSigners(sale, newest));
      this.accounts.set(address, new PayingAccount(address, Math.min(...own.map(periodOf)), own));
      for (const { projectId, terms } of paidFor) {
        if (own.some((sale) => sale.projectId === projectId)) continue;
        // What it has paid for that sale is not read: nothing may be refunded as if it had paid nothing.
        const detail = `${address}, which pays for ${projectId}, is under the signers of ${newest.projectId} now`;
        unread.set(terms.deposit_address, { reason: 'custody_differs', detail });
      }
    }
    this.stopped = new Map([...unread, ...stopped]);
  }

  /** Takes the next entries of an account's history. */
  take(address: string, entries: readonly FeedEntry[]): void {
    const account = this.accounts.get(address);
    const book = this.books.get(address);
    if (account === undefined) throw new Error(`${address} is not served`);
    for (const entry of entries) {
      if (entry.ledgerIndex <= account.fromLedger) continue;
      const own = entry.kind === 'payment' ? undefined : entry.own;
      const purpose = own === undefined ? null : account.take(entry, own);
      if (book !== undefined && entry.ledgerIndex > book.fromLedger) book.take(entry, purpose);
    }
  }

  /** What of a deposit account's sales is not over, not paid or not released, as far as they were read. */
  unfinishedOf(address: string): string[] {
    const book = this.books.get(address);
    if (book === undefined || this.view === null) throw new Error(`${address} was not read`);
    if (book.refuses !== null) return [book.refuses.detail];
    return [...book.unfinished(this.view, ({ account }, id) => this.accounts.get(account)?.paid.has(id) === true)];
  }

  /** Ids of the approved sales of a deposit account that were launched, as far as they were read. */
  launchedOf(address: string): string[] {
    const projects = this.books.get(address)?.state.projects.values() ?? [];
    return [...projects].flatMap(({ id, launchedAtMs }) => (launchedAtMs === null ? [] : [id]));
  }

  /** All histories were read up to this ledger. */
  settle(view: View): void {
    for (const book of this.books.values()) book.close(view);
    for (const account of this.accounts.values()) {
      for (const atMs of this.#launchesOf(account)) account.launched(atMs);
    }
    const payments = [...this.accounts.values()].flatMap((account) =>
      account.takePayments().map((payment) => ({ account, payment })),
    );
    // What is refunded of a cancelled sale follows from what was distributed, also by another account.
    const isToken = ({ payment }: (typeof payments)[number]): boolean => typeof payment.sent.delivered !== 'string';
    for (const each of [...payments.filter(isToken), ...payments.filter((one) => !isToken(one))]) {
      this.#matchPayment(each.account, each.payment);
    }
    for (const account of this.accounts.values()) account.settle(view.closedAtMs);
    for (const book of this.books.values()) book.forgetSums();
    this.view = view;
  }

  /** Whose feed a debt of the account follows from: its own for refunds, that of a sale whose tokens it distributes. */
  bookOf({ kind, payment }: DebtPurpose, account: PayingAccount): DepositBook | undefined {
    if (kind === 'refund') return this.books.get(account.address);
    return this.#booksOf(account).find((book) => {
      const projectId = book.recordAt(payment)?.projectId ?? '';
      return book.sales.get(projectId)?.terms.distributor === account.address;
    });
  }

  /** A feed that the account pays for and that is not decided up to the view. */
  behind(account: PayingAccount): DepositBook | undefined {
    return this.#booksOf(account).find((book) => book.isBehind);
  }

  #booksOf({ sales }: PayingAccount): DepositBook[] {
    const addresses = new Set(sales.map(({ terms }) => terms.deposit_address));
    return [...this.books.values()].filter(({ address }) => addresses.has(address));
  }

  /** Finds what a payment of an account pays: just what its ticket was created for, or it is none that custody allows. */
  #matchPayment(account: PayingAccount, payment: OwnPayment): void {
    const { hash, ticket } = payment;
    const createdFor = ticket === null ? null : (account.tickets.get(ticket)?.purpose ?? null);
    const debt = createdFor === null ? null : debtOf(createdFor);
    const book = debt === null ? this.books.get(account.address) : this.bookOf(debt, account);
    if (book?.isBehind) {
      // What it pays may be decided otherwise by what is not read yet, as a held payment that an action credits.
      account.keep(payment);
      return;
    }
    const isPaid =
      createdFor !== null &&
      (debt === null ? this.#payRelease(account, payment, createdFor) : this.#payDebt(account, payment, debt));
    if (isPaid) return;
    if (this.behind(account) !== undefined) account.keep(payment);
    else if (!this.#isBeforeLaunches(account, payment))
      account.fail('history_unexplained', `${hash} of ${account.address} pays nothing that is owed`);
  }

  /** A distributor owes nothing before the first launch of its sales: what people send from it until then is nobody's debt. */
  #isBeforeLaunches(account: PayingAccount, { closedAtMs }: OwnPayment): boolean {
    return !this.books.has(account.address) && this.#launchesOf(account).every((atMs) => atMs > closedAtMs);
  }

  /** When those of its sales were launched that were. */
  #launchesOf({ sales }: PayingAccount): number[] {
    return sales.flatMap(
      ({ projectId, terms }) => this.books.get(terms.deposit_address)?.project(projectId)?.launchedAtMs ?? [],
    );
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
