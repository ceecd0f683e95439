import { parseDecimal, XRP_DECIMALS } from '@tranche/rules/amounts.ts';
import {
  type Custody,
  decodeAssignment,
  encodeAssignment,
  isQuorum,
  isReleaseId,
  type Purpose,
  purposeId,
} from '@tranche/rules/custody.ts';
import { payoutPayment } from '@tranche/rules/transactions.ts';
import { httpSource } from '@tranche/verifier/http-source.ts';
import type { PublishedPayout } from '@tranche/verifier/published.ts';
import { type ParsedTerms, parseTerms } from '@tranche/verifier/terms.ts';
import type { SubmittableTransaction } from 'xrpl';
import { z } from 'zod';
import type { CustodyLedger, HistoryRow } from './ledger.ts';

const ticketNodes = z.object({
  AffectedNodes: z.array(
    z.object({
      CreatedNode: z
        .object({ LedgerEntryType: z.string(), NewFields: z.object({ TicketSequence: z.int().optional() }).optional() })
        .optional(),
    }),
  ),
});

/** The tickets that a TicketCreate has created, ascending. */
function createdTickets({ meta }: HistoryRow): number[] {
  const nodes = ticketNodes.safeParse(meta).data?.AffectedNodes ?? [];
  return nodes
    .flatMap(({ CreatedNode: node }) =>
      node?.LedgerEntryType === 'Ticket' ? (node.NewFields?.TicketSequence ?? []) : [],
    )
    .sort((a, b) => a - b);
}

const own = z.object({ TicketSequence: z.int().optional(), Memos: z.unknown().optional() });

/** Tickets of an account that no transaction has used, by what they were created for, as witnesses read them. */
async function openTickets(
  ledger: CustodyLedger,
  account: string,
  custody: Custody,
): Promise<{ open: Map<number, string>; paidBy: Map<string, string> }> {
  const open = new Map<number, string>();
  const paidBy = new Map<string, string>();
  for await (const row of ledger.history(account, custody.from_ledger)) {
    const { tx_json: transaction, meta } = row;
    if (transaction.Account !== account) continue;
    const { TicketSequence: used, Memos } = own.parse(transaction);
    if (used !== undefined) {
      const purpose = open.get(used);
      const isPayment = transaction.TransactionType === 'Payment' && meta.TransactionResult === 'tesSUCCESS';
      if (purpose !== undefined && isPayment) paidBy.set(purpose, row.hash);
      open.delete(used);
    }
    const created = createdTickets(row);
    const purposes = decodeAssignment(Memos);
    const signers = (transaction.Signers ?? []).map(({ Signer }) => Signer.Account);
    if (created.length === 0 || purposes.length !== created.length || !isQuorum(custody, signers)) continue;
    for (const [index, ticket] of created.entries()) open.set(ticket, purposes[index] ?? '');
  }
  return { open, paidBy };
}

function purposeOf(payout: PublishedPayout, projectId: string): Purpose {
  const { kind, part, decided_ledger_index: ledgerIndex, decided_transaction_index: transactionIndex } = payout;
  if (kind === 'release') return { kind, projectId };
  if (kind === 'lock' || ledgerIndex === null || transactionIndex === null)
    throw new Error('The platform names no payment for this payout');
  return { kind, payment: { ledgerIndex, transactionIndex }, part };
}

/** What pays an obligation. */
function paymentOf(payout: PublishedPayout, { terms }: ParsedTerms, ticket: number): SubmittableTransaction {
  const { token } = terms;
  const { account, destination, destination_tag: destinationTag, amount_xrp: xrp, tokens } = payout;
  const amount = tokens === null ? parseDecimal(xrp ?? '', XRP_DECIMALS) : parseDecimal(tokens, token.decimals);
  if (amount === null || amount <= 0n) throw new Error('The platform names no amount for this payout');
  const asset =
    tokens === null
      ? ({ kind: 'xrp' } as const)
      : token.kind === 'mpt'
        ? ({ kind: 'mpt', issuanceId: token.issuance_id, decimals: token.decimals } as const)
        : token;
  const {
    Fee: _,
    LastLedgerSequence: __,
    ...payment
  } = payoutPayment(
    { account, destination, destinationTag, amount, asset },
    { ticket, feeDrops: 0n, lastLedgerSequence: 0 },
  );
  return payment as SubmittableTransaction;
}

/** What people sign so that an obligation is paid. */
export interface ByHand {
  /** `ticket`: there is none for it yet, and this creates one. `payment`: this pays it. */
  step: 'ticket' | 'payment';
  transaction: SubmittableTransaction;
  /** Ledgers within which it must be validated at most; null when it may take any time. */
  liveLedgers: number | null;
}

/**
 * The transaction that pays one obligation of a sale under custody with the ticket that was created for it, or the one that
 * creates this ticket. Any other payment of it would be made again by the witnesses, or stop them. Throws why there is none.
 */
export async function payByHand(
  ledger: CustodyLedger,
  { baseUrl, project: id, payout: payoutId }: { baseUrl: string; project: string; payout: string },
): Promise<ByHand> {
  const source = httpSource(baseUrl);
  const terms = parseTerms(id, await source.terms(id));
  const { custody } = terms.terms;
  if (custody === undefined) throw new Error(`${id} is paid by one key: nothing of it needs the signatures of people`);
  const payout = await findPayout(source, id, payoutId);
  if (payout.status !== 'owed') throw new Error(`${payoutId} is ${payout.status}`);
  const purpose = purposeOf(payout, id);
  const purposeText = purposeId(purpose);
  const { open, paidBy } = await openTickets(ledger, payout.account, custody);
  const hash = purpose.kind === 'release' ? undefined : paidBy.get(purposeText);
  if (hash !== undefined) throw new Error(`It was paid by ${hash}: settle ${payoutId} by it at the platform`);
  // Releases of an account take turns, also those of different sales.
  const isOfTurn = (each: string): boolean => (purpose.kind === 'release' ? isReleaseId(each) : each === purposeText);
  const [first] = [...open].filter(([, each]) => isOfTurn(each)).sort(([a], [b]) => a - b);
  if (first !== undefined && first[1] !== purposeText)
    throw new Error('A release of another sale of this account comes first');
  const { status } = await source.project(id);
  // A cancellation refunds what is not distributed a few ledgers later: no payment may come after that.
  const liveLedgers = purpose.kind === 'distribution' && status !== 'completed' ? custody.ledgers_to_live : null;
  if (first !== undefined) return { step: 'payment', transaction: paymentOf(payout, terms, first[0]), liveLedgers };
  const transaction: SubmittableTransaction = {
    TransactionType: 'TicketCreate',
    Account: payout.account,
    TicketCount: 1,
    Memos: [encodeAssignment([purposeText])],
  };
  return { step: 'ticket', transaction, liveLedgers: null };
}

async function findPayout(
  source: ReturnType<typeof httpSource>,
  id: string,
  payoutId: string,
): Promise<PublishedPayout> {
  const { confirmed_ledger: asOf } = await source.depositAccount(id);
  for await (const payouts of source.payouts(id, asOf, null)) {
    const found = payouts.find((each) => each.id === payoutId);
    if (found !== undefined) return found;
  }
  throw new Error(`${id} has no payout ${payoutId}: its payouts are at /api/projects/${id}/payouts`);
}
