import { millisOfLedger } from './arithmetic.ts';
import { takeBack } from './cancelled-sales.ts';
import { sharesOf, unitsOf } from './distributions.ts';
import type {
  LedgerTransaction,
  PublishedCustody,
  PublishedPayout,
  PublishedProject,
  PublishedTerms,
} from './publications.ts';
import type { BookResult, Decision, SaleResult } from './results.ts';
import { purposeOfPayment, purposeOfRelease, type Tickets, ticketsOf } from './tickets.ts';

const FULLY_CANONICAL = 0x80000000;
const SETS_NOTHING = new Set([
  'Account',
  'AccountTxnID',
  'Fee',
  'Flags',
  'LastLedgerSequence',
  'Memos',
  'NetworkID',
  'Sequence',
  'Signers',
  'SigningPubKey',
  'SourceTag',
  'TicketSequence',
  'TransactionType',
  'TxnSignature',
]);
const ADDED_BY_SERVERS = new Set(['ctid', 'date', 'hash', 'inLedger', 'ledger_index']);

export interface CustodyFinding {
  kind:
    | 'custody_not_signed'
    | 'custody_changed'
    | 'ticket_for_other_purpose'
    | 'payout_paid_twice'
    | 'custody_ended_early';
  /** Hash of the transaction; null for what is said of the sale. */
  transaction: string | null;
}

/** docs/verification.md section 11, "Quorum". */
export function isSignedByQuorum(custody: PublishedCustody, { Delegate, Signers }: LedgerTransaction['tx_json']) {
  if (Delegate !== undefined || !Array.isArray(Signers)) return false;
  const weights = new Map([custody.platform, ...custody.witnesses].map(({ account, weight }) => [account, weight]));
  const signers: string[] = Signers.map((each) => each?.Signer?.Account);
  if (signers.some((signer) => !weights.has(signer))) return false;
  if (!signers.includes(custody.platform.account)) return false;
  if (new Set(signers).size !== signers.length) return false;
  return signers.reduce((sum, signer) => sum + (weights.get(signer) ?? 0), 0) >= custody.quorum;
}

/** What the projects of an account are to one of them: of a sale under custody, those of its own period. */
export function projectsBeside(target: string, projects: PublishedProject[]): PublishedProject[] {
  const terms = projects.map(({ canonical }): PublishedTerms => JSON.parse(canonical));
  const custody = terms.find(({ project }) => project === target)?.custody;
  if (custody === undefined) return projects;
  return projects.filter((_, index) => terms[index]?.custody?.from_ledger === custody.from_ledger);
}

/** Sees to the custody of one sale, by all transactions of its two accounts up to the ledger as of which it is verified. */
export function checkCustody(
  { sales }: BookResult,
  target: string,
  transactions: LedgerTransaction[],
  payouts: PublishedPayout[],
  { asOf, throughLedger }: { asOf: number; throughLedger: number | null },
): CustodyFinding[] {
  const sale = sales.find(({ terms }) => terms.project === target);
  const custody = sale?.terms.custody;
  if (sale === undefined || custody === undefined) return [];
  const history = transactions.filter(({ ledger_index }) => ledger_index <= asOf);
  const own = payouts.filter(({ project }) => project === sale.terms.project);
  const early = throughLedger === asOf && !leavesNothing(sale, own) ? [endedEarly] : [];
  const launchLedger = sale.launchLedger ?? Number.POSITIVE_INFINITY;
  const tickets = new Map(
    [sale.terms.deposit_address, sale.terms.distributor].map((account) => [
      account,
      ticketsOf(
        history.filter(
          ({ tx_json, ledger_index }) =>
            tx_json.Account === account &&
            (account === sale.terms.deposit_address
              ? ledger_index > custody.from_ledger
              : ledger_index >= launchLedger),
        ),
        (line) => isSignedByQuorum(custody, line.tx_json),
      ),
    ]),
  );
  const lasting = history.filter((line) => !isOver(sale, own, line) && tickets.has(String(line.tx_json.Account)));
  return [
    ...lasting
      .filter(({ ledger_index }) => ledger_index > launchLedger)
      .flatMap((line) => [...ownFindings(custody, line)]),
    ...payoutPurposes(sale, own, history, tickets),
    ...assignPurposes(
      sales.flatMap(({ decisions }) => decisions.filter(({ by }) => by.ledger >= launchLedger)),
      lasting,
      tickets.get(sale.terms.deposit_address),
    ),
    ...paidTwice(sale, payouts, history, tickets),
    ...early,
  ];
}

const endedEarly: CustodyFinding = { kind: 'custody_ended_early', transaction: null };

function* ownFindings(custody: PublishedCustody, { hash, tx_json }: LedgerTransaction): Generator<CustodyFinding> {
  if (!isSignedByQuorum(custody, tx_json)) yield { kind: 'custody_not_signed', transaction: hash };
  const { TransactionType } = tx_json;
  const pays = TransactionType === 'Payment' || TransactionType === 'TicketCreate';
  if (!pays && !(TransactionType === 'AccountSet' && setsNothing(tx_json))) {
    yield { kind: 'custody_changed', transaction: hash };
  }
}

function setsNothing(tx_json: LedgerTransaction['tx_json']): boolean {
  const { Flags } = tx_json;
  if (Flags !== undefined && Flags !== 0 && Flags !== FULLY_CANONICAL) return false;
  return Object.keys(tx_json).every((name) => SETS_NOTHING.has(name) || ADDED_BY_SERVERS.has(name));
}

function* payoutPurposes(
  sale: SaleResult,
  own: PublishedPayout[],
  history: LedgerTransaction[],
  tickets: Map<string, Tickets>,
): Generator<CustodyFinding> {
  const lines = new Map(history.map((line) => [line.hash, line]));
  for (const payout of own) {
    if (payout.transaction_hash === null) continue;
    const ticket = Number(lines.get(payout.transaction_hash)?.tx_json.TicketSequence);
    if (tickets.get(payout.account)?.get(ticket) !== purposeOf(sale, payout)) {
      yield { kind: 'ticket_for_other_purpose', transaction: payout.transaction_hash };
    }
  }
}

function* assignPurposes(
  decisions: Decision[],
  lasting: LedgerTransaction[],
  tickets: Tickets | undefined,
): Generator<CustodyFinding> {
  const actions = new Map(lasting.map((line) => [line.hash, line]));
  for (const { assigned, by, payment } of decisions) {
    const action = actions.get(by.hash);
    if (!assigned || action === undefined) continue;
    if (tickets?.get(Number(action.tx_json.TicketSequence)) !== purposeOfPayment('refund', payment, 1)) {
      yield { kind: 'ticket_for_other_purpose', transaction: by.hash };
    }
  }
}

function* paidTwice(
  sale: SaleResult,
  payouts: PublishedPayout[],
  history: LedgerTransaction[],
  tickets: Map<string, Tickets>,
): Generator<CustodyFinding> {
  const named = new Set(payouts.map((payout) => payout.transaction_hash));
  const paid = new Set(
    payouts
      .filter((payout) => payout.project === sale.terms.project)
      .filter(({ kind, transaction_hash }) => kind !== 'release' && transaction_hash !== null)
      .map((payout) => purposeOf(sale, payout)),
  );
  for (const { hash, tx_json, meta } of history) {
    if (tx_json.TransactionType !== 'Payment' || meta.TransactionResult !== 'tesSUCCESS' || named.has(hash)) continue;
    const purpose = tickets.get(String(tx_json.Account))?.get(Number(tx_json.TicketSequence));
    if (purpose !== undefined && paid.has(purpose)) {
      yield { kind: 'payout_paid_twice', transaction: hash };
    }
  }
}

function purposeOf(sale: SaleResult, { kind, part, payment_hash }: PublishedPayout): string {
  if (kind === 'release') return purposeOfRelease(sale.terms.project);
  const payment = sale.decisions.find((decision) => decision.payment.hash === payment_hash)?.payment;
  if (payment === undefined) throw new Error(`A payout names ${payment_hash}, which is no payment of the sale`);
  return purposeOfPayment(kind, payment, part);
}

/** "How long": after the end and the last validated payout, when none is open. */
function isOver(sale: SaleResult, own: PublishedPayout[], { ledger_index, close_time }: LedgerTransaction): boolean {
  if (sale.endedAt === null || isOwing(sale, own)) return false;
  const lastPaid = Math.max(...own.map((payout) => payout.ledger_index ?? 0));
  return millisOfLedger(close_time) > sale.endedAt && ledger_index > lastPaid;
}

function leavesNothing(sale: SaleResult, own: PublishedPayout[]): boolean {
  if (sale.endedAt === null || isOwing(sale, own)) return false;
  return sale.decisions.every((decision) => {
    const sentBack = own.filter(
      ({ kind, payment_hash }) => kind === 'refund' && payment_hash === decision.payment.hash,
    );
    if (decision.held > 0n) return sentBack.length > 0;
    return heldByCancellation(sale, own, decision) === 0n || sentBack.some(({ part }) => part === 3);
  });
}

/** Whether something that the rules owe is not validated yet. */
function isOwing(sale: SaleResult, own: PublishedPayout[]): boolean {
  if (own.some(({ status }) => status === 'owed')) return true;
  const settled = new Set(own.map(({ payment_hash, kind, part }) => `${payment_hash} ${kind} ${part}`));
  return sale.decisions.some((decision) => {
    const isOpen = (kind: string, part: number) => !settled.has(`${decision.payment.hash} ${kind} ${part}`);
    if (sharesOf(sale, decision).some(({ part }) => isOpen('distribution', part))) return true;
    if (decision.refunded > 0n && isOpen('refund', 1)) return true;
    if (sale.status !== 'cancelled' || decision.invested === 0n) return false;
    return takeBack(sale, decision, paidUnits(sale, own, decision)).owed > 0n && isOpen('refund', 2);
  });
}

function heldByCancellation(sale: SaleResult, own: PublishedPayout[], decision: Decision): bigint {
  if (sale.status !== 'cancelled' || unitsOf(decision) === 0n) return 0n;
  return takeBack(sale, decision, paidUnits(sale, own, decision)).held;
}

function paidUnits(sale: SaleResult, own: PublishedPayout[], decision: Decision): bigint {
  const validated = new Set(
    own
      .filter(({ kind, status, payment_hash }) => {
        return kind === 'distribution' && status === 'validated' && payment_hash === decision.payment.hash;
      })
      .map(({ part }) => part),
  );
  return sharesOf(sale, decision).reduce((sum, { part, units }) => sum + (validated.has(part) ? units : 0n), 0n);
}
