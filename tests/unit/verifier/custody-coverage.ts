import type { CustodyVerdict } from './custody-verdicts.ts';
import type { PayoutRow } from './published-payouts.ts';
import { REGISTERED_LEDGER } from './random-sales/accounts.ts';
import { ASSIGNMENT_FORMS, MISASSIGNED, OWN_TYPES, SIGNINGS } from './random-sales/custody.ts';
import type { DrawnSale } from './random-sales/sale.ts';
import { isSignedByQuorum } from './second-implementation/custody.ts';
import type { BookResult } from './second-implementation/results.ts';

const TICKETS = ['made', 'waiting', 'another', 'misassigned', 'none'];
const PAYOUTS = ['distribution 1', 'distribution 2', 'refund 1', 'refund 2', 'release 1'];

/** What must happen often enough in the random sales under custody. */
export const CUSTODY_HAPPENINGS = [
  ...['quorum', ...SIGNINGS].flatMap((form) =>
    ['action', 'tickets', 'payment'].map((signed) => `${signed} signed: ${form}`),
  ),
  ...['right', ...ASSIGNMENT_FORMS].map((form) => `tickets: ${form}`),
  ...TICKETS.flatMap((ticket) => [`payment by a ticket: ${ticket}`, `assign by a ticket: ${ticket}`]),
  ...MISASSIGNED.map(({ form, signing }) => `misassigned: ${form}, ${signing}`),
  ...OWN_TYPES.map((type) => `own transaction: ${type}`),
  'payment failed',
  'tickets failed',
  'difference: custody_not_signed',
  'difference: custody_changed',
  'difference: ticket_for_other_purpose',
  'difference: ticket_for_other_purpose of an assign',
  'difference: payout_paid_twice',
  'difference: custody_ended_early',
  ...PAYOUTS.flatMap((payout) => [`paid: ${payout}`, `paid as it must be: ${payout}`]),
  'paid as it must be: what an action assigned',
  'assigned as it must be',
  'an action without a quorum',
  'an unsigned transaction when custody was over',
  'a period that ended with nothing open',
  'a payment to a draft',
  'a late exception that does not count',
  'a sale of another period',
  'a feed that begins after the registered ledger',
  'a list that nobody has published',
];

export const SENT_BACK_FIRST = 'paid as it must be: what was sent back before it was assigned';

/** What happened in a sale under custody, by name. */
export function* custodyHappenings(
  sale: DrawnSale,
  { sales: [first, second], strays }: BookResult,
  payouts: readonly PayoutRow[],
  { differences }: CustodyVerdict,
): Generator<string> {
  const custody = first?.terms.custody;
  if (first === undefined || custody === undefined) return;
  yield* sale.happened;
  const found = new Set(differences);
  const assigned = new Map(first.decisions.flatMap((each) => (each.assigned ? [[each.payment.hash, each.by]] : [])));
  for (const difference of differences) yield `difference: ${difference.split(' ')[0]}`;
  for (const { project, kind, part, transaction_hash, payment_hash, ledger_index } of payouts) {
    if (project !== first.terms.project || transaction_hash === null) continue;
    yield `paid: ${kind} ${part}`;
    if (found.has(`ticket_for_other_purpose ${transaction_hash}`)) continue;
    yield `paid as it must be: ${kind} ${part}`;
    const by = assigned.get(payment_hash ?? '');
    if (by === undefined) continue;
    yield 'paid as it must be: what an action assigned';
    if (kind === 'refund' && part === 1 && by.ledger > (ledger_index ?? 0)) yield SENT_BACK_FIRST;
  }
  for (const { hash } of assigned.values()) {
    yield found.has(`ticket_for_other_purpose ${hash}`)
      ? 'difference: ticket_for_other_purpose of an assign'
      : 'assigned as it must be';
  }
  const { launchLedger } = first;
  for (const { hash, tx_json, ledger_index, meta } of [...sale.history, ...sale.distributed]) {
    const isOwn = tx_json.Account === first.terms.deposit_address || tx_json.Account === first.terms.distributor;
    if (!isOwn || isSignedByQuorum(custody, tx_json) || ledger_index > sale.last.ledger_index) continue;
    if (tx_json.TransactionType === 'AccountSet' && meta.TransactionResult === 'tesSUCCESS')
      yield 'an action without a quorum';
    if (launchLedger !== null && ledger_index > launchLedger && !found.has(`custody_not_signed ${hash}`)) {
      yield 'an unsigned transaction when custody was over';
    }
  }
  if (sale.throughLedger !== null && !found.has('custody_ended_early null'))
    yield 'a period that ended with nothing open';
  const tags = sale.projects.map(({ row }) => row.destinationTag);
  if (strays.some(({ payment, reason }) => reason === 'unknown_tag' && tags.includes(payment.tag ?? 0)))
    yield 'a payment to a draft';
  if (sale.exceptions.some(({ kind }) => kind.startsWith('late_'))) yield 'a late exception that does not count';
  if (second === undefined) yield 'a sale of another period';
  if (custody.from_ledger > REGISTERED_LEDGER) yield 'a feed that begins after the registered ledger';
}
