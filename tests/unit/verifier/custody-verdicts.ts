import { type FeedEntry, toFeedEntry } from '@tranche/rules/feed-entry.ts';
import type { PublishedAllocation, PublishedPayment } from '@tranche/verifier/published.ts';
import { cutToWholeLedgers } from '@tranche/verifier/read-feed.ts';
import type { Difference, LedgerSource } from '@tranche/verifier/types.ts';
import { verifySale } from '@tranche/verifier/verify-sale.ts';
import type { Outcome } from './outcome.ts';
import { type PayoutRow, publishedPayouts } from './published-payouts.ts';
import { publishedSource } from './published-source.ts';
import { DEPOSIT, DISTRIBUTOR } from './random-sales/accounts.ts';
import type { DrawnSale } from './random-sales/sale.ts';
import { readCredentials } from './rule-book.ts';
import { sixDigits } from './second-implementation/arithmetic.ts';
import type { BookResult } from './second-implementation/results.ts';
import { custodyBySecondImplementation, outcomeOf } from './second-opinion.ts';

/** What is said of a custody: kinds of differences, each with its transaction. */
export interface CustodyVerdict {
  differences: string[];
  /** The list that a quorum put in force and that nobody has published. */
  unpublishedList: string | null;
}

const KINDS = new Set<string>([
  'custody_not_signed',
  'custody_changed',
  'ticket_for_other_purpose',
  'payout_paid_twice',
  'custody_ended_early',
] satisfies Difference['kind'][]);

/** What the second implementation and the platform's verifier say of the custody of the first sale, and by what. */
export async function custodyVerdicts(sale: DrawnSale, book: BookResult) {
  const payouts = publishedPayouts(sale, book);
  const found = custodyBySecondImplementation(sale, payouts, book);
  const second: CustodyVerdict = {
    differences: found.map(({ kind, transaction }) => `${kind} ${transaction}`).sort(),
    unpublishedList: book.unpublishedList,
  };
  const verifier = await byVerifier(sale, outcomeOf(book), payouts);
  const isNamed = (difference: string) =>
    second.differences.includes(difference) || !paysAgain(sale, payouts, difference);
  return {
    payouts,
    second,
    verifier: { ...verifier, differences: verifier.differences.filter(isNamed) },
  };
}

/**
 * A payment of just what a validated payout was, by whatever ticket, has the same name for the verifier as one by a ticket for its
 * purpose. Without such a ticket it is what section 9 says of any payment that nothing explains.
 */
function paysAgain({ history, distributed }: DrawnSale, payouts: PayoutRow[], difference: string): boolean {
  const [kind, hash] = difference.split(' ');
  const line = [...history, ...distributed].find((each) => each.hash === hash);
  if (kind !== 'payout_paid_twice' || line === undefined) return false;
  const { Account, Destination, DestinationTag = null } = line.tx_json;
  const { delivered_amount: delivered } = line.meta;
  const text =
    typeof delivered === 'string' ? sixDigits(BigInt(delivered)) : `${(delivered as { value: string }).value}.000000`;
  return payouts.some(
    (row) =>
      row.account === Account &&
      row.destination === Destination &&
      row.destination_tag === DestinationTag &&
      (row.amount_xrp ?? row.tokens) === text,
  );
}

async function byVerifier(sale: DrawnSale, { sales }: Outcome, payouts: PayoutRow[]): Promise<CustodyVerdict> {
  const own = (id: string) => sales.find(({ project }) => project === id);
  const source = publishedSource(sale, {
    payments: (id) => (own(id)?.payments ?? []) as PublishedPayment[],
    allocations: (id) =>
      (own(id)?.allocations ?? []).map((row) => ({ ...row, confirmed_at: row.decided_at }) as PublishedAllocation),
    payouts: (id) => payouts.filter(({ project }) => project === id),
  });
  const { progress } = await verifySale({
    source,
    ledger: ledgerOf(sale),
    projectId: sale.projects[0]?.row.id ?? '',
    asOf: sale.last.ledger_index,
    progress: null,
    pageDone: async () => true,
  });
  const { differences } = progress.findings;
  const transactionOf = new Map<string, string | null>(payouts.map((row) => [row.id, row.transaction_hash]));
  const nameOf = ({ kind, subject, found }: Difference) => {
    if (kind === 'custody_ended_early') return null;
    if (kind === 'payout_paid_twice') return found;
    return transactionOf.get(subject) ?? subject;
  };
  return {
    differences: differences
      .filter(({ kind }) => KINDS.has(kind))
      .map((each) => `${each.kind} ${nameOf(each)}`)
      .sort(),
    unpublishedList: differences.find(({ kind }) => kind === 'list_not_published')?.subject ?? null,
  };
}

/** A server that holds everything, and gives the deposit account's history in small pages. */
function ledgerOf({ history, distributed, last, pageSizes }: DrawnSale): LedgerSource {
  const feeds = new Map<string, FeedEntry[]>(
    [[DEPOSIT, history] as const, [DISTRIBUTOR, distributed] as const].map(([account, lines]) => [
      account,
      lines
        .map((line) => toFeedEntry(account, { ...line, validated: true }))
        .sort((a, b) => a.ledgerIndex - b.ledgerIndex || a.transactionIndex - b.transactionIndex),
    ]),
  );
  let pages = 0;
  return {
    serverState: async () => ({ validatedIndex: last.ledger_index, completeLedgers: [[1, last.ledger_index]] }),
    credentials: readCredentials,
    closedAtMs: async () => (last.close_time + 946_684_800) * 1_000,
    async readFeed({ account, afterLedger, throughLedger }) {
      const entries = (feeds.get(account) ?? []).filter(
        ({ ledgerIndex }) => ledgerIndex > afterLedger && ledgerIndex <= throughLedger,
      );
      const most = account === DEPOSIT ? 3 + (pageSizes[pages++ % pageSizes.length] ?? 1) : 1_000;
      return { ...cutToWholeLedgers(entries, throughLedger, most), readThroughHash: '' };
    },
  };
}
