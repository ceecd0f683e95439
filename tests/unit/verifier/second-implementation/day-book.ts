import { applyAction } from './actions.ts';
import { millisOfLedger, scaled } from './arithmetic.ts';
import { isSignedByQuorum, projectsBeside } from './custody.ts';
import { decisionOf, heldWhole, refused } from './decisions.ts';
import { type Exceptions, readExceptions } from './exceptions.ts';
import { type ArrivedPayment, type Entry, type PublishedAction, readFeed } from './feed.ts';
import { type Judgement, judge } from './judge.ts';
import type {
  LastLedger,
  LedgerTransaction,
  PublishedAccount,
  PublishedProject,
  ReadCredential,
} from './publications.ts';
import type { BookResult, Decision } from './results.ts';
import { endSale, isSoldWhole, openPage, type Sale, walletOf } from './sale.ts';

const REFUND_SOURCE_TAG = 1414678094;

/** Goes through the whole history once, entry by entry, and says who got what, as it is to one project of the account. */
export function keepDayBook(
  account: PublishedAccount,
  target: string,
  projects: PublishedProject[],
  history: LedgerTransaction[],
  last: LastLedger,
  read: ReadCredential,
): BookResult {
  const book = new DayBook(account, target, projectsBeside(target, projects), read);
  for (const entry of readFeed(account.address, book.after, history, last)) {
    book.enter(entry);
    if (book.unpublishedList !== null) return book.result();
  }
  return book.close(millisOfLedger(last.close_time));
}

class DayBook {
  /** The ledger after which the account's entries count. */
  readonly after: number;
  unpublishedList: string | null = null;
  readonly #smallestRefund: bigint;
  readonly #pages: { sale: Sale; decisions: Decision[] }[];
  readonly #exceptions: Exceptions;
  readonly #strays: Decision[] = [];
  readonly #held = new Map<string, ArrivedPayment>();

  readonly #read: ReadCredential;

  constructor(account: PublishedAccount, target: string, projects: PublishedProject[], read: ReadCredential) {
    this.#read = read;
    this.#smallestRefund = scaled(account.refund_min_xrp, 6);
    this.#pages = projects.map((project) => ({ sale: openPage(project), decisions: [] }));
    const custody = this.#pages.find(({ sale }) => sale.terms.project === target)?.sale.terms.custody;
    this.after = custody?.from_ledger ?? account.registered_ledger;
    this.#exceptions = readExceptions(projects);
    if (custody !== undefined) {
      this.#exceptions.latePayments.clear();
      this.#exceptions.lateActions.clear();
    }
  }

  enter(entry: Entry): void {
    this.#letTimePass(entry.at);
    if (entry.is === 'payment') this.#receive(entry);
    else if (!this.#exceptions.lateActions.has(entry.hash)) this.#move(entry);
  }

  close(at: number): BookResult {
    this.#letTimePass(at);
    return this.result();
  }

  result(): BookResult {
    const sales = this.#pages.map(({ sale, decisions }) => ({
      terms: sale.terms,
      launchLedger: sale.launchLedger,
      status: sale.status,
      endReason: sale.endReason,
      endedAt: sale.endedAt,
      raised: sale.raised,
      soldByTier: sale.tiers.map((tier) => tier.sold),
      listHash: sale.listHash,
      decisions,
    }));
    return { sales, strays: this.#strays, held: [...this.#held.keys()], unpublishedList: this.unpublishedList };
  }

  #letTimePass(at: number): void {
    for (const { sale } of this.#pages) {
      const open = sale.status === 'active' || sale.status === 'paused';
      if (open && sale.endsAt !== null && at > sale.endsAt) endSale(sale, 'end_date', sale.endsAt);
    }
  }

  #receive(payment: ArrivedPayment): void {
    const page = this.#pages.find(
      ({ sale }) =>
        sale.terms.destination_tag === payment.tag && (sale.terms.custody === undefined || sale.status !== 'draft'),
    );
    if (this.#exceptions.latePayments.has(payment.hash)) {
      (page?.decisions ?? this.#strays).push(heldWhole(payment, 'late_discovery'));
      this.#held.set(payment.hash, payment);
    } else if (page === undefined) {
      this.#turnAway(payment);
    } else {
      const judgement = judge(page.sale, payment, payment, this.#read);
      page.decisions.push(decisionOf(payment, payment, judgement, page.sale.refundMin));
      book(page.sale, payment, payment.at, judgement);
    }
  }

  #turnAway(payment: ArrivedPayment): void {
    const kept = this.#whyKept(payment);
    const reason = payment.tag === null ? 'no_tag' : 'unknown_tag';
    const decision = kept === null ? refused(payment, reason, this.#smallestRefund) : heldWhole(payment, kept);
    this.#strays.push(decision);
    if (decision.outcome === 'held') this.#held.set(payment.hash, payment);
  }

  #whyKept({ sender, tag }: ArrivedPayment): string | null {
    const operates = ({ status, terms }: Sale) => status !== 'draft' && terms.operating_accounts.includes(sender);
    if (this.#pages.some(({ sale }) => operates(sale))) return 'operating_funds';
    return tag === REFUND_SOURCE_TAG ? 'refund_bounced' : null;
  }

  #move(move: PublishedAction): void {
    const page = this.#pages.find(({ sale }) => sale.terms.project === move.says.project);
    if (page === undefined) return;
    const { custody } = page.sale.terms;
    if (custody !== undefined && !isSignedByQuorum(custody, move.carrier)) return;
    if (move.says.move !== 'assign') {
      applyAction(page.sale, move);
      const { listHash, lists } = page.sale;
      if (listHash !== null && !lists.has(listHash)) this.unpublishedList = listHash;
      return;
    }
    const payment = this.#held.get(move.says.payment ?? '');
    if (payment === undefined || this.#exceptions.refundedByOperators.has(payment.hash)) return;
    if (page.sale.status !== 'active') return;
    const judgement = judge(page.sale, payment, move, this.#read);
    if ('refusedFor' in judgement) return;
    this.#held.delete(payment.hash);
    page.decisions.push(decisionOf(payment, move, judgement, page.sale.refundMin));
    book(page.sale, payment, move.at, judgement);
  }
}

/** Enters what was bought; nothing when the payment was refused. */
function book(sale: Sale, payment: ArrivedPayment, at: number, judgement: Judgement): void {
  if ('refusedFor' in judgement) return;
  const wallet = { ...walletOf(sale, payment.sender) };
  for (const { tier, drops, units } of judgement.parts) {
    tier.sold += units;
    sale.raised += drops;
    wallet.invested += drops;
    if (tier.listed) wallet.investedListed += drops;
  }
  sale.wallets.set(payment.sender, wallet);
  if (isSoldWhole(sale)) endSale(sale, 'sold_out', at);
}
